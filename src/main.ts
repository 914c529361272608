import type * as vscode from 'vscode';
import type { WorkbenchApi } from './api';
import type * as Extension from './extension';
import { CompiledFiles } from './mcp/node/files/compiledFiles';

let extension: typeof Extension | undefined;

/** Called by an editor on Node.js: runs the extension from the machine code that an earlier window compiled. */
export function activate(context: vscode.ExtensionContext): WorkbenchApi {
  const files = new CompiledFiles(context.globalStorageUri.fsPath);
  context.subscriptions.push(files);
  extension = files.load(__dirname, 'extension.js') as typeof Extension;
  return extension.activate(context);
}

/** Called by the editor before its window is gone. */
export async function deactivate(): Promise<void> {
  await extension?.deactivate();
}
