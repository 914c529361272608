import type { ModelMessage } from '../../contracts/modelMessages';

/** Returns the latest turns that roughly fit into `maxTokens`, and how many older ones do not. */
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

/** Leaves out the bytes of an image, which do not determine how many tokens it takes. */
function withoutBytes(key: string, value: unknown): unknown {
  return key === 'base64' ? '' : value;
}
