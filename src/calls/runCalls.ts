import { UserError, errorMessage } from '../base/errors';
import type { ServerRequestHandlers } from '../mcp/protocol/serverRequests';
import type { Json } from '../mcp/protocol/types';
import { type StepAnswered, valueOfResult } from './expect/answer';
import { type Failure, type JudgeTools, judge, valuesAt } from './expect/judge';
import type { CallStep, CallsFile, CallsServer, Expectation, StepRequest } from './format/calls';
import {
  FillBudget,
  fillExpectation,
  fillRequest,
  fillVariables,
  variablesOf,
} from './format/variables';
import { SavedAnswers } from './savedAnswers';
import { type CallsSession, sendStep } from './session';

/** The steps of a file that a run is about. */
interface StepChoice {
  /** True for the steps to run, which are also the only ones to update; if absent, that is all of them. */
  readonly wanted?: (step: CallStep) => boolean;
  /** True for steps that do not run, even if others need the values that they save. */
  readonly excluded?: (step: CallStep) => boolean;
}

/** Returns the steps of a file that are wanted, and earlier ones whose saved values they need, in order. */
function neededSteps(
  file: CallsFile,
  { wanted = () => true, excluded = () => false }: StepChoice,
): readonly CallStep[] {
  const needed = new Set<string>();
  const steps: CallStep[] = [];
  for (const step of file.steps.toReversed()) {
    if (excluded(step)) continue;
    const saved = Object.keys(step.save);
    if (!wanted(step) && !saved.some((name) => needed.has(name))) continue;
    for (const name of saved) needed.delete(name);
    const { request, expect, answers = {} } = step;
    for (const name of variablesOf([request, expect, answers] as unknown as Json)) needed.add(name);
    steps.unshift(step);
  }
  return steps;
}

/** How one step ended. */
export interface StepResult {
  readonly step: CallStep;
  /** `skipped` means that the request could not be sent because a variable has no value. */
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly failures: readonly Failure[];
  /** What is worth knowing but not a failure, one sentence each. */
  readonly warnings: readonly string[];
  readonly durationMs: number;
  readonly answer?: StepAnswered;
  /** What was expected, with the values of its variables; absent if it was skipped. */
  readonly expect?: Expectation;
}

/** What a run needs, and its callbacks. */
export interface RunOptions extends JudgeTools, StepChoice {
  /**
   * Opens a session with a running server for a run of `steps`, whose questions `requests` answers alone where the file
   * has answers, but for those for roots where it has none; rejects with a `UserError` if there is none.
   */
  readonly open: (
    server: CallsServer,
    steps: readonly CallStep[],
    requests?: ServerRequestHandlers,
  ) => Promise<CallsSession>;
  /** The URL of the folder of the file. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onBegin?: (step: CallStep) => void;
  readonly onEnd?: (result: StepResult) => void;
  /** Returns the milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** Runs the steps of a file one after another; rejects if no session opens, or if `signal` aborts. */
export async function runCalls(
  file: CallsFile,
  options: RunOptions,
): Promise<readonly StepResult[]> {
  const { open, signal, update, wanted = () => true, onBegin, onEnd } = options;
  const variables: Record<string, Json | undefined> = { ...file.variables };
  const steps = neededSteps(file, options);
  const results: StepResult[] = [];
  const hasAnswers = [file, ...file.steps].some(({ answers }) => answers !== undefined);
  const budget = new FillBudget();
  const answers = hasAnswers ? new SavedAnswers(file, options.folder, budget) : undefined;
  let session: CallsSession | undefined;
  try {
    for (const step of steps) {
      signal.throwIfAborted();
      if (!session) {
        answers?.hold();
        session = await open(file.server, steps, answers?.requests);
      }
      onBegin?.(step);
      const tools = { ...options, update: update && wanted(step), answers, budget };
      const result = await runStep(step, session, variables, tools);
      results.push(result);
      onEnd?.(result);
      if (file.session === 'step') {
        await session.end();
        session = undefined;
      }
    }
  } finally {
    await session?.end();
  }
  return results;
}

async function runStep(
  step: CallStep,
  session: CallsSession,
  variables: Record<string, Json | undefined>,
  options: RunOptions & {
    readonly answers: SavedAnswers | undefined;
    readonly budget: FillBudget;
  },
): Promise<StepResult> {
  let request: StepRequest;
  let expect: Expectation;
  try {
    const fill = (value: Json) => fillVariables(value, variables, options.budget);
    request = fillRequest(step.request, fill);
    expect = fillExpectation(step.expect, fill);
    options.answers?.begin(step, fill);
  } catch (error) {
    const failures = [{ message: errorMessage(error) }];
    return { step, outcome: 'skipped', failures, warnings: [], durationMs: 0 };
  }
  let began = options.now();
  const onSend = () => (began = options.now());
  const answered = await sendStep(session, request, { signal: options.signal, onSend });
  const asked = options.answers?.end();
  const answer = { ...answered, ...(asked && { asked: asked.asked }) };
  const durationMs = options.now() - began;
  const failures = [
    ...(await judgeSafely(answer, expect, options)),
    ...(await saveValues(step, answer, variables, options)),
  ];
  const { maxMs = Infinity } = expect;
  const slow = `It took ${Math.round(durationMs)} ms, more than ${maxMs} ms.`;
  const warnings = [...(durationMs > maxMs ? [slow] : []), ...(asked?.warnings ?? [])];
  const outcome = failures.length === 0 ? 'passed' : 'failed';
  return { step, outcome, failures, warnings, durationMs, answer, expect };
}

async function judgeSafely(
  answer: StepAnswered,
  expect: Expectation,
  tools: JudgeTools,
): Promise<readonly Failure[]> {
  try {
    return await judge(answer, expect, tools);
  } catch (error) {
    if (error instanceof UserError) return [{ message: error.message }];
    throw error;
  }
}

async function saveValues(
  { save }: CallStep,
  answer: StepAnswered,
  variables: Record<string, Json | undefined>,
  options: RunOptions,
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const [name, path] of Object.entries(save)) {
    delete variables[name];
    if (answer.kind === 'error') continue;
    try {
      const [value] = await valuesAt(valueOfResult(answer.result), path, options);
      if (value === undefined)
        failures.push({ message: `There is nothing at ${path} to save as "${name}".` });
      else variables[name] = value;
    } catch (error) {
      options.signal.throwIfAborted();
      failures.push({ message: errorMessage(error) });
    }
  }
  return failures;
}
