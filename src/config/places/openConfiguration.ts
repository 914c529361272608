import * as vscode from 'vscode';
import { Setting } from '../../ui/ids';
import { runWithKeyboard, showText } from '../../ui/keyboard';
import { readFileText } from '../fileText';
import { findServers, serverPaths } from './mcpJson';
import type { ConfigLayer } from '../configLayer';
import type { TextRange } from '../../base/text/jsonc';
import type { UserAction } from '../../ui/questions/question';

/**
 * Opens the place that `layer` comes from, at the current position of `serverName` or else at `fallback`; resolves
 * to false if no editor opened.
 */
export async function openConfiguration(
  action: UserAction,
  layer: ConfigLayer,
  serverName: string | undefined,
  fallback?: TextRange,
): Promise<boolean> {
  const editor = await openPlace(action, layer);
  if (!editor) return false;
  const found = findServers(editor.document.getText(), serverPaths(layer)).find(
    ({ name }) => name === serverName,
  )?.range;
  const range = found ?? fallback;
  if (!range) return true;
  const start = new vscode.Position(range.line, range.character);
  const end = new vscode.Position(range.endLine, range.endCharacter);
  editor.selection = new vscode.Selection(start, end);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return true;
}

async function openPlace(
  action: UserAction,
  layer: ConfigLayer,
): Promise<vscode.TextEditor | undefined> {
  const file = settingsFile(layer);
  if (file) return showText(file, action);
  // Extensions cannot know the address of the user's settings file.
  await runWithKeyboard(action, 'workbench.action.openSettingsJson', {
    revealSetting: { key: Setting.servers },
  });
  return vscode.window.activeTextEditor;
}

/** Returns the file that a layer comes from; `undefined` for the user's settings. */
export function settingsFile({
  scope,
  uri,
  folder,
}: Pick<ConfigLayer, 'scope' | 'uri' | 'folder'>): vscode.Uri | undefined {
  if (uri !== undefined) return vscode.Uri.parse(uri);
  if (scope === 'user') return undefined;
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  if (scope === 'workspace' && workspaceFile) return workspaceFile;
  const root = folder ? vscode.Uri.parse(folder.uri) : workspaceFolders?.[0]?.uri;
  return root && vscode.Uri.joinPath(root, '.vscode/settings.json');
}

/** Reads the text of the place that a layer comes from, its file if possible: the window's settings lack those of a folder that was closed. */
export async function configurationText(layer: ConfigLayer): Promise<string> {
  const file = settingsFile(layer);
  // An unsaved workspace has a URI, but no file that could be read.
  if (file && file.scheme !== 'untitled') return (await readFileText(file)) ?? '';
  const servers = vscode.workspace.getConfiguration().inspect(Setting.servers) ?? {};
  // While a settings file is being edited, the window may understand only a part of it.
  const open = vscode.workspace.textDocuments.filter(({ uri }) =>
    uri.path.endsWith('/settings.json'),
  );
  return [JSON.stringify(servers), ...open.map((document) => document.getText())].join('\n');
}
