import type * as vscode from 'vscode';
import type { WorkbenchApi } from './api';
import { createBrowserPlatform } from './browser/browserPlatform';
import { createNodePlatform } from './mcp/node/nodePlatform';
import { hasNode } from './mcp/node/system';
import { activateOn } from './workbench';

export { deactivate } from './workbench';

/** Called by the editor once it has started, where it has a Node and where it has nothing but a page. */
export function activate(context: vscode.ExtensionContext): WorkbenchApi {
  return activateOn(
    context,
    hasNode() ? createNodePlatform : () => createBrowserPlatform(context.extensionUri),
  );
}
