import * as vscode from 'vscode';
import { neverAborted } from '../base/async';
import { UserError, errorMessage, isCancellation } from '../base/errors';
import { documentText, plainMessage } from '../base/text/text';
import type { Failure } from '../calls/expect/judge';
import type { CallStep, CallsFile } from '../calls/format/calls';
import type { Tool } from '../mcp/protocol/types';
import { uncalledTools } from '../calls/report/report';
import { type RunOptions, type StepResult, runCalls } from '../calls/runCalls';
import { withRealRoots } from '../calls/savedAnswers';
import { updateExpectation } from '../calls/writeStep';
import { readCalls, readCallsText, snapshotsBeside, toRange } from './callsDocuments';
import { type CallsTests, stepId } from './callsTests';
import type { CallsSession } from '../calls/session';
import type { Platform } from '../mcp/platform';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { type SessionDeps, openCallsSession } from './sessions';
import { listText } from '../base/translate';
import { folderUrl } from './consent';

/** What runs of saved calls in the workspace need. */
export interface CallsDeps extends SessionDeps {
  readonly schemas: SchemaCheck;
  readonly writer: WorkspaceWriter;
  readonly platform: Pick<Platform, 'programs'>;
}

/** The options of a run that its caller decides. */
interface CallsRunOptions extends Omit<
  RunOptions,
  'open' | 'folder' | 'schemas' | 'snapshots' | 'now'
> {
  /** Called with the first session, before the first step. */
  readonly onOpen?: (session: CallsSession) => void;
}

/** Runs steps of a file on the workspace server that it names. */
export async function runWorkspaceCalls(
  uri: vscode.Uri,
  written: CallsFile,
  { onOpen, ...options }: CallsRunOptions,
  deps: CallsDeps,
): Promise<readonly StepResult[]> {
  const { signal } = options;
  const folder = folderUrl(uri);
  // A page has no files.
  const realPath = async (path: string) => (await deps.platform.programs?.realPath(path)) ?? path;
  const file = await withRealRoots(written, folder, realPath);
  const agreed = new Set<string>();
  let isFirst = true;
  return runCalls(file, {
    ...options,
    open: async (_server, steps, requests) => {
      const run = { uri, file, steps, signal, agreed, requests };
      const session = await openCallsSession(run, deps);
      if (isFirst) onOpen?.(session);
      isFirst = false;
      return session;
    },
    folder,
    schemas: deps.schemas,
    snapshots: snapshotsBeside(uri, deps.writer),
    now: () => performance.now(),
  });
}

/** What runs of saved calls need. */
export interface CallsRunDeps extends CallsDeps {
  readonly tests: CallsTests;
  /** True for the files of a request that are to run; if absent, all of them run. */
  readonly wants?: (uri: vscode.Uri, file: CallsFile) => boolean;
}

/** Runs what a request of the Test Explorer asks for, and shows how each step ended. */
export async function runRequest(
  request: vscode.TestRunRequest,
  signal: AbortSignal,
  deps: CallsRunDeps,
): Promise<readonly StepResult[]> {
  const { tests } = deps;
  await tests.ready;
  const files = await narrowed(wantedFiles(request, tests.controller), deps);
  if (files.length === 0 && deps.wants) return [];
  const run = tests.controller.createTestRun(request);
  const results: StepResult[] = [];
  try {
    for (const [item, wanted] of files)
      if (!signal.aborted)
        results.push(...(await runFile({ item, wanted, run, signal, request }, deps)));
  } finally {
    run.end();
  }
  return results;
}

/** Returns the files of a request by their paths, as a terminal runs them, each with the ids of its wanted steps; `undefined` stands for all of them. */
function wantedFiles(
  { include, exclude = [] }: vscode.TestRunRequest,
  controller: vscode.TestController,
): ReadonlyMap<vscode.TestItem, ReadonlySet<string> | undefined> {
  const files = new Map<vscode.TestItem, Set<string> | undefined>();
  for (const item of include ?? Array.from(controller.items, ([, one]) => one)) {
    const { parent } = item;
    if ([item, parent].some((one) => one && exclude.includes(one))) continue;
    if (!parent) files.set(item, undefined);
    else if (!files.has(parent)) files.set(parent, new Set([item.id]));
    else files.get(parent)?.add(item.id);
  }
  const path = ([{ uri }]: readonly [vscode.TestItem, unknown]) => uri?.path ?? '';
  return new Map([...files].toSorted((a, b) => (path(a) < path(b) ? -1 : 1)));
}

type WantedFiles = ReturnType<typeof wantedFiles>;

async function narrowed(
  files: WantedFiles,
  { wants, tests }: CallsRunDeps,
): Promise<readonly (readonly [vscode.TestItem, ReadonlySet<string> | undefined])[]> {
  const all = [...files];
  if (!wants) return all;
  const isWanted = await Promise.all(
    all.map(async ([{ uri }]) => {
      const read = uri && (await tests.read(uri).catch(() => undefined));
      return read?.calls.file !== undefined && wants(uri as vscode.Uri, read.calls.file);
    }),
  );
  return all.filter((_, index) => isWanted[index]);
}

interface FileRun {
  readonly item: vscode.TestItem;
  readonly wanted: ReadonlySet<string> | undefined;
  readonly run: vscode.TestRun;
  readonly signal: AbortSignal;
  readonly request: vscode.TestRunRequest;
}

async function runFile(
  { item, wanted, run, signal, request }: FileRun,
  deps: CallsRunDeps,
): Promise<readonly StepResult[]> {
  const { uri } = item;
  if (!uri) return [];
  const { calls } = await deps.tests.read(uri);
  const itemOf = (step: CallStep) => item.children.get(stepId(uri, step.name));
  const all = Array.from(item.children, ([, child]) => child);
  const isExcluded = (id: string) => request.exclude?.some((one) => one.id === id) ?? false;
  const chosen = all.filter(({ id }) => (wanted?.has(id) ?? true) && !isExcluded(id));
  for (const child of chosen) run.enqueued(child);
  const { file, problems } = calls;
  const ended: StepResult[] = [];
  /** The items of the steps that have not ended: what has been reported stays true whatever comes after it. */
  const left = () => {
    const told = new Set(ended.map(({ step }) => stepId(uri, step.name)));
    return chosen.filter(({ id }) => !told.has(id));
  };
  const fail = (reason: string) => {
    for (const child of left()) run.errored(child, new vscode.TestMessage(plainMessage(reason)));
    return ended;
  };
  const [problem] = problems;
  if (problem || !file) return fail(`${(problem?.range.line ?? 0) + 1}: ${problem?.message ?? ''}`);
  try {
    const options: CallsRunOptions = {
      onOpen: ({ server }) => {
        if (request.profile?.kind === vscode.TestRunProfileKind.Coverage)
          addCoverage(run, uri, file, server.tools.items);
      },
      wanted: (step) => wanted?.has(stepId(uri, step.name)) ?? true,
      excluded: (step) => isExcluded(stepId(uri, step.name)),
      update: false,
      signal,
      onBegin: (step) => {
        const child = itemOf(step);
        if (child) run.started(child);
      },
      onEnd: (result) => {
        ended.push(result);
        const child = itemOf(result.step);
        if (child) show(run, child, result);
      },
    };
    return await runWorkspaceCalls(uri, file, options, deps);
  } catch (error) {
    if (isCancellation(error) || signal.aborted) {
      for (const child of left()) run.skipped(child);
      return ended;
    }
    return fail(errorMessage(error, vscode.l10n.t));
  }
}

function show(run: vscode.TestRun, item: vscode.TestItem, result: StepResult): void {
  const { outcome, failures, warnings, durationMs } = result;
  for (const warning of warnings) run.appendOutput(`${plainMessage(warning)}\r\n`, undefined, item);
  if (outcome === 'passed') return run.passed(item, durationMs);
  const messages = failures.map((failure) => messageOf(failure, item, result.step));
  if (outcome === 'skipped') run.errored(item, messages, durationMs);
  else run.failed(item, messages, durationMs);
}

function messageOf(
  { message, expected, actual }: Failure,
  item: vscode.TestItem,
  step: CallStep,
): vscode.TestMessage {
  const shown =
    expected !== undefined && actual !== undefined
      ? vscode.TestMessage.diff(plainMessage(message), documentText(expected), documentText(actual))
      : new vscode.TestMessage(plainMessage(message));
  if (item.uri) shown.location = new vscode.Location(item.uri, toRange(step.nameRange));
  return shown;
}

function addCoverage(
  run: vscode.TestRun,
  uri: vscode.Uri,
  file: CallsFile,
  tools: readonly Tool[],
): void {
  const uncalled = uncalledTools(file, tools);
  const count = new vscode.TestCoverageCount(tools.length - uncalled.length, tools.length);
  run.addCoverage(new vscode.FileCoverage(uri, count));
  if (uncalled.length > 0)
    run.appendOutput(
      `${vscode.l10n.t('Tools without a step: {0}', plainMessage(listText(uncalled, vscode.l10n.t)))}\r\n`,
    );
}

/** Runs a step again and writes what comes back as its expectation; throws a `UserError` if it cannot be run. */
export async function updateStep(uri: vscode.Uri, name: string, deps: CallsDeps): Promise<void> {
  const { file, problems } = await readCalls(uri);
  const [problem] = problems;
  if (problem || !file) throw new UserError(problem?.message ?? '');
  const wanted = (step: CallStep) => step.name === name;
  const options = { wanted, update: true, signal: neverAborted() };
  const results = await runWorkspaceCalls(uri, file, options, deps);
  const result = results.find(({ step }: StepResult) => step.name === name);
  if (!result?.answer || !result.expect)
    throw new UserError(
      result?.failures[0]?.message ?? vscode.l10n.t('The step {0} no longer exists.', name),
    );
  const { step, answer, expect } = result;
  const { schemas, writer } = deps;
  const tools = { schemas, snapshots: snapshotsBeside(uri, writer), update: false };
  const before = await readCallsText(uri);
  const text = await updateExpectation(before, { step, answer, expect }, tools);
  // A snapshot alone leaves the file as it is.
  if (text !== before) await writer.replaceText(uri, () => text);
}
