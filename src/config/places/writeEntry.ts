import * as vscode from 'vscode';
import { findNodeAtLocation } from 'jsonc-parser';
import { UserError } from '../../base/errors';
import { asRecord } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import { readJsonc } from '../../base/text/jsonc';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import { Setting } from '../../ui/ids';
import { setInJson } from '../applications/jsonFile';
import type { ConfigLayer } from '../configLayer';
import { settingsFile } from './openConfiguration';
import { serverPaths } from './mcpJson';

const own = { isOfUser: true } as const;

/**
 * Sets a key of a server's entry in the place that a layer comes from, or removes it if `value` is undefined; comments
 * stay. Rejects with a `UserError` if the server is no longer in its file.
 */
export async function writeEntry(
  layer: ConfigLayer,
  name: string,
  key: string,
  value: unknown,
  writer: WorkspaceWriter,
): Promise<void> {
  const file = settingsFile(layer);
  if (file)
    return writer.replaceText(file, (text) => setInEntry(text, layer, name, key, value), own);
  // Extensions cannot know the address of the user's settings file.
  const configuration = vscode.workspace.getConfiguration();
  const servers = asRecord(configuration.inspect<unknown>(Setting.servers)?.globalValue);
  const { [key]: _before, ...rest } = asRecord(servers[name]);
  const entry = value === undefined ? rest : { ...rest, [key]: value };
  const target = vscode.ConfigurationTarget.Global;
  await writer.updateSetting(Setting.servers, { ...servers, [name]: entry }, target);
}

/** Removes a server from the place that a layer comes from; the comments of other servers stay. */
export async function removeEntry(
  layer: ConfigLayer,
  name: string,
  writer: WorkspaceWriter,
): Promise<void> {
  const file = settingsFile(layer);
  if (file) return writer.replaceText(file, (text) => setInEntry(text, layer, name), own);
  const configuration = vscode.workspace.getConfiguration();
  const servers = asRecord(configuration.inspect<unknown>(Setting.servers)?.globalValue);
  const rest = Object.fromEntries(Object.entries(servers).filter(([one]) => one !== name));
  await writer.updateSetting(Setting.servers, rest, vscode.ConfigurationTarget.Global);
}

function setInEntry(text: string, layer: ConfigLayer, name: string, key?: string, value?: unknown) {
  const { root } = readJsonc(text);
  const path = serverPaths(layer)
    .map((parent) => [...parent, name])
    .find((entry) => root && findNodeAtLocation(root, entry));
  if (!path)
    throw new UserError(vscode.l10n.t('The server "{0}" no longer exists.', plainLabel(name)));
  return setInJson(text, key === undefined ? path : [...path, key], value);
}
