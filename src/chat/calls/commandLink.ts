import * as vscode from 'vscode';

/** A link that runs one command of ours and nothing else; `title` must be a text of ours, too. */
export function commandLink(
  title: string,
  command: string,
  ...args: readonly string[]
): vscode.MarkdownString {
  const query = encodeURIComponent(JSON.stringify(args));
  const link = new vscode.MarkdownString(`[${title}](command:${command}?${query})\n\n`);
  link.isTrusted = { enabledCommands: [command] };
  return link;
}
