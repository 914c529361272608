import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorDetail, UserError } from '../base/errors';
import type { CallGate } from '../gate/toolGate';
import type { Configuration } from '../config/configuration';
import type { Readiness } from '../config/launch/prepare';
import type { StartAndTell } from '../contracts/startServer';
import type { Servers } from '../mcp/servers';
import type { ToolCall, ToolOutcome } from '../contracts/toolCalls';
import { registerCommands } from '../ui/commands';
import {
  addressChat,
  createParticipant,
  describeChat,
  openChat,
  type SendToChat,
  showInstead,
} from '../ui/editorChat';
import { byUser, type KeyboardLeave, type UserAction } from '../ui/questions/question';
import { Command, Participant } from '../ui/ids';
import type { Logs } from '../ui/logs';
import type { Questions } from '../ui/questions/questions';
import { registerEditorServers, type Prepare } from './editor/editorServers';
import { registerEditorTools } from './editor/editorTools';
import { createHandOverOffer } from './editor/offerHandOver';
import { createRunsTwiceNote } from './editor/tellRunsTwice';
import { RecentOutcomes } from './content/recentOutcomes';
import { CutTexts } from './content/cutTexts';
import { ChatTools } from './offer/chatTools';
import { createHandler, followups } from './participant/participant';
import { ServerStarts } from './startServers';
import { PromptDrafts } from './content/promptDrafts';
import { Retries } from './participant/retries';
import { createSendToChat } from './participant/sendPrompt';
import { selectTools } from './offer/selectTools';
import { switchToolSet } from './offer/switchToolSet';
import { ToolCosts } from './offer/toolCosts';
import { ToolSelection } from '../offer/toolSelection';
import { ToolSets } from './offer/toolSets';

/**
 * Registers the chat participant `@mcp` and the tools for other chats, and returns a way to send prompts to the
 * chat.
 */
export function register(deps: {
  readonly servers: Servers;
  readonly gate: CallGate;
  readonly showOutcome: (call: ToolCall, outcome: ToolOutcome, action: UserAction) => Promise<void>;
  /** Opens the app of a call's tool. */
  readonly openApp: (
    call: ToolCall,
    ended: Promise<ToolOutcome>,
    asked: UserAction,
  ) => Promise<void>;
  /** Receives the attachments of a user's message when it is sent. */
  readonly noteSent: (attached: readonly vscode.Uri[], leave: KeyboardLeave) => void;
  readonly state: vscode.Memento;
  readonly context: Pick<vscode.ExtensionContext, 'globalState'>;
  readonly configuration: Pick<Configuration, 'get'>;
  /** Returns the URI of the document that shows a resource of a server. */
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
  /** Fills in the variables of a launch configuration and asks for trust. */
  readonly prepare: Prepare;
  /** Says what a server needs before it can start, if anything. */
  readonly readiness: (id: string) => Promise<Readiness>;
  readonly startAndTell: StartAndTell;
  readonly logs: Logs;
  readonly questions: Questions;
}): Disposable & { readonly sendToChat: SendToChat } {
  const { servers, gate, showOutcome, resourceUri, logs } = deps;
  const store = new DisposableStore();
  const drafts = new PromptDrafts();
  const retries = new Retries<vscode.ChatPromptReference>();
  const keptTexts = new CutTexts();
  const keptOutcomes = new RecentOutcomes();
  const selection = new ToolSelection(deps.state);
  const sets = new ToolSets(deps.state);
  const costs = new ToolCosts();
  const starts = new ServerStarts(deps);
  const chatTools = new ChatTools({
    servers,
    gate,
    kept: keptTexts,
    selection,
    log: logs.extension,
  });
  const isOfEditor = (id: string) => {
    const { reading, alsoIn = [] } = deps.configuration.get(id) ?? {};
    return [reading, ...alsoIn].some((one) => one?.uri?.endsWith('/.vscode/mcp.json'));
  };
  const tellRunsTwice = createRunsTwiceNote({
    servers,
    isOfEditor,
    state: deps.context.globalState,
    toolNames: () => vscode.lm.tools.map(({ name }) => name),
  });
  const told = (error: unknown) => logs.extension.error(errorDetail(error));
  const handle = createHandler({
    servers,
    chatTools,
    keptTexts,
    keptOutcomes,
    drafts,
    retries,
    starts,
    costs,
    resourceUri,
    logs,
  });
  const participant = createParticipant(Participant.mcp, async (...request) => {
    deps.questions.noteAction();
    deps.noteSent(
      request[0].references.flatMap(({ value }) => (value instanceof vscode.Uri ? [value] : [])),
      byUser(),
    );
    try {
      return await handle(...request);
    } finally {
      void tellRunsTwice().catch(told);
    }
  });
  if (participant) {
    store.add(participant);
    participant.iconPath = new vscode.ThemeIcon('plug');
    participant.followupProvider = followups;
  }
  const choosing = { servers, chatTools, selection, costs, questions: deps.questions };
  logs.extension.info(describeChat());
  const offerHandOver = createHandOverOffer({
    servers,
    questions: deps.questions,
    state: deps.context.globalState,
    isOursAlone: (id) => deps.configuration.get(id)?.reading.isIncluded !== true && !isOfEditor(id),
    now: Date.now,
  });
  const onCalled = () => void Promise.all([offerHandOver(), tellRunsTwice()]).catch(told);
  store.add(registerEditorTools(chatTools, keptTexts, onCalled));
  store.add(registerEditorServers(servers, deps.prepare));
  store.add(
    registerCommands(logs, {
      [Command.selectTools]: (action: UserAction) => selectTools(action, choosing),
      [Command.switchToolSet]: (action: UserAction) => switchToolSet(action, choosing, sets),
      [Command.retryRequest]: (action: UserAction, query: unknown, attachments: unknown) =>
        retry(action, String(query), Number(attachments) > 0, retries),
      [Command.reviewServers]: (_action: UserAction, ...ids: readonly unknown[]) =>
        starts.review(ids.flat().map(String)),
      [Command.showToolResult]: async (action: UserAction, id: unknown) => {
        const kept = keptOutcomes.get(String(id));
        if (!kept)
          throw new UserError(vscode.l10n.t('This result is no longer kept: call the tool again.'));
        await showOutcome(kept.call, kept.outcome, action);
      },
      [Command.showToolApp]: async (action: UserAction, id: unknown) => {
        const kept = keptOutcomes.get(String(id));
        if (!kept)
          throw new UserError(vscode.l10n.t('This result is no longer kept: call the tool again.'));
        await deps.openApp(kept.call, Promise.resolve(kept.outcome), action);
      },
    }),
  );
  return {
    sendToChat: createSendToChat({
      drafts,
      open: openChat,
      isOffered: participant !== undefined,
      address: async () => {
        await addressChat('mcp');
        // The text in the box is ours: nobody is typing there.
        deps.questions.noteAction();
      },
    }),
    dispose: () => store.dispose(),
  };
}

/**
 * Sends one of our requests again; any other text, or a request whose attachments are forgotten, only becomes a
 * draft.
 */
async function retry(
  action: UserAction,
  query: string,
  hadAttachments: boolean,
  retries: Retries<vscode.ChatPromptReference>,
): Promise<void> {
  const isKept = retries.begin(query) !== undefined;
  const why = await openChat({ query, submit: isKept, leave: action });
  if (why !== undefined) return showInstead(why, query, action);
  if (isKept) await addressChat('mcp');
  if (!isKept && hadAttachments)
    void vscode.window.showWarningMessage(
      vscode.l10n.t('The attachment is no longer in memory. Attach it again and send.'),
    );
}
