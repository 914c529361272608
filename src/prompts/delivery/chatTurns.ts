import type { Sentence } from '../../base/translate';
import type { PromptFile, PromptPart } from '../preview/promptParts';

/** A draft in the shape that the editor's own chat agent takes. */
export interface ChatTurns {
  /** Every exchange before the last message. */
  readonly previous: readonly { readonly request: string; readonly response: string }[];
  /** What stands in the input box: the texts of the user since the last answer. */
  readonly query: string;
  readonly files: readonly PromptFile[];
  /** The URIs of linked resources. */
  readonly links: readonly string[];
  /** What cannot be carried. */
  readonly leftOut: readonly Sentence[];
}

/** Sorts messages into exchanges: texts keep their order and role, everything else is attached. */
export function chatTurns(parts: readonly PromptPart[]): ChatTurns {
  const previous: { request: string; response: string }[] = [];
  const files: PromptFile[] = [];
  const links: string[] = [];
  const leftOut: Sentence[] = [];
  let request: string[] = [];
  let response: string[] = [];
  for (const { role, part, file } of parts) {
    if (role === 'user' && response.length > 0) {
      previous.push({ request: join(request), response: join(response) });
      request = [];
      response = [];
    }
    if (file) files.push(file);
    if (part.kind === 'link') links.push(part.uri);
    if (part.kind === 'problem') leftOut.push(part.message);
    if (part.kind === 'text') (role === 'user' ? request : response).push(part.text);
  }
  if (response.length > 0) {
    previous.push({ request: join(request), response: join(response) });
    request = [];
  }
  return { previous, query: join(request), files, links, leftOut };
}

function join(texts: readonly string[]): string {
  return texts.join('\n\n');
}
