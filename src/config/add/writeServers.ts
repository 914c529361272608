import { applyEdits, modify, parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { asRecord } from '../../base/json';
import { fileExists } from '../../ui/documents/fileExists';
import { Setting } from '../../ui/ids';
import { type ImportedServer, type InputEntry } from './importedServer';
import { workspaceAddress } from '../places/settingsSource';
import type { Reading } from '../reading';

/** A place that servers can be added to, as the reading that will come from it. */
export type Target = Pick<Reading, 'scope' | 'label' | 'uri' | 'workspace'>;

/** Where a person can add servers: the user's settings, and with an open folder more. */
export function writableTargets(): Target[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return [
    { scope: 'user', label: vscode.l10n.t('User Settings') },
    ...(folders.length > 0
      ? [
          {
            scope: 'workspace',
            label: vscode.l10n.t('Workspace Settings'),
            ...workspaceAddress(),
          } as const,
        ]
      : []),
    ...folders.map(({ uri, name }) => ({
      scope: 'folder' as const,
      label: `${name}/.vscode/mcp.json`,
      uri: vscode.Uri.joinPath(uri, '.vscode/mcp.json').toString(),
    })),
  ];
}

/** Adds servers and their inputs to a place; names that are taken there are replaced. */
export async function writeServers(
  target: Target,
  servers: readonly ImportedServer[],
  inputs: readonly InputEntry[],
): Promise<void> {
  if (target.uri !== undefined) return writeFile(vscode.Uri.parse(target.uri), servers, inputs);
  const scope =
    target.scope === 'user'
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  const configuration = vscode.workspace.getConfiguration();
  const existing = (key: string): unknown => {
    const values = configuration.inspect<unknown>(key);
    return target.scope === 'user' ? values?.globalValue : values?.workspaceValue;
  };
  const added = Object.fromEntries(servers.map(({ name, server }) => [name, server]));
  // Inputs first: the servers use them.
  if (inputs.length > 0) {
    const known = existing(Setting.inputs);
    const all = [...(Array.isArray(known) ? (known as unknown[]) : []), ...newOnes(inputs, known)];
    await configuration.update(Setting.inputs, all, scope);
  }
  const known = asRecord(existing(Setting.servers));
  await configuration.update(Setting.servers, { ...known, ...added }, scope);
}

async function writeFile(
  uri: vscode.Uri,
  servers: readonly ImportedServer[],
  inputs: readonly InputEntry[],
): Promise<void> {
  if (!(await fileExists(uri)))
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{}\n'));
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  const text = addToText(document.getText(), servers, inputs);
  edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save()))
    throw new UserError(vscode.l10n.t('{0} could not be written.', uri.fsPath));
}

function addToText(
  original: string,
  servers: readonly ImportedServer[],
  inputs: readonly InputEntry[],
): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  let text = original;
  for (const { name, server } of servers)
    text = applyEdits(text, modify(text, ['servers', name], server, { formattingOptions }));
  for (const input of newOnes(inputs, asRecord(parse(text))['inputs']))
    text = applyEdits(
      text,
      modify(text, ['inputs', -1], input, { formattingOptions, isArrayInsertion: true }),
    );
  return text;
}

/** Those that the place does not define yet: another server there may use its own. */
function newOnes(inputs: readonly InputEntry[], known: unknown): readonly InputEntry[] {
  const ids = new Set((Array.isArray(known) ? known : []).map((one) => asRecord(one)['id']));
  return inputs.filter(({ id }) => !ids.has(id));
}
