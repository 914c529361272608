import type * as vscode from 'vscode';
import { formatBytes } from '../../base/text/text';
import { inEnglish } from '../../base/translate';
import type { PromptDraft } from '../../contracts/promptDraft';
import { displayName } from '../../mcp/protocol/types';
import type { Leave } from '../../ui/keyboard';
import type { FollowedText } from '../../ui/sources/followedText';
import type { PromptPart } from '../preview/promptParts';
import type { PromptAction } from '../promptAction';

/** The messages that a prompt returned, and what is needed to deliver them. */
export interface Delivery {
  readonly draft: PromptDraft;
  readonly parts: readonly PromptPart[];
  /** The editor that was active when the prompt was run. */
  readonly editor: vscode.TextEditor | undefined;
  /** The cursors that this editor had then. */
  readonly cursors: readonly FollowedText[];
  /** True if the user has turned to something else since then; the keyboard focus stays there. */
  readonly isAway: boolean;
  /** Leave to open the chat or a dialog; what opens in an editor is shown beside the work of a user who is away. */
  readonly leave: Leave;
  /** Called with the action that the user chose instead if the chat did not take the messages, once it is done. */
  readonly redirected: (action: PromptAction) => Promise<void>;
}

/**
 * Returns the messages as text for an editor or the clipboard: a single text exactly as the server sent it, several
 * below the names of their roles if these differ. Binary and unreadable content is named in brackets.
 */
export function asText(parts: readonly PromptPart[]): string {
  const oneRole = new Set(parts.map(({ role }) => role)).size <= 1;
  return parts
    .map((part) => {
      const text = partText(part);
      return oneRole ? text : `${roleNames[part.role]}:\n${text}`;
    })
    .join('\n\n');
}

/** Returns the messages as a Markdown document, which refers to the files of `parts` beside it by their names. */
export function asMarkdown(draft: PromptDraft, parts: readonly PromptPart[]): string {
  const sections = [`# ${oneLine(displayName(draft.prompt))}`];
  if (draft.description) sections.push(draft.description);
  for (const part of parts) sections.push(`## ${roleNames[part.role]}`, markdown(part));
  return `${sections.join('\n\n')}\n`;
}

/** Returns the files that {@link asMarkdown} refers to: everything that is not text. */
export function markdownFiles(parts: readonly PromptPart[]) {
  return parts.flatMap(({ part, file }) => (part.kind === 'binary' && file ? [file] : []));
}

const roleNames = { user: 'User', assistant: 'Assistant' } as const;

function partText({ part }: PromptPart): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'document':
      return `${part.uri}\n${fenced(part.text)}`;
    case 'link':
      return part.uri;
    case 'binary': {
      const what = part.uri ?? part.media;
      return `[${what}: ${part.mimeType}, ${formatBytes(part.bytes.length)}]`;
    }
    case 'problem':
      return `[${part.message(inEnglish)}]`;
  }
}

function markdown(part: PromptPart): string {
  const { part: content, file } = part;
  if (content.kind === 'binary' && file) {
    const link = `[${file.name}](<${file.name}>)`;
    return content.media === 'image' ? `!${link}` : link;
  }
  return partText(part);
}

/** Wraps a text in a code block whose fence is longer than any in the text. */
export function fenced(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
