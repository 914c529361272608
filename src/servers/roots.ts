import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { Root } from '../mcp/protocol';

/** The workspace folders as they are told to servers. */
export function listRoots(): Root[] {
  return (vscode.workspace.workspaceFolders ?? []).map(toRoot);
}

/** A workspace folder as it is told to servers. */
export function toRoot({ uri, name }: vscode.WorkspaceFolder): Root {
  // The editor's own form escapes more than servers expect, such as the colon of a drive.
  return { uri: uri.scheme === 'file' ? pathToFileURL(uri.fsPath).href : uri.toString(), name };
}
