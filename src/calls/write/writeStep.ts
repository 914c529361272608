import { applyEdits, modify } from 'jsonc-parser';
import { UserError } from '../../base/errors';
import type { JsonObject } from '../../mcp/protocol/types';
import { canonicalJson } from '../../mcp/serverConfig';
import type { StepAnswered } from '../expect/answer';
import { expectationOf } from './expectation';
import type { CallStep } from '../format/calls';
import { parseCalls } from '../format/parseCalls';
import { escapeVariables } from '../format/variables';
import { withoutSecrets } from './openValues';

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** A call to save, with what came back. */
export interface SavedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Absent if only the call is known. */
  readonly answer?: StepAnswered;
}

/** Returns the text of a file for a server, without steps. */
export function newCallsFile(server: string): string {
  return `${JSON.stringify({ from: server, steps: [] }, undefined, 2)}\n`;
}

/** Returns the text of a file with one more step, which expects what came back, if that is known. */
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

/**
 * Returns the text of a file in which a step that ran expects what came back; its `maxMs` and `snapshot`
 * stay. Throws a `UserError` if the step is gone from the text, or is not the same as when it ran.
 */
export function updateExpectation(text: string, ran: CallStep, answer: StepAnswered): string {
  const step = parseCalls(text).steps.find(({ name }) => name === ran.name);
  if (!step) throw new UserError((t) => t('The step {0} no longer exists.', ran.name));
  if (canonicalJson(writtenOf(step)) !== canonicalJson(writtenOf(ran)))
    throw new UserError((t) =>
      t('The step {0} was changed while it ran. Update it again.', ran.name),
    );
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

/**
 * Returns what a step says, regardless of its position: a step without a name may have been moved and now
 * have the generated name that another one had.
 */
function writtenOf({ request, expect, save }: CallStep): unknown {
  return { request, expect, save };
}
