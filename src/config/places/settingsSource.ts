import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { isRecord } from '../../base/json';
import { withFileSandbox } from '../../mcp/launch/processKind';
import { Setting } from '../../ui/ids';
import { onDidChangeSettings, readSetting } from '../../ui/settings/readSetting';
import type { ConfigLayer, ConfigSource } from '../configLayer';

/** The setting in a workspace file that the editor's own client reads. */
const editorsOwn = 'mcp';

/** Makes the source of servers in the setting at user, workspace and folder level, and in the workspace file. */
export function createSettingsSource(): ConfigSource {
  const changed = new Emitter<void>();
  const subscriptions = [
    onDidChangeSettings(
      [Setting.servers, Setting.inputs, Setting.places, Setting.development],
      () => changed.fire(),
    ),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(editorsOwn)) changed.fire();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
  ];
  return {
    onDidChange: changed.event,
    read: () => Promise.resolve([...readWorkspaceFile(), ...readShared(), ...readFolders()]),
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
      changed.dispose();
    },
  };
}

function readShared(): ConfigLayer[] {
  const configuration = vscode.workspace.getConfiguration();
  const servers = configuration.inspect<unknown>(Setting.servers);
  const inputs = configuration.inspect<unknown>(Setting.inputs);
  return [
    ...layersOf({
      scope: 'user',
      label: vscode.l10n.t('User Settings'),
      servers: servers?.globalValue,
      inputs: inputs?.globalValue,
    }),
    ...layersOf({
      scope: 'workspace',
      label: vscode.l10n.t('Workspace Settings'),
      servers: servers?.workspaceValue,
      inputs: inputs?.workspaceValue,
      ...workspaceAddress(),
    }),
  ];
}

function readWorkspaceFile(): ConfigLayer[] {
  const { workspaceFile } = vscode.workspace;
  if (!workspaceFile || !readSetting(Setting.places).includes('workspaceFile')) return [];
  const value = vscode.workspace.getConfiguration().inspect<unknown>(editorsOwn)?.workspaceValue;
  if (!isRecord(value)) return [];
  return layersOf({
    scope: 'workspace',
    label: workspaceFile.path.slice(workspaceFile.path.lastIndexOf('/') + 1),
    servers: isRecord(value['servers'])
      ? Object.fromEntries(
          Object.entries(value['servers']).map(([name, one]) => [
            name,
            withFileSandbox(one, value['sandbox']),
          ]),
        )
      : value['servers'],
    inputs: value['inputs'],
    isOfEditor: true,
    ...workspaceAddress(),
  });
}

/** Returns the address of this window's workspace: its file, or else its first folder; empty if it has neither. */
export function workspaceAddress(): Pick<ConfigLayer, 'workspace'> {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const uri = workspaceFile ?? workspaceFolders?.[0]?.uri;
  return uri ? { workspace: uri.toString() } : {};
}

function readFolders(): ConfigLayer[] {
  // With a single folder, its settings are the workspace's.
  if (!vscode.workspace.workspaceFile) return [];
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name }) => {
    const configuration = vscode.workspace.getConfiguration(undefined, uri);
    return layersOf({
      scope: 'folder',
      label: vscode.l10n.t('Folder Settings of {0}', name),
      servers: configuration.inspect<unknown>(Setting.servers)?.workspaceFolderValue,
      inputs: configuration.inspect<unknown>(Setting.inputs)?.workspaceFolderValue,
      folder: { uri: uri.toString(), name },
    });
  });
}

function layersOf({
  servers,
  ...place
}: Pick<ConfigLayer, 'scope' | 'label' | 'folder' | 'workspace' | 'inputs' | 'isOfEditor'> & {
  servers: unknown;
}): ConfigLayer[] {
  if (servers === undefined || servers === null) return [];
  if (typeof servers !== 'object' || Array.isArray(servers)) {
    const message = vscode.l10n.t('The setting {0} must be an object.', Setting.servers);
    return [{ ...place, entries: [], problems: [{ message }] }];
  }
  const entries = Object.entries(servers).map(([name, value]) => ({
    name,
    value: value as unknown,
  }));
  return [{ ...place, entries, problems: [] }];
}
