// Shared by tests inside the extension host; only those may import it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ApiServer, WorkbenchApi } from '../../../src/api';
import { workspaceFiles } from '../../../src/mcp/node/files/workspaceFiles';
import { WorkspaceWriter } from '../../../src/ui/files/workspaceWriter';
import { poll } from '../poll';
import { descendants, listProcesses } from '../processes/processTree';

/** Activates the extension and returns its public API, as another extension gets it. */
export async function activateWorkbench(): Promise<WorkbenchApi> {
  const extension = vscode.extensions.getExtension<WorkbenchApi>('mcp-workbench.mcp-workbench');
  assert.ok(extension);
  return extension.activate();
}

/** Returns the server called `name`; fails if there is none. */
export function serverNamed(api: WorkbenchApi, name: string): ApiServer {
  const server = api.servers.find((one) => one.name === name);
  assert.ok(server, `a server called ${name}`);
  return server;
}

/** Waits until `accept` returns true, calling it now and after each `event`; rejects if it throws. */
export async function until(
  event: (listener: () => void) => { dispose(): unknown },
  accept: () => boolean,
): Promise<void> {
  if (accept()) return;
  await new Promise<void>((resolve, reject) => {
    const subscription = event(() => {
      try {
        if (!accept()) return;
        resolve();
      } catch (error) {
        reject(error);
      }
      subscription.dispose();
    });
  });
}

/** Returns a folder of the sample workspace, `app` or `docs`; fails if it is missing. */
export function folderNamed(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.find((one) => one.name === name);
  assert.ok(folder, `a folder called ${name}`);
  return folder.uri;
}

/** Adds or removes folders of the workspace, as the editor's own function does; resolves once that is complete. */
export async function changeFolders(
  ...change: Parameters<typeof vscode.workspace.updateWorkspaceFolders>
): Promise<void> {
  const done = new Promise<void>((resolve) => {
    const subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      subscription.dispose();
      resolve();
    });
  });
  // The editor refuses a change until the one before it is complete.
  assert.ok(vscode.workspace.updateWorkspaceFolders(...change), 'The folders can be changed.');
  await done;
}

/** Replaces the text of a file as a user would: in an editor, which is then saved. */
export async function writeDocument(uri: vscode.Uri, text: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  return poll(`${uri.fsPath} to be saved`, 60_000, async () => {
    const edit = new vscode.WorkspaceEdit();
    const end = document.lineAt(document.lineCount - 1).range.end;
    edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
    // The document changes during the edit if another program has just written the file.
    if (!(await vscode.workspace.applyEdit(edit))) return undefined;
    // Where the text is already in the editor nothing is saved, whatever another program left in the file.
    await document.save();
    if (!document.isDirty && (await textOnDisk(uri)) === text) return document;
    // The editor has not noticed yet what another program wrote: load that first, as a user would.
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    return undefined;
  });
}

/** Returns the text of a file as it is on disk, whatever an editor has of it. */
export async function textOnDisk(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** Returns the ids of the processes of this extension host whose command line contains or matches `part`. */
export async function processesWith(part: string | RegExp): Promise<number[]> {
  const all = descendants(await listProcesses(), [process.pid]);
  const fits = (command: string) =>
    typeof part === 'string' ? command.includes(part) : part.test(command);
  return all.filter(({ command }) => fits(command)).map(({ pid }) => pid);
}

/** Waits until exactly `count` processes have `part` in their command line. */
export function untilProcesses(part: string, count: number): Promise<true> {
  return poll(`${count} processes with ${part}`, 20_000, async () =>
    (await processesWith(part)).length === count ? true : undefined,
  );
}

/** What writes files in tests that call a part of the extension themselves. */
export const writer = new WorkspaceWriter({ workspaceFiles, programs: undefined });
