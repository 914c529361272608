import * as vscode from 'vscode';
import { extensionId } from '../ui/ids';

const loaded = new Map<string, Promise<object>>();

/**
 * Loads a file of this extension as the editor loads an extension in a page: it runs the text as a function. Only code
 * that the build generates calls it, in place of `require`. A file that failed to load is tried again the next time.
 */
export function loadChunk(name: string): Promise<object> {
  const known = loaded.get(name);
  if (known) return known;
  const loading = load(name);
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
}

async function load(name: string): Promise<object> {
  const own = vscode.extensions.getExtension(extensionId);
  if (!own) throw new Error(`The extension ${extensionId} was not found.`);
  const file = vscode.Uri.joinPath(own.extensionUri, 'dist', `${name}.js`);
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const module: { exports: object } = { exports: {} };
  // The file is part of the package, as this one is, and a page has no other way to load it.
  // oxlint-disable-next-line typescript/no-implied-eval, eslint/no-new-func
  const run = new Function('module', 'exports', text) as (module: object, exports: object) => void;
  run(module, module.exports);
  return module.exports;
}
