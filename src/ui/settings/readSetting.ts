import * as vscode from 'vscode';
import { Setting } from '../ids';
import { keptReading } from './keptReading';
import {
  mergeAutostart,
  mergeLevels,
  settingRules,
  type Autostart,
  type SettingKey,
  type SettingRule,
  type SettingValue,
} from './settingRules';

/** What an administrator's file sets, by the keys of the settings. */
let held: Readonly<Record<string, unknown>> = {};

/** Has an administrator's values tighten settings from now on, on top of what a workspace sets. */
export function holdSettings(values: Readonly<Record<string, unknown>>): void {
  held = values;
}

/** Returns the value that is in force for a setting, by its rule. */
export function readSetting<K extends SettingKey>(key: K): SettingValue<K> {
  const { user, workspace } = readLevels(key);
  const rule = settingRules[key] as unknown as SettingRule<SettingValue<K>>;
  return mergeLevels(rule, user, [...workspace, held[key]]);
}

/** Returns what the user, the workspace and each of its folders set for a setting, unchecked. */
export const readLevels = keptReading((key: SettingKey): SettingLevels => {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const shared = vscode.workspace.getConfiguration().inspect<unknown>(key);
  return {
    user: shared?.globalValue,
    workspace: [
      shared?.workspaceValue,
      ...folders.map(
        ({ uri }) =>
          vscode.workspace.getConfiguration(undefined, uri).inspect<unknown>(key)
            ?.workspaceFolderValue,
      ),
    ],
  };
});

interface SettingLevels {
  readonly user: unknown;
  readonly workspace: readonly unknown[];
}

/** Sets a setting for the user, in all their workspaces; it may be one of the editor. */
export async function updateForUser(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);
}

/** Returns when a server of this name is started. */
export function readAutostart(name: string): Autostart {
  const all = readLevels(Setting.autostart);
  const single = readLevels(Setting.autostartServers);
  return mergeAutostart(name, [
    { all: all.user, single: single.user },
    ...all.workspace.map((level, index) => ({ all: level, single: single.workspace[index] })),
    { all: held[Setting.autostart], single: held[Setting.autostartServers] },
  ]);
}
