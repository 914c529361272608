import * as vscode from 'vscode';
import { Emitter } from '../base/event';
import { Setting } from '../ui/ids';
import type { ConfigSource } from './configSource';
import type { Folder, Reading, Scope } from './reading';

/** Servers from the setting, at user, workspace and folder level. */
export function createSettingsSource(): ConfigSource {
  const changed = new Emitter<void>();
  const subscriptions = [
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(Setting.servers)) changed.fire();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
  ];
  return {
    onDidChange: changed.event,
    read: () => Promise.resolve([...readShared(), ...readFolders()]),
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
      changed.dispose();
    },
  };
}

function readShared(): Reading[] {
  const value = vscode.workspace.getConfiguration().inspect<unknown>(Setting.servers);
  return [
    ...reading('user', vscode.l10n.t('User Settings'), value?.globalValue),
    ...reading('workspace', vscode.l10n.t('Workspace Settings'), value?.workspaceValue),
  ];
}

function readFolders(): Reading[] {
  // With a single folder its settings are the workspace's.
  if (!vscode.workspace.workspaceFile) return [];
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name }) => {
    const configuration = vscode.workspace.getConfiguration(undefined, uri);
    const value = configuration.inspect<unknown>(Setting.servers)?.workspaceFolderValue;
    const label = vscode.l10n.t('Folder Settings of {0}', name);
    return reading('folder', label, value, { uri: uri.toString(), name });
  });
}

function reading(scope: Scope, label: string, value: unknown, folder?: Folder): Reading[] {
  if (value === undefined || value === null) return [];
  const base = { scope, label, inputs: undefined, ...(folder && { folder }) };
  if (typeof value !== 'object' || Array.isArray(value)) {
    const message = vscode.l10n.t('The setting {0} must be an object.', Setting.servers);
    return [{ ...base, entries: [], problems: [{ message }] }];
  }
  const entries = Object.entries(value).map(([name, entry]) => ({ name, value: entry as unknown }));
  return [{ ...base, entries, problems: [] }];
}
