import { errorMessage, UserError } from '../../base/errors';
import type { Json, JsonObject } from '../../mcp/protocol/types';
import type { StepAnswered } from '../expect/answer';
import { valueOfResult } from '../expect/answer';
import { judge, type Failure, type JudgeTools } from '../expect/judge';
import { queryPath } from '../expect/jsonPath';
import type { CallsFile, CallsServer, Expectation, CallStep, StepRequest } from '../format/calls';
import { fillExpectation, fillRequest } from '../format/fillStep';
import { fillVariables } from '../format/variables';
import { neededSteps } from './neededSteps';
import { sendStep, type CallsSession } from './session';

/** How one step ended. */
export interface StepResult {
  readonly step: CallStep;
  /** `skipped` is one that could not be asked, because a value of an earlier one is missing. */
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly failures: readonly Failure[];
  /** A sentence each, for what is worth knowing and no failure. */
  readonly warnings: readonly string[];
  readonly durationMs: number;
  readonly answer?: StepAnswered;
}

/** What a run works with, and who hears of it. */
export interface RunOptions extends JudgeTools {
  /** Opens a session with a server that runs, for a run of `steps`; rejects with a `UserError` where there is none. */
  readonly open: (server: CallsServer, steps: readonly CallStep[]) => Promise<CallsSession>;
  readonly signal: AbortSignal;
  /** The steps to run, and the only ones to `update`; all where it is absent. */
  readonly wanted?: (step: CallStep) => boolean;
  /** In place of variables of the file. */
  readonly variables?: JsonObject;
  readonly onBegin?: (step: CallStep) => void;
  readonly onEnd?: (result: StepResult) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** Runs the steps of a file one after another. Rejects where no session opens, and where `signal` aborts. */
export async function runCalls(
  file: CallsFile,
  options: RunOptions,
): Promise<readonly StepResult[]> {
  const { open, signal, update, wanted = () => true, onBegin, onEnd } = options;
  const variables: Record<string, Json | undefined> = { ...file.variables, ...options.variables };
  const steps = neededSteps(file, wanted);
  const results: StepResult[] = [];
  let session: CallsSession | undefined;
  try {
    for (const step of steps) {
      signal.throwIfAborted();
      session ??= await open(file.server, steps);
      onBegin?.(step);
      const tools = { ...options, update: update && wanted(step) };
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
  options: RunOptions,
): Promise<StepResult> {
  let request: StepRequest;
  let expect: Expectation;
  try {
    const fill = (value: Json) => fillVariables(value, variables);
    request = fillRequest(step.request, fill);
    expect = fillExpectation(step.expect, fill);
  } catch (error) {
    const failures = [{ message: errorMessage(error) }];
    return { step, outcome: 'skipped', failures, warnings: [], durationMs: 0 };
  }
  const began = options.now();
  const answer = await sendStep(session, request, options.signal);
  const durationMs = options.now() - began;
  const failures = [
    ...(await judgeSafely(answer, expect, options)),
    ...(await saveValues(step, answer, variables)),
  ];
  const { maxMs = Infinity } = expect;
  const warnings =
    durationMs > maxMs ? [`It took ${Math.round(durationMs)} ms, more than ${maxMs} ms.`] : [];
  const outcome = failures.length === 0 ? 'passed' : 'failed';
  return { step, outcome, failures, warnings, durationMs, answer };
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
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const [name, path] of Object.entries(save)) {
    delete variables[name];
    if (answer.kind === 'error') continue;
    try {
      const [value] = await queryPath(valueOfResult(answer.result), path);
      if (value === undefined)
        failures.push({ message: `There is nothing at ${path} to save as "${name}".` });
      else variables[name] = value;
    } catch (error) {
      failures.push({ message: errorMessage(error) });
    }
  }
  return failures;
}
