import type * as vscode from 'vscode';
import { seenAddress } from '../../base/text/address';
import { formatBytes, plainLabel } from '../../base/text/text';
import { type LocalizableMessage, inEnglish } from '../../base/translate';
import type { PromptDraft } from '../../contracts/promptDraft';
import { displayName } from '../../mcp/protocol/types';
import type { Permit } from '../../ui/keyboard';
import type { FollowedText } from '../../ui/sources/followedText';
import { type PromptFile, type PromptPart, isImageName } from '../preview/promptParts';
import type { DeliveryTarget } from './targets';
import { utf8 } from '../../base/bytes';

/** At most this many characters of a prompt's texts go into one message; texts that do not fit are attached. */
export const maxFoldedLength = 200_000;

/** A prompt as a single message, for a chat that accepts nothing else. */
interface FoldedMessage {
  readonly text: string;
  /** The attachments: everything that is not text, and texts that are too long. */
  readonly files: readonly PromptFile[];
  /** One sentence for each part that cannot be included. */
  readonly leftOut: readonly LocalizableMessage[];
}

/**
 * Folds all messages into one, each below a line with its number and role that no text can imitate. Unless the chat
 * takes images (`takesImages`), they are only named.
 */
export function foldMessages(
  draft: Pick<PromptDraft, 'prompt' | 'server'>,
  parts: readonly PromptPart[],
  takesImages: boolean,
): FoldedMessage {
  const files: PromptFile[] = [];
  let room = maxFoldedLength;
  const attached = (file: PromptFile, what: string) => {
    if (!takesImages && isImageName(file.name)) return `[Not included: ${what}]`;
    files.push(file);
    return `[Attached as ${file.name}: ${what}]`;
  };
  const bodyOf = ({ part, file, number }: PromptPart): string => {
    switch (part.kind) {
      case 'text':
      case 'document': {
        const uri = part.kind === 'document' ? plainLabel(part.uri, 1000) : '';
        if (part.text.length > room) {
          const long = file ?? { name: `message-${number}.txt`, content: part.text };
          return attached(long, `${uri || 'text'}, ${formatBytes(utf8(part.text).length)}`);
        }
        room -= part.text.length;
        return part.kind === 'text' ? part.text : `Resource ${uri}:\n${fenced(part.text)}`;
      }
      case 'link':
        return `[Link to the resource ${plainLabel(part.uri, 1000)} (${plainLabel(part.name)}) of the server "${plainLabel(draft.server.name)}"]`;
      case 'binary': {
        const what = `${plainLabel(part.uri ?? part.media, 1000)}, ${plainLabel(part.mimeType)}, ${formatBytes(part.bytes.length)}`;
        return file ? attached(file, what) : `[Not included: ${what}]`;
      }
      case 'problem':
        return `[Not included: ${plainLabel(part.message(inEnglish), 1000)}]`;
    }
  };
  const bodies = parts.map(bodyOf);
  const source = `The prompt "${plainLabel(displayName(draft.prompt))}" of the MCP server "${plainLabel(draft.server.name)}"`;
  // The message begins with our own words: one that begins with / or @ would be a chat command.
  const text =
    parts.length === 1 && parts[0]?.role === 'user'
      ? `${source}:\n\n${bodies.join('')}`
      : marked(source, parts, bodies);
  const leftOut = parts.flatMap(({ part }) => (part.kind === 'problem' ? [part.message] : []));
  return { text, files, leftOut };
}

function marked(source: string, parts: readonly PromptPart[], bodies: readonly string[]): string {
  const longest = Math.max(2, ...bodies.flatMap((body) => runsOf(body)));
  const rule = '='.repeat(longest + 1);
  const sections = parts.map(({ role }, at) => `${rule} ${at + 1} ${role}\n${bodies[at] ?? ''}`);
  const intro = `${source}, its ${parts.length} messages in one, each below a line of ${rule} with its number and role:`;
  return [intro, ...sections].join('\n\n');
}

/** Returns the lengths of the runs of equals signs that lines begin with. */
function runsOf(text: string): readonly number[] {
  return (text.match(/(?<=^|[\r\n\u2028\u2029])[^\S\r\n\u2028\u2029]*=+/g) ?? []).map(
    (run) => run.trimStart().length,
  );
}

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
  /** Lets the chat or a dialog be opened; what opens in an editor is shown beside the work of a user who is away. */
  readonly permit: Permit;
  /** Called with the target that the user chose instead if the chat did not take the messages, once it is done. */
  readonly redirected: (target: DeliveryTarget) => Promise<void>;
}

/**
 * Returns the messages as text for an editor or the clipboard: a single text exactly as its part has it, several
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
      return `${seenAddress(part.uri)}\n${fenced(part.text)}`;
    case 'link':
      return seenAddress(part.uri);
    case 'binary': {
      const what = seenAddress(part.uri ?? part.media);
      return `[${what}: ${plainLabel(part.mimeType)}, ${formatBytes(part.bytes.length)}]`;
    }
    case 'problem':
      return `[${plainLabel(part.message(inEnglish), 1000)}]`;
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
