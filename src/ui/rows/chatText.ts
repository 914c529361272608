import * as vscode from 'vscode';
import { chatLine, type ChatPiece } from '../../base/text/markdown';
import { plainLabel } from '../../base/text/text';

type Stream = Pick<vscode.ChatResponseStream, 'markdown' | 'anchor' | 'progress'>;

/** Says a line in an answer of the chat, a paragraph of its own, in which nothing works whoever wrote it. */
export function sayLine(stream: Pick<Stream, 'markdown'>, ...pieces: readonly ChatPiece[]): void {
  stream.markdown(`${chatLine(pieces)}\n\n`);
}

/** Passes on what a model says: Markdown of its own, in which the editor runs no command. */
export function sayForModel(stream: Pick<Stream, 'markdown'>, text: string): void {
  stream.markdown(text);
}

/** Ends the paragraph. */
export function sayBreak(stream: Pick<Stream, 'markdown'>): void {
  stream.markdown('\n\n');
}

/** Says a link that runs one of our commands and nothing else. */
export function sayLink(
  stream: Pick<Stream, 'markdown'>,
  title: string,
  command: string,
  ...args: readonly string[]
): void {
  const query = encodeURIComponent(JSON.stringify(args));
  const link = new vscode.MarkdownString(`[${chatLine([title])}](command:${command}?${query})\n\n`);
  link.isTrusted = { enabledCommands: [command] };
  stream.markdown(link);
}

/** Names a file that can be opened. */
export function sayFile(stream: Pick<Stream, 'anchor'>, uri: vscode.Uri, title: string): void {
  stream.anchor(uri, plainLabel(title, 80));
}

/** Says how far something has come. */
export function sayProgress(stream: Pick<Stream, 'progress'>, text: string): void {
  stream.progress(plainLabel(text));
}

/** A sentence of our own where the editor wants Markdown. */
export function plainMarkdown(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(chatLine([text]));
}
