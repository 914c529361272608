import * as vscode from 'vscode';

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
export function keptReading<K, T>(read: (key: K) => T): (key: K) => T {
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
