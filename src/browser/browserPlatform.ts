import * as vscode from 'vscode';
import type { Platform } from '../mcp/platform';
import { createTransports } from '../mcp/launch/launchKinds';
import { pageNetwork } from '../mcp/transport/pageFetch';
import { browserFiles } from './browserFiles';
import { BrowserSchemas } from './browserSchemas';

/** At most this many servers start at a time; a browser does not hold more connections to one host. */
const parallelStarts = 6;

/** Creates the platform of a page in a browser; `extension` is the folder of this extension. */
export function createBrowserPlatform(extension: vscode.Uri): Platform {
  const script = vscode.Uri.joinPath(extension, 'dist', 'schemaWorker.js');
  const schemas = new BrowserSchemas(script.toString(true));
  return {
    name: 'browser',
    env: {},
    learnEnvironment: () => Promise.resolve(),
    parallelStarts,
    files: browserFiles,
    workspaceFiles: undefined,
    programs: undefined,
    openTransports: () => createTransports({}),
    listenForCallback: undefined,
    signInNetwork: pageNetwork,
    runSchemaTask: schemas.run,
    dispose: () => schemas.dispose(),
  };
}
