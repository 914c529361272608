import * as vscode from 'vscode';
import type { Json } from '../../mcp/protocol/types';
import { chatLine, escapeMarkdown, type ChatPiece } from '../../base/text/markdown';
import { plainLabel, wordsLabel } from '../../base/text/text';

type Stream = Pick<vscode.ChatResponseStream, 'markdown' | 'anchor' | 'progress'>;

/** Adds a line to an answer of the chat, as a paragraph of its own in which no markup works, whoever wrote it. */
export function sayLine(stream: Pick<Stream, 'markdown'>, ...pieces: readonly ChatPiece[]): void {
  stream.markdown(`${chatLine(pieces)}\n\n`);
}

/** Passes on what a model says: its own Markdown, in which the editor runs no commands. */
export function sayForModel(stream: Pick<Stream, 'markdown'>, text: string): void {
  stream.markdown(text);
}

/** Ends the paragraph. */
export function sayBreak(stream: Pick<Stream, 'markdown'>): void {
  stream.markdown('\n\n');
}

/** Adds a link that runs one of our commands and nothing else. */
export function sayLink(
  stream: Pick<Stream, 'markdown'>,
  title: string,
  command: string,
  ...args: readonly Json[]
): void {
  // A parenthesis would end the link.
  const query = encodeURIComponent(JSON.stringify(args)).replaceAll(/[()]/g, (sign) =>
    sign === '(' ? '%28' : '%29',
  );
  const link = new vscode.MarkdownString(`[${chatLine([title])}](command:${command}?${query})\n\n`);
  link.isTrusted = { enabledCommands: [command] };
  stream.markdown(link);
}

/** Adds a reference to a file that can be opened. */
export function sayFile(stream: Pick<Stream, 'anchor'>, uri: vscode.Uri, title: string): void {
  stream.anchor(uri, plainLabel(title, 80));
}

/** Reports how far something has come, which the editor takes for Markdown. */
export function sayProgress(stream: Pick<Stream, 'progress'>, text: string): void {
  stream.progress(escapeMarkdown(wordsLabel(text)));
}

/**
 * Returns how an answer ends that has failed. The editor takes that for Markdown, too, but reads it out as it is, so that
 * only what would be more than text is escaped.
 */
export function failedAnswer(text: string): Required<Pick<vscode.ChatResult, 'errorDetails'>> {
  const line = wordsLabel(text, 1000);
  const message = line
    .replaceAll('&', '&amp;')
    .replaceAll(/^[#>+-]|[\\`*_~<[\]]/g, String.raw`\$&`);
  return { errorDetails: { message } };
}

/** Returns a sentence of our own as Markdown, for when the editor wants that. */
export function plainMarkdown(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(chatLine([text]));
}
