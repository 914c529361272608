import type { ModelMessage } from '../../contracts/modelMessages';

/** The latest turns that fit into `maxTokens`, roughly, and how many older ones do not. */
export function fitTurns(
  turns: readonly (readonly ModelMessage[])[],
  maxTokens: number,
): { readonly messages: readonly ModelMessage[]; readonly dropped: number } {
  let left = maxTokens;
  let first = turns.length;
  while (first > 0) {
    left -= Math.ceil(JSON.stringify(turns[first - 1], withoutBytes).length / 4);
    if (left < 0) break;
    first -= 1;
  }
  return { messages: turns.slice(first).flat(), dropped: first };
}

/** What an image takes does not go by its bytes. */
function withoutBytes(key: string, value: unknown): unknown {
  return key === 'base64' ? '' : value;
}
