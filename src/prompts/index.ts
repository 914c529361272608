import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { plainLabel } from '../base/text/text';
import type { Platform } from '../mcp/platform';
import { displayName } from '../mcp/protocol/types';
import type { Servers } from '../mcp/server';
import type { Readiness } from '../mcp/serverState';
import { registerCommands } from '../ui/commands';
import { choiceCommands } from '../ui/documents/choiceCommands';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { SendToChat } from '../ui/editorChat';
import type { Questions } from '../ui/questions/questions';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import type { TreeSection } from '../ui/tree';
import type { Walkthrough } from '../ui/walkthrough';
import { PromptDelivery } from './delivery/deliverPrompt';
import { registerPalette } from './palette/registerPalette';
import type { StartAndTell, StartServer } from '../contracts/startServer';
import { createPickPrompt, type PickPrompt } from './pickPrompt';
import { PromptFiles } from './preview/promptFiles';
import { promptForm } from './arguments/askArguments';
import { PromptHistory } from './arguments/promptHistory';
import { createPromptSection, isPromptNode } from './promptSection';
import { type RunRequest, keybindingText, parseRunRequest, runPrompt } from './runPrompt';
import { argumentsKey, promptKey } from './promptEntry';
import { registerRunPromptTool } from './runPromptTool';
import { goalRows } from './arguments/argumentDocument';
import { previewCommands } from './preview/actionTexts';
import { showPick } from '../ui/rows/picks';
import type { UserAction } from '../ui/questions/question';
import { tellBriefly } from '../ui/messages';

interface PromptsDeps {
  readonly servers: Servers;
  readonly context: Pick<
    vscode.ExtensionContext,
    'workspaceState' | 'globalState' | 'globalStorageUri' | 'extensionUri'
  >;
  readonly logs: Logs;
  readonly platform: Platform;
  readonly writer: WorkspaceWriter;
  readonly files: MemoryFiles;
  readonly input: DocumentInput;
  readonly questions: Questions;
  readonly sendToChat: SendToChat;
  readonly startServer: StartServer;
  readonly startAndTell: StartAndTell;
  /** Returns what keeps the server from starting, if anything. */
  readonly readiness: (id: string) => Promise<Readiness>;
  readonly walkthrough: Pick<Walkthrough, 'done'>;
  /** Returns the URI of the document that shows a resource of a server. */
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
}

/** Registers prompts in the Command Palette and the tree; `sendToChat` takes the messages that a prompt returned. */
export function register(deps: PromptsDeps): Disposable & { readonly section: TreeSection } {
  const { servers, logs, context } = deps;
  const store = new DisposableStore();
  // In a remote window, the chat runs on a different machine than the extension.
  const isLocal = vscode.env.remoteName === undefined;
  const disk = vscode.Uri.joinPath(context.globalStorageUri, 'attachments');
  const promptFiles = store.add(
    new PromptFiles(deps.files, deps.platform.files, isLocal ? disk : undefined),
  );
  const runs = new PromptRuns(deps, new PromptDelivery({ ...deps, promptFiles }));
  const palette = store.add(
    registerPalette({
      servers,
      logs,
      platform: deps.platform,
      state: context.globalState,
      storage: context.globalStorageUri,
      icon: vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png'),
      pick: runs.pick,
      run: async ({ server, prompt }) => {
        await vscode.commands.executeCommand(Command.runPrompt, { server, prompt });
      },
    }),
  );
  store.add(
    registerRunPromptTool({
      isPublished: (server, prompt) =>
        palette.isPublished(promptKey({ server: { id: server }, prompt: { name: prompt } })),
      run: (server, prompt) => runs.run(undefined, { server, prompt, action: 'return' }),
    }),
  );
  store.add(
    registerCommands(logs, {
      [Command.runPrompt]: (action: UserAction, given: unknown) => runs.run(action, given),
      [Command.runPromptWith]: (action: UserAction, given: unknown) => runs.runWith(action, given),
      ...choiceCommands(deps.input, previewCommands()),
      [Command.copyPromptKeybinding]: (action: UserAction, row: unknown) =>
        copyKeybinding(action, row, runs.pick),
    }),
  );
  return {
    section: createPromptSection(palette.kindOf, palette.onDidChange),
    dispose: () => store.dispose(),
  };
}

/** Runs prompts: those that are named, and those that the user picks. */
class PromptRuns {
  readonly pick: PickPrompt;
  private readonly deps: PromptsDeps;
  private readonly delivery: PromptDelivery;
  private readonly history: PromptHistory;

  constructor(deps: PromptsDeps, delivery: PromptDelivery) {
    this.deps = deps;
    this.delivery = delivery;
    this.history = new PromptHistory(deps.context.workspaceState);
    this.pick = createPickPrompt({ ...deps, recent: () => this.history.recent });
  }

  async run(asked: UserAction | undefined, given: unknown) {
    const request = await parseRunRequest(given, this.deps.servers);
    const entry = request?.entry ?? (asked && (await this.pick(asked)));
    if (!entry) return undefined;
    if (request?.arguments || request?.action) return this.begin({ ...request, entry, asked });
    return this.deps.questions.once({ server: entry.server, form: promptForm(entry) }, (answered) =>
      this.begin({ entry, answered, asked }),
    );
  }

  /** Runs a prompt after asking what to do with its messages. */
  async runWith(asked: UserAction, given: unknown): Promise<void> {
    const { t } = vscode.l10n;
    const request = await parseRunRequest(given, this.deps.servers);
    const entry = request?.entry ?? (await this.pick(asked, t('Send MCP Prompt To')));
    if (!entry) return;
    const title = t('Send “{0}” To', plainLabel(displayName(entry.prompt), 60));
    const current = this.history.nextAction(await argumentsKey(entry));
    const row = await showPick(asked, goalRows(current), { title });
    if (row) await this.begin({ ...request, entry, action: row.action, isChosen: true, asked });
  }

  private async begin(request: RunRequest) {
    const { deps, history, delivery } = this;
    const answer = await runPrompt(request, { ...deps, history, delivery });
    deps.walkthrough.done('prompts');
    return answer;
  }
}

async function copyKeybinding(action: UserAction, row: unknown, pick: PickPrompt): Promise<void> {
  const { t } = vscode.l10n;
  const entry = isPromptNode(row) ? row : await pick(action, t('Copy Prompt as Keybinding'));
  if (!entry) return;
  const command = { server: entry.server.id, prompt: entry.prompt.name };
  await vscode.env.clipboard.writeText(keybindingText(Command.runPrompt, command));
  tellBriefly(t('Copied the keybinding'), 3000);
}
