import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorMessage } from '../src/base/errors';
import { checkServer } from '../src/calls/check/checkServer';
import { reportOfCheck } from '../src/calls/check/finding';
import { parseCalls } from '../src/calls/format/parseCalls';
import type { CallsSession } from '../src/calls/session';
import type { FileReport } from '../src/calls/report/report';
import type { SchemaCheck } from '../src/mcp/schema/jsonSchema';
import { configOfLine, launchOf, type Launch } from './launch';
import { openServer } from './openServer';
import type { Options } from './options';
import { defaultLimits } from '../src/mcp/serverConfig';

/** Checks the servers that the command line names, or else those of the files. */
export async function runCheck(
  paths: readonly string[],
  options: Options,
  schemas: SchemaCheck,
  signal: AbortSignal,
): Promise<readonly FileReport[]> {
  const named = [...options.servers].map(
    ([name, line]) =>
      [
        name,
        async () => ({ name, config: configOfLine(name, line), limits: defaultLimits }),
      ] as const,
  );
  const found =
    named.length > 0 ? named : paths.map((path) => [path, () => launchOfFile(path)] as const);
  const check = async (session: CallsSession) => {
    try {
      return await checkServer(session, { schemas, signal });
    } finally {
      await session.end();
    }
  };
  const reports: FileReport[] = [];
  for (const [name, launch] of found) {
    if (signal.aborted) break;
    const began = performance.now();
    const ended = () => performance.now() - began;
    try {
      const results = await check(
        await openServer(await launch(), { verbose: options.verbose, signal }),
      );
      reports.push(reportOfCheck(name, results, ended()));
    } catch (error) {
      const broken = reportOfCheck(name, [], ended());
      reports.push({ ...broken, error: errorMessage(error) });
    }
  }
  return reports;
}

async function launchOfFile(path: string): Promise<Launch> {
  const { file, problems } = parseCalls(await readFile(path, 'utf8'));
  if (!file) throw new Error(problems[0]?.message);
  return launchOf(file.server, dirname(resolve(path)), new Map());
}
