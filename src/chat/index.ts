import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { UserError } from '../base/errors';
import { plainLabel } from '../base/text/text';
import { displayName } from '../mcp/protocol/types';
import type { SendToChat } from '../contracts/promptDraft';
import type { StartOutcome } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import type { RunTool, ToolCall, ToolOutcome } from '../contracts/toolCalls';
import { registerCommands } from '../ui/commands';
import { openChat } from '../ui/editorCommands';
import { Command, ContextKey, Participant } from '../ui/ids';
import type { Logs } from '../ui/logs';
import type { Questions } from '../ui/questions/questions';
import { registerEditorServers, type Prepare } from './editor/editorServers';
import { registerEditorTools } from './editor/editorTools';
import { KeptOutcomes } from './content/keptOutcomes';
import { KeptTexts } from './content/keptTexts';
import { ChatTools } from './offer/chatTools';
import { createHandler, followups } from './participant/participant';
import { ServerStarts } from './starts/startServers';
import { PromptDrafts } from './content/promptDrafts';
import { LeftAlone } from './starts/leftAlone';
import { Retries } from './participant/retries';
import { selectTools } from './offer/selectTools';
import { ToolSelection } from './offer/toolSelection';

/** The chat participant `@mcp`, the tools for other chats, and a way to hand over the messages of a prompt. */
export function register(deps: {
  readonly servers: Servers;
  readonly run: RunTool;
  readonly showOutcome: (call: ToolCall, outcome: ToolOutcome) => Promise<void>;
  readonly state: vscode.Memento;
  /** The document that shows a resource of a server. */
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
  /** Gives the variables of a launch configuration their values and asks for trust. */
  readonly prepare: Prepare;
  /** True when a start of the server would not ask the user whether it may run. */
  readonly isTrusted: (id: string) => Promise<boolean>;
  /** Starts a server because the user wants it. */
  readonly startServer: (id: string) => Promise<readonly StartOutcome[]>;
  readonly logs: Logs;
  readonly questions: Questions;
}): Disposable & { readonly sendToChat: SendToChat } {
  const { servers, run, showOutcome, resourceUri, logs } = deps;
  const store = new DisposableStore();
  const drafts = new PromptDrafts();
  const retries = new Retries<vscode.ChatPromptReference>();
  const keptTexts = new KeptTexts();
  const keptOutcomes = new KeptOutcomes();
  const selection = new ToolSelection(deps.state);
  const starts = new ServerStarts({ ...deps, leftAlone: new LeftAlone(deps.state) });
  const chatTools = new ChatTools({
    servers,
    run,
    kept: keptTexts,
    selection,
    log: logs.extension,
  });
  const handle = createHandler({
    servers,
    chatTools,
    keptTexts,
    keptOutcomes,
    drafts,
    retries,
    starts,
    resourceUri,
    logs,
  });
  const participant = store.add(
    vscode.chat.createChatParticipant(Participant.mcp, (...request) => {
      deps.questions.noteAction();
      return handle(...request);
    }),
  );
  participant.iconPath = new vscode.ThemeIcon('plug');
  participant.followupProvider = followups;
  store.add(registerEditorTools(chatTools, keptTexts));
  store.add(registerEditorServers(servers, deps.prepare));
  const updateContext = () =>
    vscode.commands.executeCommand('setContext', ContextKey.hasServers, servers.all.length > 0);
  store.add(servers.onDidChange(() => void updateContext()));
  void updateContext();
  store.add(
    registerCommands(logs, {
      [Command.selectTools]: () => selectTools(servers, selection),
      [Command.retryRequest]: (query: unknown, attachments: unknown) =>
        retry(String(query), Number(attachments) > 0, retries),
      [Command.reviewServers]: (ids: unknown) =>
        starts.review(Array.isArray(ids) ? ids.map(String) : []),
      [Command.showToolResult]: async (id: unknown) => {
        const kept = keptOutcomes.get(String(id));
        if (!kept)
          throw new UserError(vscode.l10n.t('This result is no longer kept: call the tool again.'));
        await showOutcome(kept.call, kept.outcome);
      },
    }),
  );
  return {
    async sendToChat(prompt) {
      const title = displayName(prompt.draft.prompt);
      const name = plainLabel(title, 60).replaceAll(/[@#/]/g, ' ').trim();
      await openChat({
        query: `@mcp /prompt ${name} #${drafts.keep(prompt)}`,
        submit: true,
        attachFiles: prompt.linked.map((uri) => vscode.Uri.parse(uri)),
      });
    },
    dispose: () => store.dispose(),
  };
}

/** Sends a request of ours again; any other text is only a draft, and so is one whose attachments are forgotten. */
async function retry(
  query: string,
  hadAttachments: boolean,
  retries: Retries<vscode.ChatPromptReference>,
): Promise<void> {
  const references = retries.begin(query);
  const isKept = references !== undefined;
  const attachFiles = (references ?? []).flatMap(({ value }) =>
    value instanceof vscode.Uri ? [value] : [],
  );
  await openChat({ query, submit: isKept, attachFiles });
  if (!isKept && hadAttachments)
    void vscode.window.showWarningMessage(
      vscode.l10n.t('What was attached is no longer held in memory. Attach it again, and send.'),
    );
}
