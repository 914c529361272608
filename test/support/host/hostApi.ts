// What tests inside the extension host share; only those may import it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ApiServer, WorkbenchApi } from '../../../src/api';
import { poll } from '../poll';
import { descendants, listProcesses } from '../processes/processTree';

/** The public API of the extension, as another extension gets it. */
export async function activateWorkbench(): Promise<WorkbenchApi> {
  const extension = vscode.extensions.getExtension<WorkbenchApi>('mcp-workbench.mcp-workbench');
  assert.ok(extension);
  return extension.activate();
}

/** The server called `name`; fails when there is none. */
export function serverNamed(api: WorkbenchApi, name: string): ApiServer {
  const server = api.servers.find((one) => one.name === name);
  assert.ok(server, `a server called ${name}`);
  return server;
}

/** Waits for `event` until `accept` holds, which may be the case already; rejects when it throws. */
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

/** A workspace folder of the sample, `app` or `docs`. */
export function folderNamed(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.find((one) => one.name === name);
  assert.ok(folder, `a folder called ${name}`);
  return folder.uri;
}

/** Replaces the text of a file as a user does: in an editor, saved. */
export async function writeDocument(uri: vscode.Uri, text: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  return poll(`${uri.fsPath} to be saved`, 20_000, async () => {
    const edit = new vscode.WorkspaceEdit();
    const end = document.lineAt(document.lineCount - 1).range.end;
    edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
    // It changes under the edit where another program has just written the file.
    if (!(await vscode.workspace.applyEdit(edit))) return undefined;
    // A text that stands there already is not saved again.
    const isThere = () => !document.isDirty && document.getText() === text;
    if ((await document.save()) || isThere()) return document;
    // The editor has not seen yet what another program wrote: the user takes that first.
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    return undefined;
  });
}

/** The processes of this extension host whose command line holds or matches `part`. */
export async function processesWith(part: string | RegExp): Promise<number[]> {
  const all = descendants(await listProcesses(), [process.pid]);
  const fits = (command: string) =>
    typeof part === 'string' ? command.includes(part) : part.test(command);
  return all.filter(({ command }) => fits(command)).map(({ pid }) => pid);
}

/** Waits until as many processes as `count` have `part` in their command line. */
export function untilProcesses(part: string, count: number): Promise<true> {
  return poll(`${count} processes with ${part}`, 20_000, async () =>
    (await processesWith(part)).length === count ? true : undefined,
  );
}
