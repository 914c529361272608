import * as vscode from 'vscode';
import { parse } from 'jsonc-parser';
import { UserError } from '../../base/errors';
import { asRecord, type JsonRecord } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import { fileExists } from '../../ui/documents/readTextFile';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import type { AdmittedServers } from './admission';
import { inputsIn, readInputEntries } from './importedServer';
import { addToMcpJson, newOnes } from './mcpJsonText';
import { settingsFile } from '../places/openConfiguration';
import { workspaceAddress } from '../places/settingsSource';
import type { InputValues } from '../inputs/inputValues';
import type { ConfigLayer } from '../configLayer';
import { readTargetText } from '../share/exportTarget';

/** A place that servers can be added to, in the form of the layer that will come from it. */
export type AddTarget = Pick<ConfigLayer, 'scope' | 'label' | 'uri' | 'folder' | 'workspace'>;

/** Says who will have a server that is added to a place, and who else reads it there. */
export function targetReach({ scope }: Pick<AddTarget, 'scope'>): string {
  const { t } = vscode.l10n;
  switch (scope) {
    case 'user':
      return t('You, in all workspaces. Only MCP Workbench reads it.');
    case 'workspace':
      return t('Everyone who gets the files of this workspace. Only MCP Workbench reads it.');
    case 'folder':
      return t(
        'Everyone who gets the files of this folder. The editor’s own client reads it, too.',
      );
  }
}

/**
 * Returns the places to add servers to: the user settings and, if a folder is open, the workspace settings and the
 * `mcp.json` of each folder, unless that file is not read.
 */
export function writableTargets(): AddTarget[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const places: readonly string[] = readSetting(Setting.places);
  const withFiles = places.includes('vscode') ? folders : [];
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
    ...withFiles.map(({ uri, name }) => ({
      scope: 'folder' as const,
      label: `${name}/.vscode/mcp.json`,
      uri: vscode.Uri.joinPath(uri, '.vscode/mcp.json').toString(),
    })),
  ];
}

/**
 * Adds servers and their inputs to a place; servers of the same name are replaced. Rejects with a `UserError` if the place
 * now has an input of the same id, which is another server's.
 */
export async function writeServers(
  target: AddTarget,
  admitted: AdmittedServers,
  writer: WorkspaceWriter,
): Promise<void> {
  const there = new Set(await inputsAt(target));
  if (admitted.inputs.some(({ id }) => there.has(id)))
    throw new UserError(
      vscode.l10n.t('{0} has changed in the meantime. Try again.', plainLabel(target.label)),
    );
  const file = settingsFile(target);
  if (file && target.uri !== undefined) return writeFile(file, admitted, writer);
  const { servers, inputs } = admitted;
  const { scope, resource, existing } = settingsOf(target);
  const added = Object.fromEntries(servers.map(({ name, server }) => [name, server]));
  // Inputs first: the servers use them.
  if (inputs.length > 0) {
    const known = existing(Setting.inputs);
    const all = [...(Array.isArray(known) ? (known as unknown[]) : []), ...newOnes(inputs, known)];
    await writer.updateSetting(Setting.inputs, all, scope, resource);
  }
  const known = asRecord(existing(Setting.servers));
  await writer.updateSetting(Setting.servers, { ...known, ...added }, scope, resource);
}

/** Returns the ids of the inputs that a target defines, that its servers use, or that have a value there. */
export async function takenInputs(
  target: AddTarget,
  values: Pick<InputValues, 'idsAt'>,
): Promise<readonly string[]> {
  return [...(await values.idsAt(target)), ...(await inputsAt(target))];
}

/** A broken file gives what can be read of it. */
async function inputsAt(target: AddTarget): Promise<readonly string[]> {
  if (target.uri === undefined) {
    const { existing } = settingsOf(target);
    return idsOf(existing(Setting.inputs), existing(Setting.servers));
  }
  const text = await readTargetText(vscode.Uri.parse(target.uri));
  const file: unknown = parse(text ?? '', [], { allowTrailingComma: true });
  return idsOf(asRecord(file)['inputs'], file);
}

function idsOf(inputs: unknown, servers: unknown): readonly string[] {
  return [...readInputEntries(inputs).map(({ id }) => id), ...inputsIn(servers)];
}

/** Returns the servers in the settings of a target, by name. */
export function serversAt(target: AddTarget): JsonRecord {
  return asRecord(settingsOf(target).existing(Setting.servers));
}

function settingsOf({ scope, folder }: AddTarget) {
  const resource = folder && vscode.Uri.parse(folder.uri);
  const configuration = vscode.workspace.getConfiguration(undefined, resource);
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const existing = (key: string): unknown => {
    const values = configuration.inspect<unknown>(key);
    if (scope === 'user') return values?.globalValue;
    return scope === 'workspace' ? values?.workspaceValue : values?.workspaceFolderValue;
  };
  return {
    resource,
    existing,
    scope: { user: Global, workspace: Workspace, folder: WorkspaceFolder }[scope],
  };
}

async function writeFile(
  uri: vscode.Uri,
  admitted: AdmittedServers,
  writer: WorkspaceWriter,
): Promise<void> {
  const own = { isOfUser: true } as const;
  if (!(await fileExists(uri))) await writer.write(uri, '{}\n', own);
  await writer.replaceText(uri, (text) => addToMcpJson(text, admitted), own);
}
