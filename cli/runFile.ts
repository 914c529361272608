import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorMessage } from '../src/base/errors';
import type { CallsFile } from '../src/calls/format/calls';
import { parseCalls } from '../src/calls/format/parseCalls';
import { type FileReport, dotOf } from '../src/calls/report/report';
import { uncalledTools } from '../src/calls/report/report';
import { runCalls, type StepResult } from '../src/calls/runCalls';
import type { SchemaCheck } from '../src/mcp/schema/jsonSchema';
import type { Tool } from '../src/mcp/protocol/types';
import { launchOf, openServer } from './launch';
import type { Options } from './options';
import { snapshotsBeside } from './outputs';

interface FileRun {
  readonly options: Options;
  readonly schemas: SchemaCheck;
  readonly print: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Runs one file; anything that goes wrong is part of the report. */
export async function runFile(path: string, run: FileRun): Promise<FileReport> {
  const began = performance.now();
  const ended = () => performance.now() - began;
  const results: StepResult[] = [];
  let tools: readonly Tool[] | undefined;
  try {
    const { file, problems } = parseCalls(await readFile(path, 'utf8'));
    if (!file || problems.length > 0) return { path, results, problems, durationMs: ended() };
    await runSteps(path, file, run, {
      onEnd: (result) => {
        results.push(result);
        run.print(dotOf(result));
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
  { options, schemas, signal }: FileRun,
  {
    onEnd,
    onTools,
  }: {
    readonly onEnd: (result: StepResult) => void;
    readonly onTools: (tools: readonly Tool[]) => void;
  },
): Promise<void> {
  const calls = resolve(path);
  const { update, variables, verbose } = options;
  await runCalls(file, {
    open: async (server) => {
      const session = await openServer(await launchOf(server, dirname(calls), options), {
        verbose,
        signal,
      });
      onTools(session.server.tools.items);
      return session;
    },
    schemas,
    snapshots: snapshotsBeside(calls),
    update,
    variables,
    signal,
    onEnd,
    now: () => performance.now(),
  });
}
