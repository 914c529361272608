import { type LocalizableMessage, inEnglish } from '../../base/translate';
import { jsonText } from '../../base/text/jsonText';
import { spokenText, toParts } from '../../mcp/protocol/content';
import type { CallToolResult, ContentBlock } from '../../mcp/protocol/types';
import type { ToolOutcome } from '../../contracts/toolCalls';
import {
  type ModelContent,
  toModelContentParts,
} from '../../contracts/modelMessages';
import { canonicalJson } from '../../base/json';
import { outcomeWords } from '../../offer/outcomeWords';
import { textPart } from './untrusted';

/** Longer texts are not compared. */
const maxLength = 1_000_000;

/** True if the text of a result says all that its structured content says: a model needs it only once. */
export function repeatsText(structured: unknown, content: readonly ContentBlock[]): boolean {
  const texts = content.flatMap((block) => spokenText(block) ?? []);
  const length = texts.reduce((sum, one) => sum + one.length, 0);
  if (texts.length === 0 || Math.max(length, jsonText(structured).length) > maxLength) return false;
  const inner = unwrapped(structured);
  if (texts.length === 1 && texts[0] === inner) return true;
  const wanted = [structured, inner].map((value) => canonicalOf(jsonText(value)));
  // A list is often sent as one text per item.
  return [...texts, `[${texts.join()}]`].some((one) => {
    const said = canonicalOf(one);
    return said !== undefined && wanted.includes(said);
  });
}

/** Returns the value in `{ "result": … }`, in which servers wrap anything that is not an object. */
function unwrapped(structured: unknown): unknown {
  const [[name, value] = [], ...others] = Object.entries(Object(structured) as object);
  return others.length === 0 && name === 'result' ? value : structured;
}

function canonicalOf(json: string): string | undefined {
  try {
    return canonicalJson(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Returns what the model is told about a call that it asked for. */
export function outcomeContent(outcome: ToolOutcome): ModelContent {
  return outcome.kind === 'result'
    ? resultContent(outcome.result, outcome.problems)
    : { parts: [textPart(outcomeWords(outcome))], leftOut: [] };
}

function resultContent(
  result: CallToolResult,
  problems: readonly LocalizableMessage[],
): ModelContent {
  const { parts, leftOut } = toModelContentParts(toParts(result.content));
  const structured = result.structuredContent;
  return {
    parts: [
      ...(result.isError ? [textPart('The tool reported an error:')] : []),
      ...parts,
      ...(structured === undefined || repeatsText(structured, result.content)
        ? []
        : [textPart(`Structured content: ${jsonText(structured)}`)]),
      ...problems.map((problem) => textPart(`Note: ${problem(inEnglish)}`)),
    ],
    leftOut,
  };
}
