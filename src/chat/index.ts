import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorDetail, UserError } from '../base/errors';
import type { CallGate } from '../gate/toolGate';
import type { Configuration } from '../config/configuration';
import type { Launches } from '../config/launch/prepare';
import type { Starts } from '../contracts/starts';
import type { Servers } from '../mcp/server';
import type { OutcomeView } from '../contracts/toolCalls';
import { registerCommands } from '../ui/commands';
import {
  addressChat,
  createParticipant,
  describeChat,
  openChat,
  type PromptChat,
  showInstead,
} from '../ui/editorChat';
import { byUser, type UserAction } from '../ui/questions/question';
import { Command, Participant } from '../ui/ids';
import { registerEditorServers } from './editor/editorServers';
import { registerEditorTools } from './editor/editorTools';
import { createHandOverOffer } from './editor/offerHandOver';
import { createRunsTwiceNote } from './editor/tellRunsTwice';
import { RecentOutcomes } from './content/recentOutcomes';
import { CutTexts } from './content/cutTexts';
import { ChatTools } from './offer/chatTools';
import { ChatTurn, type ParticipantDeps, followups } from './participant/participant';
import { ChatStarts } from './chatStarts';
import { PromptDrafts } from './content/promptDrafts';
import { Retries } from './participant/conversation';
import { McpChat } from './participant/sendPrompt';
import { selectTools, type SelectToolsDeps } from './offer/selectTools';
import { ToolSets, switchToolSet } from './offer/switchToolSet';
import { ToolCosts } from './offer/toolCosts';
import type { SelectTools, ToolSelection } from '../offer/offeredTools';
import { showMessage } from '../ui/messages';
import type { WorkbenchWindow } from '../ui/window';
import type { ResourceUris } from '../ui/resourceUri';
import type { Apps } from '../contracts/toolApps';

interface ChatDeps extends WorkbenchWindow {
  readonly servers: Servers;
  readonly gate: CallGate;
  readonly outcomes: OutcomeView;
  readonly apps: Pick<Apps, 'open' | 'noteSent'>;
  readonly selection: ToolSelection;
  readonly configuration: Pick<Configuration, 'get'>;
  readonly resources: ResourceUris;
  readonly launches: Pick<Launches, 'handOver' | 'readiness'>;
  readonly starts: Pick<Starts, 'startAndTell'>;
}

/** What other features need of the chat. */
interface Chat extends Disposable {
  readonly promptChat: PromptChat;
  readonly selectTools: SelectTools;
}

/** Registers the chat participant `@mcp` and the tools for other chats. */
export function register(deps: ChatDeps): Chat {
  const { servers, gate, resources, logs, questions, selection } = deps;
  const store = new DisposableStore();
  const drafts = new PromptDrafts();
  const retries = new Retries<vscode.ChatPromptReference>();
  const cutTexts = new CutTexts();
  const recentOutcomes = new RecentOutcomes();
  const costs = new ToolCosts();
  const chatStarts = new ChatStarts(deps);
  const log = logs.extension;
  const chatTools = new ChatTools({ servers, gate, cutTexts, selection, log });
  const notes = notesOnEditor(deps);
  const turnDeps = {
    servers,
    chatTools,
    cutTexts,
    recentOutcomes,
    drafts,
    retries,
    chatStarts,
    costs,
    resources,
    logs,
  };
  const participant = addParticipant(deps, turnDeps, notes.answered);
  if (participant) store.add(participant);
  log.info(describeChat());
  store.add(registerEditorTools(chatTools, cutTexts, notes.called));
  store.add(registerEditorServers(servers, deps.launches));
  const choosing = { servers, chatTools, selection, costs, questions };
  store.add(registerChatCommands(deps, { choosing, retries, chatStarts, recentOutcomes }));
  return {
    promptChat: new McpChat({ drafts, isOffered: participant !== undefined, questions }),
    selectTools: (action, ofAgent, agent) =>
      selectTools(action, { ...choosing, selection: ofAgent }, agent),
    dispose: () => store.dispose(),
  };
}

/** Returns what tells the user, after answers and calls, of servers that the editor knows or could know as well. */
function notesOnEditor({ servers, configuration, questions, context, logs }: ChatDeps): {
  /** Called when `@mcp` has answered. */
  readonly answered: () => void;
  /** Called when another chat has called a tool. */
  readonly called: () => void;
} {
  const state = context.globalState;
  const isOfEditor = (id: string) => {
    const { layer, alsoIn = [] } = configuration.get(id) ?? {};
    return [layer, ...alsoIn].some((one) => one?.uri?.endsWith('/.vscode/mcp.json'));
  };
  const tellRunsTwice = createRunsTwiceNote({
    servers,
    isOfEditor,
    state,
    toolNames: () => vscode.lm.tools.map(({ name }) => name),
  });
  const offerHandOver = createHandOverOffer({
    servers,
    questions,
    state,
    isOursAlone: (id) => configuration.get(id)?.layer.unwritten === undefined && !isOfEditor(id),
    now: Date.now,
  });
  const failed = (error: unknown) => logs.extension.error(errorDetail(error));
  return {
    answered: () => void tellRunsTwice().catch(failed),
    called: () => void Promise.all([offerHandOver(), tellRunsTwice()]).catch(failed),
  };
}

/** Adds `@mcp` to the chat; `undefined` if the editor supports no participants. */
function addParticipant(
  { questions, apps }: ChatDeps,
  turnDeps: ParticipantDeps,
  answered: () => void,
): vscode.ChatParticipant | undefined {
  const participant = createParticipant(Participant.mcp, async (request, ...turn) => {
    questions.noteAction();
    apps.noteSent(
      request.references.flatMap(({ value }) =>
        value instanceof vscode.Uri ? [value.toString()] : [],
      ),
      byUser(),
    );
    try {
      return await new ChatTurn(turnDeps, request, ...turn).answer();
    } finally {
      answered();
    }
  });
  if (!participant) return undefined;
  participant.iconPath = new vscode.ThemeIcon('plug');
  participant.followupProvider = followups;
  return participant;
}

function registerChatCommands(
  { context, logs, questions, outcomes, apps }: ChatDeps,
  {
    choosing,
    retries,
    chatStarts,
    recentOutcomes,
  }: {
    readonly choosing: SelectToolsDeps;
    readonly retries: Retries<vscode.ChatPromptReference>;
    readonly chatStarts: ChatStarts;
    readonly recentOutcomes: RecentOutcomes;
  },
): Disposable {
  const sets = new ToolSets(context.workspaceState);
  const outcomeOf = (id: unknown) => {
    const kept = recentOutcomes.get(String(id));
    if (kept) return kept;
    throw new UserError(vscode.l10n.t('This result is no longer kept: call the tool again.'));
  };
  return registerCommands(logs, {
    [Command.selectTools]: (action: UserAction) => selectTools(action, choosing),
    [Command.switchToolSet]: (action: UserAction) => switchToolSet(action, choosing, sets),
    [Command.retryRequest]: (action: UserAction, query: unknown, attachments: unknown) =>
      retry(action, String(query), Number(attachments) > 0, retries),
    [Command.reviewServers]: async (
      action: UserAction,
      ids: unknown,
      query?: unknown,
      attachments?: unknown,
    ) => {
      const isRunning = await chatStarts.review([ids].flat().map(String), action);
      if (!isRunning || typeof query !== 'string') return;
      // Questions and starts may have taken long, and the user may be typing elsewhere.
      const permit = await questions.untilFree(action);
      await retry(permit, query, Number(attachments) > 0, retries);
    },
    [Command.showToolResult]: async (action: UserAction, id: unknown) => {
      const { call, outcome } = outcomeOf(id);
      await outcomes.show(call, outcome, action);
    },
    [Command.showToolApp]: async (action: UserAction, id: unknown) => {
      const { call, outcome } = outcomeOf(id);
      await apps.open(call, Promise.resolve(outcome), action);
    },
  });
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
  const why = await openChat({ query, submit: isKept, permit: action });
  if (why !== undefined) return showInstead(why, query, action);
  if (isKept) await addressChat('mcp');
  if (!isKept && hadAttachments)
    void showMessage(
      'warning',
      vscode.l10n.t('The attachment is no longer in memory. Attach it again and send.'),
    );
}
