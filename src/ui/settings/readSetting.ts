import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { canonicalJson } from '../../base/json';
import { Setting } from '../ids';
import {
  mergeAutostart,
  mergeLevels,
  settingRules,
  type Autostart,
  type SettingKey,
  type SettingRule,
  type SettingValue,
} from './settingRules';

/** Stands for the configuration that is in force; `undefined` while nothing watches it. */
let current: object | undefined;

/** Watches for changes of the configuration until disposed of; must be called before anything else listens for them. */
export function watchConfiguration(): vscode.Disposable {
  const renew = () => (current = {});
  renew();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(renew),
    vscode.workspace.onDidChangeWorkspaceFolders(renew),
    { dispose: () => (current = undefined) },
  );
}

/**
 * Returns `read` with its results kept until the configuration changes: for each lookup, the editor merges the whole
 * configuration, and the start of a server, or a call, takes dozens.
 */
export function cachedReading<K, T>(read: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>();
  let of: object | undefined;
  return (key) => {
    if (!current) return read(key);
    if (of !== current) known.clear();
    of = current;
    if (!known.has(key)) known.set(key, read(key));
    return known.get(key) as T;
  };
}

/** What an administrator's file sets, by the keys of the settings. */
let held: Readonly<Record<string, unknown>> = {};

const heldChanged = new Emitter<readonly string[]>();

/** Has an administrator's values tighten settings from now on, on top of what a workspace sets. */
export function holdSettings(values: Readonly<Record<string, unknown>>): void {
  const keys = new Set([...Object.keys(held), ...Object.keys(values)]);
  const changed = [...keys].filter(
    (key) => canonicalJson(held[key]) !== canonicalJson(values[key]),
  );
  held = values;
  if (changed.length > 0) heldChanged.fire(changed);
}

/**
 * Calls `changed` when one of these settings may have another value, whoever has set it: in the editor, or in the file of
 * an administrator. The linter forbids to listen for these in another way.
 */
export function onDidChangeSettings(keys: readonly SettingKey[], changed: () => void): Disposable {
  const store = new DisposableStore();
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (keys.some((key) => event.affectsConfiguration(key))) changed();
    }),
  );
  store.add(
    heldChanged.event((of) => {
      if (keys.some((key) => of.includes(key))) changed();
    }),
  );
  return store;
}

/** Returns the value that is in force for a setting, by its rule. */
export function readSetting<K extends SettingKey>(key: K): SettingValue<K> {
  const { user, workspace } = readLevels(key);
  const rule = settingRules[key] as unknown as SettingRule<SettingValue<K>>;
  return mergeLevels(rule, user, [...workspace, held[key]]);
}

/** Returns what the settings say of the servers that are in development: a workspace's, of its own servers alone. */
export function readDeveloped(isOwn: boolean): SettingValue<typeof Setting.development> {
  const { user, workspace } = readLevels(Setting.development);
  return mergeLevels(settingRules[Setting.development], user, isOwn ? [] : workspace);
}

/** Returns what the user, the workspace and each of its folders set for a setting, unchecked. */
export const readLevels = cachedReading((key: SettingKey): SettingLevels => {
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
