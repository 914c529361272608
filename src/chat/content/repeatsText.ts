import { jsonText } from '../../base/text/jsonText';
import type { ContentBlock } from '../../mcp/protocol/types';
import { canonicalJson } from '../../mcp/serverConfig';

/** Longer texts are not compared. */
const maxLength = 1_000_000;

/** True if the text of a result says all that its structured content says: a model needs it only once. */
export function repeatsText(structured: unknown, content: readonly ContentBlock[]): boolean {
  const texts = content.flatMap((block) => (block.type === 'text' ? block.text : []));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (texts.length === 0 || Math.max(length, jsonText(structured).length) > maxLength) return false;
  const inner = unwrapped(structured);
  if (texts.length === 1 && texts[0] === inner) return true;
  const wanted = [structured, inner].map((value) => canonicalOf(jsonText(value)));
  // A list is often sent as one text per item.
  return [...texts, `[${texts.join()}]`].some((text) => {
    const said = canonicalOf(text);
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
