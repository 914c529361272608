/*
 * The only file that uses the editor's chat, its models and its own client. Editors based on VS Code have different
 * ones, or none: what is missing is left out, and what was meant for the chat is shown elsewhere.
 */
import * as vscode from 'vscode';
import { within } from '../base/async';
import { errorMessage, UserError } from '../base/errors';
import type { HandedPrompt, NotTaken } from '../contracts/promptDraft';
import { runWithKeyboard, showText, type Permit } from './keyboard';
import type { KeyboardPermit } from './questions/question';
import { showMessage } from './messages';
import { copyText } from './clipboard';

const editor: {
  readonly chat?: Partial<typeof vscode.chat>;
  readonly lm?: Partial<typeof vscode.lm>;
} = vscode;

/** The scheme of the text that the user writes to the editor's chat. */
export const chatInputScheme = 'chatSessionInput';
/** The schemes of the boxes beside editors whose texts extensions see as documents: messages to the chat, and of commits. */
export const boxSchemes: ReadonlySet<string> = new Set([chatInputScheme, 'vscode-scm']);
const openCommand = 'workbench.action.chat.open';
/** “Chat: New Chat Editor”. */
const newChatCommand = 'workbench.action.openChat';
/** “Chat: New Chat”, in place of the chat that has the keyboard. */
const emptyChatCommand = 'workbench.action.chat.newChat';
const offSetting = 'chat.disableAIFeatures';
/** How long to wait for the chat to take a message: without anybody to answer, an editor waits longer, and silently. */
const maxTakeMs = 15_000;
/** How long to wait for the models of the editor: the chat may answer without. */
const maxModelsMs = 3000;

const none: vscode.Disposable = { dispose: () => {} };

/** What to show in the chat: a message to send, or a draft; what the user is writing there stays as it is. */
export interface ChatOpening {
  readonly query: string;
  readonly submit: boolean;
  /** Opening the chat takes the keyboard there. */
  readonly permit: KeyboardPermit;
  readonly attachFiles?: readonly vscode.Uri[];
  /** The conversation so far, which only the editor's own chat agent gets to see. */
  readonly previousRequests?: readonly { readonly request: string; readonly response: string }[];
}

/** The chat with `@mcp`, as prompts see it. */
export interface PromptChat {
  /** Sends a prompt to `@mcp`; resolves to why it was not taken, or to `undefined` if it was. */
  sendPrompt(prompt: HandedPrompt, permit: KeyboardPermit): Promise<NotTaken | undefined>;
}

/** Describes for the log which parts of a chat this editor has; whether it has the view is checked when needed. */
export function describeChat(): string {
  const parts = {
    participants: editor.chat?.createChatParticipant,
    models: editor.lm?.selectChatModels,
    tools: editor.lm?.registerTool,
    servers: editor.lm?.registerMcpServerDefinitionProvider,
  };
  const words = Object.entries(parts).map(([name, part]) => `${name} ${part ? 'yes' : 'no'}`);
  return `The chat of this editor: ${words.join(', ')}`;
}

/** Adds a participant to the chat; `undefined` if the editor supports none. */
export function createParticipant(
  ...participant: Parameters<typeof vscode.chat.createChatParticipant>
): vscode.ChatParticipant | undefined {
  return editor.chat?.createChatParticipant?.(...participant);
}

/** Offers a tool to every chat of the editor. */
export function offerTool<T>(name: string, tool: vscode.LanguageModelTool<T>): vscode.Disposable {
  return editor.lm?.registerTool?.(name, tool) ?? none;
}

/** Offers servers to the editor's own client. */
export function offerServers(
  id: string,
  provider: vscode.McpServerDefinitionProvider,
): vscode.Disposable {
  return editor.lm?.registerMcpServerDefinitionProvider?.(id, provider) ?? none;
}

/** Returns the language models that the editor has, if any. */
export async function findModels(): Promise<readonly vscode.LanguageModelChat[]> {
  return (await editor.lm?.selectChatModels?.()) ?? [];
}

/** Opens the chat view; resolves to a sentence saying why it did not take the message, or `undefined` if it did. */
export async function openChat(opening: ChatOpening): Promise<string | undefined> {
  const why = await whyNoView();
  if (why !== undefined) return why;
  // A view that only the message opens would send it before it has chosen a model; what is wrong with those, it says.
  if (opening.submit)
    await within(
      findModels().catch(() => {}),
      maxModelsMs,
    );
  try {
    if (await within(openView(opening), maxTakeMs)) return undefined;
    return vscode.l10n.t('The chat did not take the message.');
  } catch (error) {
    return vscode.l10n.t(
      'The chat did not take the message: {0}',
      errorMessage(error, vscode.l10n.t),
    );
  }
}

async function openView({
  query,
  submit,
  permit,
  attachFiles,
  previousRequests,
}: ChatOpening): Promise<void> {
  // Only a message without files is sent without touching what is written in the box; all else would replace that.
  const isBeside = submit && !attachFiles?.length;
  // What is opened next goes to the chat that has the keyboard.
  if (!isBeside && (await hasCommand(newChatCommand))) await openNewChat(permit);
  await runWithKeyboard(permit, openCommand, {
    query,
    isPartialQuery: !submit,
    ...(isBeside && { preserveInput: true }),
    ...(attachFiles && { attachFiles: [...attachFiles] }),
    ...(previousRequests && { previousRequests: [...previousRequests] }),
  });
}

/** Opens a new chat, without the attachments of the message in another one, which the editor would take along. */
async function openNewChat(permit: KeyboardPermit): Promise<void> {
  const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab;
  const before = activeTab();
  await runWithKeyboard(permit, newChatCommand);
  // In another chat, this would discard what the user is writing.
  if (activeTab() !== before && (await hasCommand(emptyChatCommand)))
    await runWithKeyboard(permit, emptyChatCommand);
}

/**
 * Puts the name of a participant into the box of the chat, so that the next message goes to it too, unless something is
 * written in a box: the editor does so itself for messages that are sent from there.
 */
export async function addressChat(name: string): Promise<void> {
  const boxes = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === chatInputScheme);
  const [box] = boxes;
  if (!box || boxes.some((one) => one.getText() !== '')) return;
  // An insertion, as the user may already be typing.
  const edit = new vscode.WorkspaceEdit();
  edit.insert(box.uri, new vscode.Position(0, 0), `@${name} `);
  await vscode.workspace.applyEdit(edit);
}

/** Opens what was meant for the chat as a document. */
export async function showAsText(text: string, permit: Permit): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content: text, language: 'markdown' });
  await showText(document, permit);
}

/** Opens what the chat did not take as a document, says why, and offers to copy it. */
export async function showInstead(why: string, text: string, permit: Permit): Promise<void> {
  await showAsText(text, permit);
  const copy = vscode.l10n.t('Copy');
  const told = vscode.l10n.t('{0} The message is in a document instead.', why);
  void showMessage('info', told, copy).then((pressed) => pressed && copyText(text));
}

/**
 * Attaches files to the message being written in the chat, which gets the keyboard; throws a `UserError` if there is no
 * chat view.
 */
export async function attachToChat(
  files: readonly vscode.Uri[],
  permit: KeyboardPermit,
): Promise<void> {
  const why = await whyNoView();
  if (why !== undefined) throw new UserError(why);
  await runWithKeyboard(permit, openCommand, { attachFiles: [...files] });
}

async function whyNoView(): Promise<string | undefined> {
  if (!(await hasCommand(openCommand))) return vscode.l10n.t('This editor has no chat view.');
  // The command still exists then, but does nothing.
  if (vscode.workspace.getConfiguration().get<boolean>(offSetting))
    return vscode.l10n.t('The chat is turned off by the setting {0}.', offSetting);
  return undefined;
}

async function hasCommand(command: string): Promise<boolean> {
  return (await vscode.commands.getCommands(true)).includes(command);
}
