import * as vscode from 'vscode';
import type { RecordedRequest } from '../../fixtures/demoModel/record';
import { poll } from '../../support/poll';

/** Changes a setting of the user; `undefined` takes it back. */
export async function setSetting(key: string, value: unknown): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration().update(`mcpWorkbench.${key}`, value, Global);
}

/** Sets what Enter does in the confirmation of a call. */
export async function setDefaultChoice(
  choice: 'allow' | 'deny' | 'edit' | undefined,
): Promise<void> {
  await setSetting('tools.defaultChoice', choice);
}

/** After so many Enters in vain a user leaves a question. */
const patience = 30;

const { createQuickPick, createInputBox } = vscode.window;
let opened = 0;

/** Counts the questions that are opened from now on, or no longer. */
export function countQuestions(on: boolean): void {
  vscode.window.createQuickPick = !on
    ? createQuickPick
    : () => {
        opened += 1;
        return createQuickPick();
      };
  vscode.window.createInputBox = !on
    ? createInputBox
    : () => {
        opened += 1;
        return createInputBox();
      };
}

/**
 * Presses Enter in whatever asks until `result` is there, as a user who agrees with every default, and
 * leaves a question that has none.
 */
export async function acceptUntil<T>(result: PromiseLike<T>): Promise<T> {
  let ended = false;
  const done = () => (ended = true);
  result.then(done, done);
  let question = opened;
  let presses = 0;
  await poll('the end of all questions', 30_000, async () => {
    if (ended) return true;
    presses = question === opened ? presses + 1 : 0;
    question = opened;
    const command =
      presses < patience
        ? 'workbench.action.acceptSelectedQuickOpenItem'
        : 'mcpWorkbench.leaveQuestion';
    await vscode.commands.executeCommand(command);
    await vscode.commands.executeCommand('mcpWorkbench.answerDocument');
    return undefined;
  });
  return result;
}

/** Runs `work` and gives the errors that the user was told of meanwhile. */
export async function errorsDuring(work: () => PromiseLike<unknown>): Promise<string[]> {
  const told: string[] = [];
  const { showErrorMessage } = vscode.window;
  vscode.window.showErrorMessage = (message: string) => {
    told.push(message);
    return Promise.resolve(undefined);
  };
  try {
    await work();
  } finally {
    vscode.window.showErrorMessage = showErrorMessage;
  }
  return told;
}

/** True when a tab shows a document of this name, or its preview. */
export function isOpen(name: string): true | undefined {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ label }) => label.includes(`${name}.`)) ? true : undefined;
}

/** The text of a result. */
export function textOf(result: vscode.LanguageModelToolResult): string {
  return result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('\n');
}

/** Invokes one of our tools as any other chat of the editor does. */
export function invoke(tool: string, input: object): Thenable<vscode.LanguageModelToolResult> {
  return vscode.lm.invokeTool(`mcpWorkbench_${tool}`, { input, toolInvocationToken: undefined });
}

/** All requests that the demo model got. */
export const requests = async (): Promise<RecordedRequest[]> =>
  (await vscode.commands.executeCommand<RecordedRequest[]>('demoModel.requests')) ?? [];

/** What the model was told of the calls of its latest request. */
export async function latestResults(): Promise<string> {
  const parts = (await requests()).at(-1)?.messages.at(-1)?.parts ?? [];
  return JSON.stringify(parts.filter(({ type }) => type === 'toolResult'));
}

/** Sends a message to `@mcp` in the chat view. */
export async function sayToMcp(text: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', { query: `@mcp ${text}` });
}
