import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import type { Logger } from '../../base/log';
import { Setting } from '../../ui/ids';
import type { Configuration } from '../configuration';
import { readFileText } from '../fileText';
import { settingsFile } from '../places/openConfiguration';
import type { Reading } from '../reading';
import type { BundleFolders } from './bundleFolders';

/** Removes the folder of a bundle when the user removes its server, unless the configuration still mentions it. */
export function removeBundles(
  configuration: Configuration,
  folders: BundleFolders,
  log: Logger,
): Disposable {
  let known = new Map<string, Reading>();
  return configuration.onDidChange(({ servers, disabled }) => {
    const now = new Map<string, Reading>();
    for (const { definition, reading } of [...servers, ...disabled.map(({ server }) => server)]) {
      const { config } = definition;
      const name = 'cwd' in config && config.cwd ? folders.nameIn(config.cwd) : undefined;
      if (name !== undefined) now.set(name, reading);
    }
    const gone = [...known].filter(([name]) => !now.has(name));
    known = now;
    for (const [name, reading] of gone)
      removeUnnamed(name, reading, folders).catch((error: unknown) =>
        log.warn(`The folder of a bundle could not be removed: ${errorMessage(error)}`),
      );
  });
}

/**
 * Removes a folder that its configuration no longer mentions; a server may be gone only because its file is broken or
 * not read, or its folder was closed.
 */
async function removeUnnamed(
  name: string,
  reading: Reading,
  folders: BundleFolders,
): Promise<void> {
  if (!(await textOf(reading)).includes(name)) await folders.removeNamed(name);
}

/** Reads the file itself if possible, as the window's settings lack those of a folder that was closed. */
async function textOf(reading: Reading): Promise<string> {
  const file = settingsFile(reading);
  // An unsaved workspace has a URI, but no file that could be read.
  if (file && file.scheme !== 'untitled') return (await readFileText(file)) ?? '';
  const servers = vscode.workspace.getConfiguration().inspect(Setting.servers) ?? {};
  // While a settings file is being edited, the window may understand only a part of it.
  const open = vscode.workspace.textDocuments.filter(({ uri }) =>
    uri.path.endsWith('/settings.json'),
  );
  return [JSON.stringify(servers), ...open.map((document) => document.getText())].join('\n');
}
