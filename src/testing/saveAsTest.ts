import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { sanitize } from '../base/text/fileName';
import type { StepAnswered } from '../calls/expect/answer';
import { callsExtension } from '../calls/format/calls';
import { addStep, lastNameRange, newCallsFile } from '../calls/writeStep';
import type { FindRecentCall, RecentAnswer, RecentCall } from '../contracts/toolCalls';
import { fileExists } from '../ui/documents/readTextFile';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { callsGlob, readCalls, readCallsText, toRange } from './callsDocuments';
import { showText } from '../ui/keyboard';
import { showPick } from '../ui/rows/picks';
import type { UserAction } from '../ui/questions/question';
import { showMessage } from '../ui/messages';

const maxFiles = 1000;

/**
 * Adds a call to a file that the user picks, as a step that expects what came back, and shows the step; tells
 * the user if what came back is unknown. Throws a `UserError` if there is no call or no open folder.
 */
export async function saveAsTest(
  action: UserAction,
  target: unknown,
  find: FindRecentCall,
  writer: WorkspaceWriter,
): Promise<void> {
  const call = find(target);
  if (!call) throw new UserError(vscode.l10n.t('Run a tool first: there is no call to save.'));
  const uri = await pickFile(action, call.server.name);
  if (!uri) return;
  const isThere = await fileExists(uri);
  const text = addStep(isThere ? await readCallsText(uri) : newCallsFile(call.server.name), {
    tool: call.tool.name,
    arguments: call.arguments,
    ...(call.meta && { meta: call.meta }),
    ...(call.asTask !== undefined && { asTask: call.asTask }),
    ...(call.answer && { answer: answerOf(call.answer, call) }),
  });
  // A new file is written as a whole: the editor may still have the text of a deleted file of that name.
  if (isThere) await writer.replaceText(uri, () => text);
  else await writer.write(uri, text);
  const name = lastNameRange(text);
  await showText(uri, action, { preview: false, ...(name && { selection: toRange(name) }) });
  if (!call.answer)
    void showMessage(
      'info',
      vscode.l10n.t(
        'The step has no expectation, because what came back is not known: “Update Expectation” above it asks again and writes one.',
      ),
    );
}

function answerOf(answer: RecentAnswer, { tool }: RecentCall): StepAnswered {
  // The code of an error is all that is expected.
  return answer.kind === 'error' ? { ...answer, message: '' } : { ...answer, tool };
}

/**
 * Lets the user pick a file for a server, or a new one, which it returns at once if there is no other;
 * `undefined` if they dismissed the list.
 */
async function pickFile(action: UserAction, server: string): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new UserError(t('Open a folder first: saved calls are files in it.'));
  const uris = await vscode.workspace.findFiles(callsGlob, '**/node_modules/**', maxFiles);
  const fitting: vscode.Uri[] = [];
  for (const uri of uris) {
    const { file } = await readCalls(uri);
    if (file?.server.kind === 'named' && file.server.name === server) fitting.push(uri);
  }
  const fresh = await freeName(folder.uri, server);
  if (fitting.length === 0) return fresh;
  const items = [
    ...fitting.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri })),
    {
      label: t('New File'),
      iconPath: new vscode.ThemeIcon('new-file'),
      description: vscode.workspace.asRelativePath(fresh),
      uri: fresh,
    },
  ];
  return (await showPick(action, items, { title: t('Save as Test') }))?.uri;
}

async function freeName(folder: vscode.Uri, server: string): Promise<vscode.Uri> {
  for (let count = 1; ; count += 1) {
    const name = `${sanitize(server)}${count === 1 ? '' : `-${count}`}${callsExtension}`;
    const uri = vscode.Uri.joinPath(folder, name);
    if (!(await fileExists(uri))) return uri;
  }
}
