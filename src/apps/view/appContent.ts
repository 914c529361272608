import { isRecord, type JsonRecord } from '../../base/json';
import { jsonText } from '../../base/text/jsonText';
import { truncate } from '../../base/text/text';
import { readContentBlock } from '../../mcp/protocol/results';
import { spokenText } from '../../mcp/protocol/content';

/** The longest text that an app may put into the chat, in UTF-16 units; more is cut. */
export const maxContextLength = 50_000;

/** Returns the text of a `ui/message`; `undefined` if it has no text, or anything other than text. */
export function readMessage({ content }: JsonRecord): string | undefined {
  const blocks = blocksOf(content).map((block) => readContentBlock(block));
  const texts = blocks.flatMap((block) => spokenText(block) ?? []);
  if (texts.length === 0 || texts.length < blocks.length) return undefined;
  return truncate(texts.join('\n\n'), maxContextLength);
}

/** Returns what an app wants models to know as one text, with the type of anything that is not text. */
export function readContext({ content, structuredContent }: JsonRecord): string {
  const texts = blocksOf(content).map((value) => {
    const block = readContentBlock(value);
    return spokenText(block) ?? `[${block.type}]`;
  });
  if (isRecord(structuredContent)) texts.push(jsonText(structuredContent, 2));
  return truncate(texts.join('\n\n'), maxContextLength);
}

function blocksOf(content: unknown): readonly unknown[] {
  // The first revision had a single block instead of a list.
  return Array.isArray(content) ? content : isRecord(content) ? [content] : [];
}
