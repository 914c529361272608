import { inEnglish, type Sentence } from '../../base/translate';
import { jsonText } from '../../base/text/jsonText';
import { toParts } from '../../mcp/protocol/content';
import type { CallToolResult } from '../../mcp/protocol/types';
import type { ToolOutcome } from '../../contracts/toolCalls';
import {
  toModelContentParts,
  type ContentPart,
  type ModelContent,
} from '../../contracts/modelMessages';
import { repeatsText } from './repeatsText';

const withdrawals = {
  cancelled: 'it was cancelled',
  serverStopped: 'its server stopped',
  windowClosed: 'the window was closed',
  deadline: 'it was not answered in time',
  paused: 'its server asked too much at once',
} as const;

/** Returns what the model is told about a call that it asked for. */
export function outcomeContent(outcome: ToolOutcome): ModelContent {
  switch (outcome.kind) {
    case 'result':
      return resultContent(outcome.result, outcome.problems);
    case 'denied':
      return words(
        `The call was denied by ${outcome.decidedBy.kind === 'user' ? 'the user' : 'a rule'}.` +
          (outcome.reason ? ` The reason given: ${outcome.reason}` : ''),
      );
    case 'withdrawn':
      return words(
        `The call was withdrawn: ${withdrawals[outcome.because]}. Nothing was sent, and the user did not decide.`,
      );
    case 'failed':
      return words(`The call failed: ${outcome.message(inEnglish)}`);
    case 'cancelled':
      return words('The call was cancelled.');
    case 'background':
      return words('The call runs on in the background; its result is not there yet.');
  }
}

function resultContent(result: CallToolResult, problems: readonly Sentence[]): ModelContent {
  const { parts, leftOut } = toModelContentParts(toParts(result.content));
  const structured = result.structuredContent;
  return {
    parts: [
      ...(result.isError ? [text('The tool reported an error:')] : []),
      ...parts,
      ...(structured === undefined || repeatsText(structured, result.content)
        ? []
        : [text(`Structured content: ${jsonText(structured)}`)]),
      ...problems.map((problem) => text(`Note: ${problem(inEnglish)}`)),
    ],
    leftOut,
  };
}

function words(sentence: string): ModelContent {
  return { parts: [text(sentence)], leftOut: [] };
}

function text(value: string): ContentPart {
  return { kind: 'text', text: value };
}
