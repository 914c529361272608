import type { Sentence } from '../../base/translate';
import type { PromptFile, PromptPart } from '../preview/promptParts';

/** A draft in the form that the editor's own chat agent accepts. */
export interface ChatTurns {
  /** The completed exchanges, each a request with its response. */
  readonly previous: readonly { readonly request: string; readonly response: string }[];
  /** The text for the input box: the user's texts since the last answer. */
  readonly query: string;
  readonly files: readonly PromptFile[];
  /** The URIs of linked resources. */
  readonly links: readonly string[];
  /** One sentence for each part that cannot be included. */
  readonly leftOut: readonly Sentence[];
}

/** Groups messages into exchanges: texts keep their order and role, and everything else is attached. */
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
