import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { plainLabel } from '../base/text/text';
import type { Servers } from '../mcp/server';
import { registerCommands } from '../ui/commands';
import { choiceCommands } from '../ui/documents/choiceCommands';
import { type PromptChat, offerTool } from '../ui/editorChat';
import { Command } from '../ui/ids';
import type { TreeSection } from '../ui/tree';
import { PromptDelivery } from './delivery/deliverPrompt';
import { type PaletteStatus, registerPalette } from './palette/registerPalette';
import type { Starts } from '../contracts/starts';
import { createPickPrompt, type PickPrompt } from './pickPrompt';
import { PromptFiles } from './preview/promptFiles';
import { PromptHistory } from './arguments/promptHistory';
import { createPromptSection, isPromptNode } from './promptSection';
import { PromptRuns, type RunPromptDeps } from './runPrompt';
import { keybindingText } from './runRequest';
import { previewCommands } from './delivery/targets';
import type { UserAction } from '../ui/questions/question';
import { tellBriefly } from '../ui/messages';
import { asRecord } from '../base/json';
import { toModelContent } from '../ui/toModelMessages';
import { runPromptTool } from './palette/paletteEntry';
import { copyJson } from '../ui/clipboard';
import type { WorkbenchWindow } from '../ui/window';

interface PromptsDeps extends WorkbenchWindow, Omit<RunPromptDeps, 'history' | 'delivery'> {
  readonly servers: Servers;
  readonly promptChat: PromptChat;
  readonly starts: Pick<Starts, 'start' | 'startAndTell'>;
}

/** Registers prompts in the Command Palette and the tree; `promptChat` takes the messages that a prompt returned. */
export function register(deps: PromptsDeps): Disposable & {
  readonly section: TreeSection;
  /** Keeps nothing of what a server said of its prompts, nor what was chosen of them. */
  readonly forget: (serverId: string) => Promise<void>;
} {
  const { servers, logs, context } = deps;
  const store = new DisposableStore();
  // In a remote window, the chat runs on a different machine than the extension.
  const isLocal = vscode.env.remoteName === undefined;
  const disk = vscode.Uri.joinPath(context.globalStorageUri, 'attachments');
  const promptFiles = store.add(
    new PromptFiles(deps.files, deps.platform.files, isLocal ? disk : undefined),
  );
  const history = new PromptHistory(context.workspaceState);
  const pick = createPickPrompt({ ...deps, recent: () => history.recent });
  const delivery = new PromptDelivery({ ...deps, promptFiles });
  const runs = new PromptRuns(servers, pick, { ...deps, history, delivery }, deps.walkthrough);
  const palette = store.add(
    registerPalette({
      servers,
      logs,
      platform: deps.platform,
      state: context.globalState,
      storage: context.globalStorageUri,
      icon: vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png'),
      runs,
    }),
  );
  store.add(registerRunPromptTool(palette, runs));
  store.add(
    registerCommands(logs, {
      [Command.runPrompt]: (action: UserAction, given: unknown) => runs.run(action, given),
      [Command.runPromptWith]: (action: UserAction, given: unknown) => runs.runWith(action, given),
      ...choiceCommands(deps.input, previewCommands()),
      [Command.copyPromptKeybinding]: (action: UserAction, row: unknown) =>
        copyKeybinding(action, row, pick),
    }),
  );
  return {
    section: createPromptSection(palette.kindOf, palette.onDidChange),
    async forget(serverId) {
      await history.forgetOf(serverId);
      await palette.forget(serverId);
    },
    dispose: () => store.dispose(),
  };
}

async function copyKeybinding(action: UserAction, row: unknown, pick: PickPrompt): Promise<void> {
  const { t } = vscode.l10n;
  const entry = isPromptNode(row) ? row : await pick(action, t('Copy Prompt as Keybinding'));
  if (!entry) return;
  const command = { server: entry.server.id, prompt: entry.prompt.name };
  await copyJson(keybindingText(Command.runPrompt, command));
  tellBriefly(t('Copied the keybinding'), 3000);
}

/**
 * Registers the tool with which slash commands run prompts in any chat: only prompts that the user published, with
 * arguments that the user is asked for, never the model.
 */
function registerRunPromptTool(palette: PaletteStatus, runs: PromptRuns): vscode.Disposable {
  return offerTool<object>(runPromptTool, {
    prepareInvocation: ({ input }) => ({
      invocationMessage: plainLabel(
        vscode.l10n.t('Running the MCP prompt {0}', readInput(input).prompt),
      ),
    }),
    async invoke({ input }) {
      const { server, prompt } = readInput(input);
      if (!(await palette.isPublished(server, prompt)))
        return answerWith('The user has not published this prompt as a slash command');
      const text = await runs.run(undefined, { server, prompt, action: 'return' });
      return text !== undefined
        ? answerWith(text)
        : answerWith('The user did not go on with the prompt: do nothing');
    },
  });
}

function readInput(input: object): { readonly server: string; readonly prompt: string } {
  const { server, prompt } = asRecord(input);
  return { server: textOf(server), prompt: textOf(prompt) };
}

function answerWith(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([toModelContent({ kind: 'text', text })]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
