import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { Root } from '../mcp/protocol/types';
import { rootProblem } from './rootChoices';

/** Asks for a root beside the workspace folders: a folder of this machine, or an address. */
export async function askRoot(): Promise<Root | undefined> {
  const choice = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t('Folder…'), ask: askFolder },
      { label: vscode.l10n.t('Address…'), description: 'https:', ask: askAddress },
    ],
    { title: vscode.l10n.t('Add Root') },
  );
  return choice?.ask();
}

async function askFolder(): Promise<Root | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Add Root'),
      openLabel: vscode.l10n.t('Add Root'),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (!folder) return undefined;
  const uri = folder.scheme === 'file' ? pathToFileURL(folder.fsPath).href : folder.toString();
  return { uri, name: folder.path.slice(folder.path.lastIndexOf('/') + 1) };
}

async function askAddress(): Promise<Root | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Root'),
    prompt: vscode.l10n.t('The address of a place that servers may work in'),
    placeHolder: 'https://example.com/repository',
    validateInput: (value) => {
      const problem = rootProblem(value.trim());
      if (problem === 'scheme')
        return vscode.l10n.t('Only addresses that begin with https:, http: or file: can be roots.');
      return problem && vscode.l10n.t('This is no complete address.');
    },
  });
  const uri = typed?.trim();
  return uri ? { uri, name: new URL(uri).hostname || uri } : undefined;
}
