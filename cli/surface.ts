import { stat } from 'node:fs/promises';
import { UserError } from '../src/base/errors';
import { maskedCopy, type SecretMask } from '../src/base/secretMask';
import { jsonText } from '../src/base/text/jsonText';
import { inEnglish } from '../src/base/translate';
import { reportedAs } from '../src/calls/check/checkResult';
import { type FileReport, type ReportedResult, exitCodeOf } from '../src/calls/report/report';
import {
  type Surface,
  type SurfaceChange,
  compareSurfaces,
  maxSurfaceBytes,
  parseSurface,
  surfaceText,
  wholeSurfaceOf,
} from '../src/development/surface/compareSurfaces';
import { launchOfServer, openServer } from './launch';
import { ofOneServer, reporterOf, mannerOf, readArguments, startUsage, withUsage } from './options';
import { signInUsage, SignIns } from './signIn';
import { readGiven, writeOutput } from './givenFiles';
import { writeReports } from './runTest';
import { terminalJson } from '../src/base/text/text';

/** The text that `surface --help` prints. */
export const surfaceUsage = `Usage: mcp-workbench surface --server NAME=COMMAND [--output FILE]
       mcp-workbench surface --server NAME=COMMAND --against FILE [options]
       mcp-workbench surface [options] -- COMMAND [arguments]

Writes down what a server says about itself, or compares it with what was written down: fails for changes that can
break a caller, and tells all others.

  --server NAME=COMMAND   the server; a URL connects instead, and without "=" it is that of .vscode/mcp.json or .mcp.json
  --config FILE           the servers of this file, in place of .vscode/mcp.json and .mcp.json
  --env NAME=VALUE        for the server: of the environment here it gets only what starts programs
${startUsage}  --header "NAME: VALUE"  for a server at a URL
${signInUsage}  --against FILE          compare with this surface, which is not changed
  --output FILE           write the surface there, or with --against the report
  --reporter dot|json|junit
  --summary FILE          add a summary in Markdown
  --protocol-version V    speak this revision of the protocol alone
  --without ABILITY       be a client without roots, tasks, apps or extensions
${withUsage}  --verbose               show what the server logs

Exit code: 0 nothing that breaks, 1 something that can, 2 it could not be compared.
`;

/** Runs `surface`; resolves with the exit code. */
export async function runSurface(
  args: readonly string[],
  secrets: SecretMask,
  signal: AbortSignal,
): Promise<number> {
  const { values, launched } = readArguments(args, { options: ofOneServer });
  if (values.help) {
    process.stdout.write(surfaceUsage);
    return 0;
  }
  const launch = await launchOfServer('surface', { ...values, launched });
  const { against, output, summary, verbose } = values;
  const reporter = reporterOf(values.reporter);
  const manner = mannerOf(values);
  await keepApart({ against, output, summary });
  const before =
    against === undefined
      ? undefined
      : parseSurface(await readGiven(against, maxSurfaceBytes, signal), against);
  const masked = (surface: Surface) =>
    maskedCopy(surface, (text) => secrets.apply(text)) as Surface;
  const signIns = new SignIns({ asks: values['sign-in'], secrets });
  const began = performance.now();
  const session = await openServer(launch, { verbose, secrets, signal, signIns, manner });
  let now: Surface;
  try {
    now = masked(wholeSurfaceOf(session.server));
  } finally {
    await session.end();
  }
  if (!before) {
    const text = surfaceText(now);
    if (output === undefined) process.stdout.write(terminalJson(text));
    else await writeOutput(output, text, 'replace');
    return 0;
  }
  const changes = await compareSurfaces(masked(before), now, inEnglish);
  // What reads reports takes one without results for a run that did not happen.
  const results = changes.length > 0 ? changes.map(resultOf) : [reportedAs('nothing changed')];
  const durationMs = performance.now() - began;
  const files: readonly FileReport[] = [{ path: against ?? '', results, problems: [], durationMs }];
  await writeReports(files, { reporter, output, summary, secrets });
  return exitCodeOf(files);
}

/** Rejects with a `UserError` if what is written would replace what it is compared with. */
async function keepApart({
  against,
  ...written
}: Readonly<Record<'against' | 'output' | 'summary', string | undefined>>): Promise<void> {
  if (against === undefined) return;
  const known = await stat(against, { bigint: true }).catch(() => undefined);
  for (const [option, file] of Object.entries(written)) {
    const found = file && (await stat(file, { bigint: true }).catch(() => undefined));
    if (found && found.dev === known?.dev && found.ino === known.ino)
      throw new UserError(`--${option} must not be the file of --against.`);
  }
}

const told = { changed: 'It is another.', new: 'It is new.', gone: 'It is gone.' } as const;

function resultOf({ kind, part, name, before, after, breaks }: SurfaceChange): ReportedResult {
  const side = (value: unknown) => (value === undefined ? '' : jsonText(value, 2));
  const message = breaks.join(' ');
  const result = reportedAs(name === '' ? part : `${part} ${name}`);
  return breaks.length > 0
    ? {
        ...result,
        outcome: 'failed',
        failures: [{ message, expected: side(before), actual: side(after) }],
      }
    : { ...result, warnings: [told[kind]] };
}
