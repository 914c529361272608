import * as vscode from 'vscode';
import { sanitize } from '../../base/text/fileName';
import type { PromptDraft } from '../../contracts/promptDraft';
import { displayName } from '../../mcp/protocol/types';
import { fileExists } from '../../ui/documents/fileExists';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import { asMarkdown, markdownFiles } from './draftText';
import type { PromptFile, PromptPart } from '../preview/promptParts';

/** Saves the messages as a Markdown file of the user's choice, with binary files beside it; false if they dismissed the dialog. */
export async function saveMarkdown(
  draft: PromptDraft,
  parts: readonly PromptPart[],
  writer: WorkspaceWriter,
): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${sanitize(displayName(draft.prompt))}.md`;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save as Markdown'),
    filters: { Markdown: ['md'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (!target) return false;
  await writer.check(target);
  const directory = vscode.Uri.joinPath(target, '..');
  const saved = new Map<PromptFile, string>();
  for (const file of markdownFiles(parts)) {
    // A file written beside the chosen one must not be hidden from the user.
    const uri = await freeName(directory, sanitize(file.name).replace(/^\.+/, ''));
    await writer.write(uri, file.content);
    saved.set(file, uri.path.slice(uri.path.lastIndexOf('/') + 1));
  }
  const renamed = parts.map((part) => {
    const given = part.file && saved.get(part.file);
    return part.file && given !== undefined
      ? { ...part, file: { ...part.file, name: given } }
      : part;
  });
  await writer.write(target, asMarkdown(draft, renamed));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(target));
  return true;
}

/** Returns the URI of the name in the directory, with a number added if the name is taken. */
async function freeName(directory: vscode.Uri, name: string): Promise<vscode.Uri> {
  const dot = name.includes('.') ? name.lastIndexOf('.') : name.length;
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? name : `${name.slice(0, dot)}-${n}${name.slice(dot)}`;
    const uri = vscode.Uri.joinPath(directory, candidate);
    if (!(await fileExists(uri))) return uri;
  }
}
