import * as vscode from 'vscode';
import type { Platform } from '../mcp/platform';
import { createTransports } from '../mcp/launch/launchKinds';
import { browserFiles } from './browserFiles';
import { BrowserSchemas } from './browserSchemas';

/** So many servers start at once; a browser does not hold more connections to one host. */
const parallelStarts = 6;

/** The page of a browser, where `extension` is the folder of this one. */
export function createBrowserPlatform(extension: vscode.Uri): Platform {
  const script = vscode.Uri.joinPath(extension, 'dist', 'schemaWorker.js');
  const schemas = new BrowserSchemas(script.toString(true));
  return {
    name: 'browser',
    env: {},
    learnEnvironment: () => Promise.resolve(),
    parallelStarts,
    files: browserFiles,
    programs: undefined,
    openTransports: () => createTransports({}),
    listenForCallback: undefined,
    runSchemaTask: schemas.run,
    dispose: () => schemas.dispose(),
  };
}
