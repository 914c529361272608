import { isRecord } from '../../base/json';
import type {
  CallToolResult,
  GetPromptResult,
  ReadResourceResult,
  Tool,
} from '../../mcp/protocol/types';
import { embeddedResource, spokenText } from '../../mcp/protocol/content';

/** What came back for a step. */
export type StepAnswered =
  | {
      readonly kind: 'result';
      /** The result as the server sent it; for a list, its entries. */
      readonly result: unknown;
      /** The tool that was called, as its server defines it. */
      readonly tool?: Tool | undefined;
    }
  /** An error; `code` is absent unless the server answered with a protocol error. */
  | { readonly kind: 'error'; readonly code?: number; readonly message: string };

/** Returns the texts of a result, joined by line breaks. */
export function textOfResult(result: unknown): string {
  if (!isRecord(result)) return '';
  const { content, messages, contents } = result as Partial<
    CallToolResult & GetPromptResult & ReadResourceResult
  >;
  const blocks = content ?? messages?.map((message) => message.content) ?? [];
  const texts = blocks.flatMap((block) => spokenText(block) ?? embeddedResource(block)?.text ?? []);
  const documents = (contents ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]));
  return [...texts, ...documents].join('\n');
}

/**
 * Returns the value that `json`, `paths`, and `save` look at: the structured content, else the text if it is
 * JSON, else the result.
 */
export function valueOfResult(result: unknown): unknown {
  if (!isRecord(result)) return result;
  if (result['structuredContent'] !== undefined) return result['structuredContent'];
  if (!('content' in result) && !('contents' in result)) return result;
  try {
    return JSON.parse(textOfResult(result)) as unknown;
  } catch {
    return result;
  }
}
