import { UserError, errorMessage } from '../src/base/errors';
import { maskedCopy, type SecretMask } from '../src/base/secretMask';
import {
  type FileReport,
  dotOf,
  dotReport,
  exitCodeOf,
  jsonReport,
  summaryReport,
  uncalledTools,
} from '../src/calls/report/report';
import { junitReport } from '../src/calls/report/junit';
import { realPath } from '../src/mcp/node/files/fileAccess';
import { SchemaThread } from '../src/mcp/node/schema/schemaThread';
import { type SchemaCheck, createSchemaCheck } from '../src/mcp/schema/jsonSchema';
import type { Options } from './options';
import { readGiven, snapshotsBeside, writeOutput } from './givenFiles';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CallsFile, callsExtension, maxCallsBytes } from '../src/calls/format/calls';
import { endSession } from '../src/calls/session';
import { runCalls, type StepResult } from '../src/calls/runCalls';
import { withRealRoots } from '../src/calls/savedAnswers';
import type { Tool } from '../src/mcp/protocol/types';
import { checkTimeouts, checkServer } from '../src/calls/check/checkServer';
import { reportOfCheck } from '../src/calls/check/checkResult';
import { parseCalls } from '../src/calls/format/parseCalls';
import { TrafficRecorder } from '../src/mcp/traffic/trafficRecorder';
import { type LaunchableServer, launchOf, openServer } from './launch';
import { SignIns } from './signIn';

interface FileRun {
  readonly options: Options;
  readonly schemas: SchemaCheck;
  readonly printMark: (text: string) => void;
  /** Knows what the servers were given, which they may repeat. */
  readonly secrets: SecretMask;
  readonly signIns: SignIns;
  readonly signal: AbortSignal;
}

/** Runs one file; anything that goes wrong is part of the report. */
async function runFile(path: string, run: FileRun): Promise<FileReport> {
  const began = performance.now();
  const ended = () => performance.now() - began;
  const results: StepResult[] = [];
  let tools: readonly Tool[] | undefined;
  try {
    const { file, problems } = parseCalls(
      await readGiven(path, maxCallsBytes, run.signal),
      run.options.variables,
    );
    if (!file || problems.length > 0) return { path, results, problems, durationMs: ended() };
    await runSteps(path, file, run, {
      onEnd: (result) => {
        results.push(result);
        run.printMark(dotOf(result));
      },
      onTools: (listed) => (tools = listed),
    });
    const uncalled = tools && uncalledTools(file, tools);
    return {
      path,
      results,
      problems,
      durationMs: ended(),
      ...(uncalled && { uncalledTools: uncalled }),
    };
  } catch (error) {
    return { path, results, problems: [], error: errorMessage(error), durationMs: ended() };
  }
}

async function runSteps(
  path: string,
  file: CallsFile,
  { options, schemas, secrets, signIns, signal }: FileRun,
  {
    onEnd,
    onTools,
  }: {
    readonly onEnd: (result: StepResult) => void;
    readonly onTools: (tools: readonly Tool[]) => void;
  },
): Promise<void> {
  const calls = resolve(path);
  const { update, variables, verbose, manner } = options;
  const folder = pathToFileURL(`${dirname(calls)}/`).href;
  const given = { ...file, variables: { ...file.variables, ...variables } };
  await runCalls(await withRealRoots(given, folder, realPath), {
    folder,
    open: async (server, _steps, requests) => {
      const launch = await launchOf(server, dirname(calls), options);
      const watch = requests && { requests };
      const session = await openServer(launch, {
        verbose,
        secrets,
        signal,
        signIns,
        manner,
        ...(watch && { watch }),
      });
      onTools(session.server.tools.items);
      return session;
    },
    schemas,
    snapshots: snapshotsBeside(calls),
    update,
    signal,
    onEnd,
    now: () => performance.now(),
  });
}

/** Checks the servers that the command line names, or else those of the files. */
async function runCheck(
  paths: readonly string[],
  { options, schemas, secrets, signIns, signal }: FileRun,
): Promise<readonly FileReport[]> {
  const named = [...options.servers.keys()].map(
    (name) => [name, () => launchOf({ kind: 'named', name }, process.cwd(), options)] as const,
  );
  const found =
    named.length > 0
      ? named
      : paths.map((path) => [path, () => launchOfFile(path, options, signal)] as const);
  const check = async (launch: LaunchableServer) => {
    const traffic = new TrafficRecorder((text) => secrets.apply(text));
    const watch = { traffic, afterEndMs: checkTimeouts.endMs };
    const session = await openServer(launch, { ...options, secrets, signIns, signal, watch });
    const allowCalls = () => Promise.resolve(options.callTools);
    try {
      return await checkServer({ ...session, traffic }, { schemas, signal, allowCalls });
    } finally {
      await endSession(session, signal);
    }
  };
  const reports: FileReport[] = [];
  for (const [name, launch] of found) {
    if (signal.aborted) break;
    const began = performance.now();
    const ended = () => performance.now() - began;
    try {
      const results = await check(await launch());
      const counted = results.map((result) =>
        options.strict && result.outcome === 'advice'
          ? { ...result, outcome: 'failed' as const }
          : result,
      );
      reports.push(reportOfCheck(name, counted, ended()));
    } catch (error) {
      const broken = reportOfCheck(name, [], ended());
      reports.push({ ...broken, error: errorMessage(error) });
    }
  }
  return reports;
}

async function launchOfFile(
  path: string,
  options: Options,
  signal: AbortSignal,
): Promise<LaunchableServer> {
  const { file, problems } = parseCalls(await readGiven(path, maxCallsBytes, signal));
  if (!file) throw new Error(problems[0]?.message);
  return launchOf(file.server, dirname(resolve(path)), { ...options, servers: new Map() });
}

/** Folders of dependencies and of build output. */
const skipped = new Set(['node_modules', 'dist', 'out', 'build']);

/** Finds all files of saved calls below a folder, sorted by path. */
async function findFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile()) return entry.name.endsWith(callsExtension) ? [path] : [];
      const isSearched = entry.isDirectory() && !entry.name.startsWith('.');
      return isSearched && !skipped.has(entry.name) ? findFiles(path) : [];
    }),
  );
  return found.flat().toSorted();
}

const reports = { dot: dotReport, json: jsonReport, junit: junitReport };

/**
 * Runs or checks the files that are asked for and writes the reports; resolves with the exit code, and
 * rejects with a `UserError` if there are no files.
 */
export async function runTest(
  options: Options,
  secrets: SecretMask,
  signal: AbortSignal,
): Promise<number> {
  const namesServers = options.check && options.servers.size > 0;
  const isGiven = options.files.length > 0 || namesServers;
  const paths = isGiven ? options.files : await findFiles('.');
  if (paths.length === 0 && !namesServers)
    throw new UserError('No saved calls found: their names end in .mcp-calls.jsonc.');
  const thread = new SchemaThread();
  const schemas = createSchemaCheck(thread.run);
  const signIns = new SignIns({ asks: options.signIn, secrets });
  const printMark = markPrinter(options);
  const run: FileRun = { options, schemas, printMark, secrets, signIns, signal };
  const files: FileReport[] = [];
  try {
    if (options.check) files.push(...(await runCheck(paths, run)));
    for (const path of options.check ? [] : paths) {
      if (signal.aborted) break;
      files.push(await runFile(path, run));
    }
  } finally {
    thread.dispose();
  }
  await writeReports(files, { ...options, secrets });
  return signal.aborted ? 2 : exitCodeOf(files);
}

/** Returns what writes marks to the terminal, unless a report for a program goes there. */
export function markPrinter({
  reporter,
  output,
}: Pick<Options, 'reporter' | 'output'>): (text: string) => void {
  if (reporter !== 'dot' && output === undefined) return () => {};
  return (text) => void process.stdout.write(text);
}

/** Writes the report of a run where it is asked for, and a summary, without what servers were given. */
export async function writeReports(
  given: readonly FileReport[],
  {
    reporter,
    output,
    summary,
    secrets,
  }: Pick<Options, 'reporter' | 'output' | 'summary'> & { readonly secrets: SecretMask },
): Promise<void> {
  const printMark = markPrinter({ reporter, output });
  const files = maskedCopy(given, (text) => secrets.apply(text)) as readonly FileReport[];
  printMark('\n');
  const isColored = output === undefined && process.stdout.isTTY && !process.env['NO_COLOR'];
  const report = reports[reporter](files, isColored);
  const text = report.endsWith('\n') ? report : `${report}\n`;
  if (output === undefined) process.stdout.write(text);
  else {
    await writeOutput(output, text, 'replace');
    printMark(`${dotReport(files, process.stdout.isTTY && !process.env['NO_COLOR'])}\n`);
  }
  if (summary !== undefined) await writeOutput(summary, `${summaryReport(files)}\n`, 'append');
}
