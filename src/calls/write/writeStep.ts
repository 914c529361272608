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

/**
 * The text of a file in which a step that ran expects what came back; what it says of time and of a snapshot
 * stays. Throws a `UserError` where the text has it no longer as it ran.
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

/** What a step says, wherever it stands: one without a name is called as another was before, once that stands below it. */
function writtenOf({ request, expect, save }: CallStep): unknown {
  return { request, expect, save };
}
