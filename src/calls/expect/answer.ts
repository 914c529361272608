import { isRecord } from '../../base/json';
import type {
  CallToolResult,
  GetPromptResult,
  ReadResourceResult,
  Tool,
} from '../../mcp/protocol/types';

/** What came back for a step. */
export type StepAnswered =
  | {
      readonly kind: 'result';
      /** The result as the server gave it, and of a list its entries. */
      readonly result: unknown;
      /** The tool that was called, as its server defines it. */
      readonly tool?: Tool | undefined;
    }
  /** An error of the protocol; `code` is absent where the request did not get that far. */
  | { readonly kind: 'error'; readonly code?: number; readonly message: string };

/** The texts of a result, one under the other. */
export function textOfResult(result: unknown): string {
  if (!isRecord(result)) return '';
  const { content, messages, contents } = result as Partial<
    CallToolResult & GetPromptResult & ReadResourceResult
  >;
  const blocks = content ?? messages?.map((message) => message.content) ?? [];
  const texts = blocks.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    return block.type === 'resource' && block.resource.text !== undefined
      ? [block.resource.text]
      : [];
  });
  const documents = (contents ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]));
  return [...texts, ...documents].join('\n');
}

/** What `json`, `paths` and `save` look at: structured content, else a text that is JSON, else the result. */
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
