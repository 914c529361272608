import type * as vscode from 'vscode';
import type { WorkbenchApi } from './api';
import { createBrowserPlatform } from './browser/browserPlatform';
import { createNodePlatform } from './mcp/node/nodePlatform';
import { hasNode } from './mcp/node/system';
import { activateOn } from './workbench';

export { deactivate } from './workbench';

/** Called by the editor once it has started, whether it runs on Node.js or in nothing but a browser. */
export function activate(context: vscode.ExtensionContext): WorkbenchApi {
  return activateOn(
    context,
    hasNode() ? createNodePlatform : () => createBrowserPlatform(context.extensionUri),
  );
}
