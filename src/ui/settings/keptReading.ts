import * as vscode from 'vscode';

/** Which configuration is in force; undefined while nobody watches. */
let current: object | undefined;

/** Notices every change of the configuration until it is disposed; to be called before anything else listens to one. */
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
 * What `read` says of a key, kept until the configuration changes. Each look into the configuration has the editor merge
 * all of it, and a server that starts, or a call, takes dozens.
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
