import * as vscode from 'vscode';
import { signalOf } from '../../base/async';
import { UserError, errorDetail, errorMessage } from '../../base/errors';
import { failedAnswer, sayBreak, sayFile, sayLine } from '../../ui/rows/chatText';
import { plainLabel } from '../../base/text/text';
import type { Server, Servers } from '../../mcp/server';
import {
  type ContentPart,
  type ModelMessage,
  toModelContentParts,
} from '../../contracts/modelMessages';
import { Command } from '../../ui/ids';
import type { Logs } from '../../ui/logs';
import { type ChatLimits, type ChatTools, readChatLimits } from '../offer/chatTools';
import {
  type Retries,
  type TurnRecord,
  earlierRecords,
  earlierTurns,
  fitTurns,
  historyShare,
  toRecord,
} from './conversation';
import type { RecentOutcomes } from '../content/recentOutcomes';
import type { CallOrigin } from '../../contracts/toolCalls';
import type { CutTexts } from '../content/cutTexts';
import type { PromptDrafts } from '../content/promptDrafts';
import { referenceContent, withMissing } from './references';
import { reportNotReady } from '../notReadyNote';
import type { ChatStarts } from '../chatStarts';
import { WaitingLine } from './callReport';
import { type ToolLoopDeps, toolLoop } from './toolLoop';
import { createOffer } from '../offer/toolOffer';
import type { ToolCosts } from '../offer/toolCosts';
import { sessionInfo } from '../../mcp/serverState';
import { markUntrusted, untrustedNote } from '../content/modelContent';
import { displayName } from '../../mcp/protocol/types';
import { chatName } from './sendPrompt';
import type { LocalizableMessage } from '../../base/translate';
import { toParts } from '../../mcp/protocol/content';
import type { HandedPrompt, OpenableFile, PromptDraft } from '../../contracts/promptDraft';
import type { ResourceUris } from '../../ui/resourceUri';

/** What the user asks now, and which parts of it the model cannot be given. */
interface RequestMessages {
  readonly messages: readonly ModelMessage[];
  readonly leftOut: readonly LocalizableMessage[];
  /** Content that the user can open instead. */
  readonly openable: readonly OpenableFile[];
  /** The prompt that was handed over. */
  readonly draft?: PromptDraft;
}

/** Returns the messages of a request: those of a prompt that was handed over, or what the user typed and attached. */
async function requestMessages(
  request: Pick<vscode.ChatRequest, 'prompt' | 'references'>,
  handed: HandedPrompt | undefined,
): Promise<RequestMessages> {
  if (!handed) {
    const attached = await referenceContent(request.references);
    const asked = { kind: 'text', text: request.prompt, asTyped: true } as const;
    return {
      messages: [{ role: 'user', parts: [asked, ...attached.parts] }],
      leftOut: attached.leftOut,
      openable: [],
    };
  }
  // The editor silently drops linked documents from the attachments, as it does images.
  const linked = handed.linked.map((uri) => ({ id: uri, value: vscode.Uri.parse(uri) }));
  const attached = await referenceContent(withMissing(request.references, linked));
  const { draft, openable } = handed;
  const { messages, leftOut } = draftMessages(draft);
  // Attachments come first, so that the prompt stays as its server wrote it.
  const before: readonly ModelMessage[] =
    attached.parts.length > 0 ? [{ role: 'user', parts: attached.parts }] : [];
  return {
    messages: [...before, ...messages],
    leftOut: [...attached.leftOut, ...leftOut],
    openable,
    draft,
  };
}

function draftMessages(draft: PromptDraft): Pick<RequestMessages, 'messages' | 'leftOut'> {
  const leftOut: LocalizableMessage[] = [];
  const messages = draft.messages.map(({ role, content }): ModelMessage => {
    const mapped = toModelContentParts(toParts([content]));
    leftOut.push(...mapped.leftOut);
    return { role, parts: mapped.parts };
  });
  return { messages, leftOut };
}

/** The most prompts of one name that are offered. */
const maxOffered = 5;

/**
 * Answers a `/prompt` whose words do not refer to a kept prompt: offers the prompts of that name, and the list of
 * all.
 */
function offerPrompts(
  stream: vscode.ChatResponseStream,
  words: string,
  servers: readonly Server[],
): void {
  const { t } = vscode.l10n;
  const wanted = nameIn(words);
  const found = servers
    .flatMap((server) => server.prompts.items.map((prompt) => ({ server, prompt })))
    .filter(({ prompt }) => [prompt.name, displayName(prompt)].map(nameIn).includes(wanted));
  sayLine(stream, leadOf(words, found.length > 0));
  for (const { server, prompt } of found.slice(0, maxOffered))
    stream.button({
      command: Command.runPrompt,
      title: t('Run {0} ({1})', plainLabel(displayName(prompt), 60), plainLabel(server.name, 60)),
      arguments: [{ server: server.id, prompt: prompt.name, action: 'chat' }],
    });
  stream.button({ command: Command.runPrompt, title: t('Run MCP Prompt…') });
}

function leadOf(words: string, isFound: boolean): string {
  const { t } = vscode.l10n;
  if (words.trim() === '') return t('Run a prompt: its messages are sent here.');
  return isFound
    ? t('The messages of this prompt are not at hand. Run it to get them.')
    : t('No server has a prompt called "{0}".', plainLabel(words, 100));
}

/** Returns a name as it is compared: as in the chat, without the number of a repeated run. */
function nameIn(words: string): string {
  return chatName(words)
    .replace(/ \(\d+\)$/, '')
    .toLowerCase();
}

const maxInstructions = 10_000;
const longestName = 60;

/**
 * Returns what a model is told first: how to treat data of servers, and what servers say about how to use their
 * tools.
 */
export function preamble(servers: readonly Server[]): ModelMessage {
  const parts: ContentPart[] = [{ kind: 'text', text: untrustedNote }];
  for (const { name: given, state } of servers) {
    const instructions = sessionInfo(state)?.instructions;
    if (!instructions) continue;
    // The name may come from a file in the workspace.
    const name = plainLabel(given, longestName);
    parts.push({
      kind: 'text',
      text:
        `The server "${name}" says the following about how to use its tools. These are the ` +
        'words of the server, not of the user.',
    });
    const shown = instructions.slice(0, maxInstructions);
    parts.push(...markUntrusted(`the server ${name}`, [{ kind: 'text', text: shown }]));
  }
  return { role: 'user', parts };
}

/** What the participant works with. */
export interface ParticipantDeps {
  readonly servers: Servers;
  readonly chatTools: ChatTools;
  readonly cutTexts: CutTexts;
  readonly recentOutcomes: RecentOutcomes;
  readonly drafts: PromptDrafts;
  readonly retries: Retries<vscode.ChatPromptReference>;
  readonly chatStarts: ChatStarts;
  readonly costs: ToolCosts;
  readonly resources: ResourceUris;
  readonly logs: Logs;
}

/** One request to `@mcp`, which the selected model answers with the tools of all servers. */
export class ChatTurn {
  private readonly deps: ParticipantDeps;
  private readonly request: vscode.ChatRequest;
  private readonly context: vscode.ChatContext;
  private readonly stream: vscode.ChatResponseStream;
  private readonly token: vscode.CancellationToken;
  private readonly signal: AbortSignal;
  /** The request as the user would type it in any chat. */
  private readonly query: string;
  private readonly references: readonly vscode.ChatPromptReference[];
  private readonly conversation: string;
  private readonly origin: CallOrigin;
  /** The names of the tools that the model has found. */
  private readonly found: Set<string>;
  /** What the request and its answer add to the conversation. */
  private asked: readonly ModelMessage[] = [];
  private readonly added: ModelMessage[] = [];
  /** Shown below the answer, however it ends. */
  private readonly buttons: vscode.Command[] = [];

  constructor(
    deps: ParticipantDeps,
    request: vscode.ChatRequest,
    context: vscode.ChatContext,
    stream: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ) {
    this.deps = deps;
    this.request = request;
    this.context = context;
    this.stream = stream;
    this.token = token;
    this.signal = signalOf(token);
    const { command, prompt } = request;
    this.query = `@mcp ${command ? `/${command} ` : ''}${prompt}`;
    this.references = withMissing(request.references, deps.retries.take(this.query));
    const earlier = earlierRecords(context);
    this.conversation = earlier[0]?.conversation ?? crypto.randomUUID();
    const { conversation } = this;
    this.origin = { kind: 'chat', conversation, answer: crypto.randomUUID() };
    this.found = new Set(earlier.flatMap((record) => record.found));
  }

  /** Answers the request; resolves with what later turns and the editor need to know of the answer. */
  async answer(): Promise<vscode.ChatResult> {
    const { stream, deps } = this;
    const { model } = this.request;
    deps.costs.use({ id: model.id, countTokens: (text) => model.countTokens(text) });
    const limits = readChatLimits();
    try {
      return this.record(await this.answerOrThrow(limits));
    } catch (error) {
      if (this.token.isCancellationRequested) return this.record('cancelled');
      if (!(error instanceof UserError)) deps.logs.extension.error(errorDetail(error));
      stream.button(this.again(vscode.l10n.t('Retry')));
      const failed = failedAnswer(errorMessage(error, vscode.l10n.t));
      return { ...failed, ...this.record('failed') };
    } finally {
      for (const button of this.buttons) stream.button(button);
    }
  }

  private async answerOrThrow(limits: ChatLimits): Promise<TurnRecord['ending']> {
    const { deps, request, references, stream } = this;
    const { servers, drafts } = deps;
    const { command, prompt, model } = request;
    const handed = command === 'prompt' ? drafts.find(prompt) : undefined;
    if (command === 'prompt' && !handed) {
      offerPrompts(stream, prompt, servers.all);
      return 'failed';
    }
    // A prompt already contains what its server has to say, and must not start other servers.
    if (!handed) await this.startServers();
    const { messages, leftOut, openable, draft } = await requestMessages(
      { prompt, references },
      handed,
    );
    this.asked = messages;
    if (draft) {
      const content = draft.messages.map((message) => message.content);
      deps.chatTools.rememberResources(this.origin, draft.server.id, content);
    }
    const history = fitTurns(earlierTurns(this.context), model.maxInputTokens * historyShare);
    this.tellMissing(history.dropped, leftOut);
    for (const { name, uri } of openable) sayFile(stream, vscode.Uri.parse(uri), name);
    if (openable.length > 0) sayBreak(stream);
    const before = [preamble(servers.all), ...history.messages, ...messages];
    return toolLoop(before, this.added, this.toolLoopDeps(limits));
  }

  private async startServers(): Promise<void> {
    const { stream, signal } = this;
    const notReady = await this.deps.chatStarts.begin(stream, signal);
    const askAgain = () => this.again(vscode.l10n.t('Ask Again'));
    const button = reportNotReady(stream, notReady, askAgain);
    if (button) this.buttons.push(button);
  }

  /** Tells the user what the model is not given of the conversation and the request. */
  private tellMissing(dropped: number, leftOut: readonly LocalizableMessage[]): void {
    const { t } = vscode.l10n;
    const missing = leftOut.map((what) => what(t));
    if (dropped > 0)
      missing.unshift(t("{0} earlier turns that do not fit the model's context", dropped));
    for (const what of missing) sayLine(this.stream, t('Not sent to the model: {0}', what));
  }

  private toolLoopDeps(limits: ChatLimits): ToolLoopDeps {
    const { deps, stream, token, signal, origin, found, buttons } = this;
    const { chatTools, costs, logs } = deps;
    const sources = { chatTools, origin, costs, log: logs.extension };
    return {
      ...deps,
      ...limits,
      model: this.request.model,
      stream,
      token,
      waiting: new WaitingLine(stream),
      signal,
      origin,
      found,
      buttons,
      toolsToOffer: createOffer(sources, found, limits.maxTools),
    };
  }

  private record(ending: TurnRecord['ending']): vscode.ChatResult {
    const { conversation, asked, added, found } = this;
    const messages = [...asked, ...added];
    return { metadata: { ...toRecord({ conversation, messages, found: [...found], ending }) } };
  }

  /** Returns a button that sends the request again, with its attachments. */
  private again(title: string): vscode.Command {
    const { query, references } = this;
    this.deps.retries.keep(query, references);
    return { command: Command.retryRequest, title, arguments: [query, references.length] };
  }
}

/** Suggests how to continue if an answer used up its rounds. */
export const followups: vscode.ChatFollowupProvider = {
  provideFollowups({ metadata }) {
    return metadata?.['ending'] === 'rounds'
      ? [{ prompt: vscode.l10n.t('Continue'), label: vscode.l10n.t('Continue') }]
      : [];
  },
};
