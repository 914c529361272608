import { utf8 } from '../../base/bytes/bytes';
import { formatBytes, plainLabel } from '../../base/text/text';
import { inEnglish, type LocalizableMessage } from '../../base/translate';
import type { PromptDraft } from '../../contracts/promptDraft';
import { displayName } from '../../mcp/protocol/types';
import { isImageName, type PromptFile, type PromptPart } from '../preview/promptParts';
import { fenced } from './draftText';

/** At most this many characters of a prompt's texts go into one message; texts that do not fit are attached. */
export const maxFoldedLength = 200_000;

/** A prompt as a single message, for a chat that accepts nothing else. */
export interface FoldedMessage {
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
  return (text.match(/(?<=^|[\r\n\u2028\u2029])[^\S\r\n]*=+/g) ?? []).map(
    (run) => run.trimStart().length,
  );
}
