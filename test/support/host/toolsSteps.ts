import * as vscode from 'vscode';
import type { RecordedRequest } from '../../fixtures/demoModel/record';
import { poll } from '../poll';

/** Changes a user setting; `undefined` restores its default. */
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

/** After pressing Enter this many times without effect, a user dismisses a question. */
const maxPresses = 30;

const { createQuickPick, createInputBox } = vscode.window;
let opened = 0;

/** Starts or stops counting the questions that are opened. */
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
 * Presses Enter in every question until `result` settles, like a user who accepts every default, and dismisses
 * questions without one.
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
      presses < maxPresses
        ? 'workbench.action.acceptSelectedQuickOpenItem'
        : 'mcpWorkbench.leaveQuestion';
    await vscode.commands.executeCommand(command);
    await vscode.commands.executeCommand('mcpWorkbench.answerDocument');
    return undefined;
  });
  return result;
}

/** Runs `work` and returns the errors shown to the user in the meantime. */
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

/** True if a tab shows a document with this name, or its preview. */
export function isOpen(name: string): true | undefined {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ label }) => label.includes(`${name}.`)) ? true : undefined;
}

/** Returns the text of a result. */
export function textOf(result: vscode.LanguageModelToolResult): string {
  return result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('\n');
}

/** Invokes one of our tools like any other chat of the editor. */
export function invoke(tool: string, input: object): Thenable<vscode.LanguageModelToolResult> {
  return vscode.lm.invokeTool(`mcpWorkbench_${tool}`, { input, toolInvocationToken: undefined });
}

/** Returns all requests that the demo model received. */
export const requests = async (): Promise<RecordedRequest[]> =>
  (await vscode.commands.executeCommand<RecordedRequest[]>('demoModel.requests')) ?? [];

/** Returns the tool results in the model's latest request. */
export async function latestResults(): Promise<string> {
  const parts = (await requests()).at(-1)?.messages.at(-1)?.parts ?? [];
  return JSON.stringify(parts.filter(({ type }) => type === 'toolResult'));
}

/** Sends a message to `@mcp` in the chat view. */
export async function sayToMcp(text: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', { query: `@mcp ${text}` });
}
