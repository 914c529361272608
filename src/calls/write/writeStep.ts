import { applyEdits, modify } from 'jsonc-parser';
import type { JsonObject } from '../../mcp/protocol/types';
import type { StepAnswered } from '../expect/answer';
import { expectationOf } from './expectation';
import type { CallStep } from '../format/calls';
import { parseCalls } from '../format/parseCalls';
import { escapeVariables } from '../format/variables';
import { withoutSecrets } from './openValues';

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** A call with what came back, to be kept. */
export interface SavedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Absent where only the call is known. */
  readonly answer?: StepAnswered;
}

/** A file without steps for a server. */
export function newCallsFile(server: string): string {
  return `${JSON.stringify({ from: server, steps: [] }, undefined, 2)}\n`;
}

/** The text of a file with one more step, whose expectation is what came back. */
export function addStep(text: string, { tool, arguments: args, answer }: SavedCall): string {
  const request = { kind: 'call', name: tool, arguments: args } as const;
  const names = new Set(parseCalls(text).steps.map(({ name }) => name));
  let name = tool;
  for (let count = 2; names.has(name); count += 1) name = `${tool} (${count})`;
  const step = {
    name,
    call: escapeVariables(tool),
    arguments: withoutSecrets(args),
    ...(answer && { expect: expectationOf(request, answer) }),
  };
  return applyEdits(
    text,
    modify(text, ['steps', -1], step, { formattingOptions, isArrayInsertion: true }),
  );
}

/** The text of a file in which a step expects what came back; what it says of time and of a snapshot stays. */
export function updateExpectation(text: string, step: CallStep, answer: StepAnswered): string {
  const { maxMs, snapshot } = step.expect;
  const expect = {
    ...expectationOf(step.request, answer),
    ...(snapshot !== undefined && { snapshot }),
    ...(maxMs !== undefined && { maxMs }),
  };
  return applyEdits(
    text,
    modify(text, ['steps', step.index, 'expect'], expect, { formattingOptions }),
  );
}
