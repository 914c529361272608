import * as vscode from 'vscode';
import type { JsonObject } from '../../mcp/protocol/types';
import type { Decision } from '../../contracts/questionOutcome';
import type { CallOrigin } from '../../contracts/toolCalls';
import type { ContentPart, MessagePart, ModelMessage } from '../../contracts/modelMessages';
import { appUriOf } from '../../contracts/toolApps';
import { Command, Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import { sayBreak, sayForModel, sayLine, sayLink } from '../../ui/rows/chatText';
import type { RecentOutcome, RecentOutcomes } from '../content/recentOutcomes';
import { type CutTexts, type ShortContent, estimateTokens } from '../content/cutTexts';
import {
  type ChatTools,
  type ModelCallResult,
  builtInToolNames,
  describeTools,
} from '../offer/chatTools';
import { markUntrusted, outcomeContent, textPart } from '../content/modelContent';
import type { OfferedTool } from '../../offer/offeredTools';
import { toModelMessages } from '../../ui/toModelMessages';
import {
  type WaitingLine,
  callLabel,
  progressReporter,
  reportCall,
  shortArguments,
} from './callReport';
import type { ResourceUris } from '../../ui/resourceUri';

/**
 * Returns what a model is told about a call: our own words as they are, a server's between markers and limited to
 * `limit` characters.
 */
export function toolResultForModel(
  called: ModelCallResult,
  cutTexts: CutTexts,
  limit: number,
): ShortContent {
  switch (called.kind) {
    case 'text':
      return { parts: [textPart(called.text)], leftOut: [], isCut: false };
    case 'piece': {
      const { source, offset, total, text: piece } = called.piece;
      const note = textPart(`Characters ${offset} to ${offset + piece.length} of ${total}:`);
      return {
        parts: [note, ...markUntrusted(source, [textPart(piece)])],
        leftOut: [],
        isCut: false,
      };
    }
    case 'outcome': {
      const { call, outcome } = called;
      const source = `${call.server.name} › ${call.tool.name}`;
      const short = cutTexts.shorten(source, outcomeContent(outcome), limit);
      const isOurs = outcome.kind !== 'result' && outcome.kind !== 'failed';
      return isOurs ? short : { ...short, parts: markUntrusted(source, short.parts) };
    }
  }
}

/** Returns what a model is told about the tools that were found. */
export function foundToolsForModel(
  tools: readonly OfferedTool[],
  cutTexts: CutTexts,
  limit: number,
): readonly ContentPart[] {
  const source = 'the tools of the servers';
  const content = { parts: [describeTools(tools)], leftOut: [] };
  return markUntrusted(source, cutTexts.shorten(source, content, limit).parts);
}
/** A tool call that a model asks for. */
type WantedCall = MessagePart & { readonly kind: 'call' };

/** What running a model's calls needs, shared by all calls of one answer. */
interface CallDeps {
  readonly chatTools: ChatTools;
  readonly cutTexts: CutTexts;
  readonly recentOutcomes: RecentOutcomes;
  readonly stream: vscode.ChatResponseStream;
  readonly waiting: WaitingLine;
  readonly signal: AbortSignal;
  readonly origin: CallOrigin;
  /** The most characters of a result that a model is given at once. */
  readonly maxResultLength: number;
  readonly resources: ResourceUris;
  /** The names of the tools that the model has found; running calls adds to it. */
  readonly found: Set<string>;
  /** Buttons to show below the answer, to which calls add: the editor collapses everything above its last text. */
  readonly buttons: vscode.Command[];
}

/** The most calls that a model is let want at once. */
export const maxCallsAtOnce = 50;

/** What the loop of tool calls needs. */
export interface ToolLoopDeps extends CallDeps {
  readonly model: vscode.LanguageModelChat;
  readonly token: vscode.CancellationToken;
  readonly maxRounds: number;
  /** Returns the tools to offer now: what is found in one round is offered in the next. */
  readonly toolsToOffer: () => readonly vscode.LanguageModelChatTool[];
}

/**
 * Lets the model answer, running the tools it calls until it calls no more or the rounds are used up. Puts what
 * this adds to the conversation in `added`, even if it rejects; resolves with how the answer ended.
 */
export async function toolLoop(
  messages: readonly ModelMessage[],
  added: ModelMessage[],
  deps: ToolLoopDeps,
): Promise<'complete' | 'rounds' | 'cancelled'> {
  const { stream, token, maxRounds } = deps;
  for (let round = 0; round < maxRounds; round += 1) {
    const reply = await ask([...messages, ...added], deps);
    const calls = reply.parts.filter((part) => part.kind === 'call');
    if (calls.length === 0) {
      if (reply.parts.length > 0) added.push(reply);
      return token.isCancellationRequested ? 'cancelled' : 'complete';
    }
    const answers = token.isCancellationRequested
      ? calls.map(cancelled)
      : await Promise.all(
          calls.map(async (call, index) =>
            index < maxCallsAtOnce ? runModelCall(call, deps) : tooMany(call),
          ),
        );
    // Added together: models refuse a history in which a call has no answer.
    added.push(reply, { role: 'user', parts: answers });
    if (token.isCancellationRequested) return 'cancelled';
  }
  const note = vscode.l10n.t('Stopped after {0} rounds of tool calls.', maxRounds);
  sayBreak(stream);
  sayLine(stream, note);
  return 'rounds';
}

/** Sends the conversation once, streams the text of the reply and returns the whole reply. */
async function ask(
  messages: readonly ModelMessage[],
  { model, stream, token, toolsToOffer }: ToolLoopDeps,
): Promise<ModelMessage> {
  const tools = toolsToOffer();
  const response = await model.sendRequest(
    toModelMessages(messages),
    tools.length > 0 ? { tools: [...tools] } : {},
    token,
  );
  const calls: MessagePart[] = [];
  let text = '';
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) {
      sayForModel(stream, part.value);
      text += part.value;
    } else if (part instanceof vscode.LanguageModelToolCallPart) {
      const { callId, name, input } = part;
      calls.push({ kind: 'call', id: callId, name, input: input as JsonObject });
    }
  }
  if (text && calls.length > 0) sayBreak(stream);
  const said = { kind: 'text', text, asTyped: true } as const;
  return { role: 'assistant', parts: text ? [said, ...calls] : calls };
}

function cancelled({ id }: WantedCall): MessagePart {
  return { kind: 'answer', id, content: [textPart('The call was cancelled.')] };
}

function tooMany({ id }: WantedCall): MessagePart {
  const text = `Not called: no more than ${maxCallsAtOnce} calls are taken at once.`;
  return { kind: 'answer', id, content: [textPart(text)] };
}

/** Runs one call of a model and returns what the model is told about it. */
async function runModelCall({ id, name, input }: WantedCall, deps: CallDeps): Promise<MessagePart> {
  const { chatTools, cutTexts, maxResultLength, origin, signal, stream, found } = deps;
  if (name === builtInToolNames.find) {
    const tools = chatTools.find(input);
    for (const tool of tools) {
      // The latest comes last, because the last are offered before all others.
      found.delete(tool.name);
      found.add(tool.name);
    }
    const content = foundToolsForModel(tools, cutTexts, maxResultLength);
    return { kind: 'answer', id, content };
  }
  const known = chatTools.offered.get(name);
  if (known)
    sayLine(stream, callLabel({ ...known, arguments: input, origin }), shortArguments(input));
  const watch = watchDecision(deps.waiting);
  const { onAsk, onDecided } = watch;
  const options = { signal, onProgress: progressReporter(stream), onAsk, onDecided };
  const called = await (
    name === builtInToolNames.read
      ? chatTools.read(input, origin, options)
      : chatTools.call(name, input, origin, options)
  ).finally(() => watch.dispose());
  const told = toolResultForModel(called, cutTexts, maxResultLength);
  if (called.kind === 'outcome') reportOutcome(called, watch.decision, told, deps);
  return { kind: 'answer', id, content: told.parts };
}

/** Notes when the user is asked about a call, and what is decided. */
function watchDecision(waiting: WaitingLine) {
  let answered: (() => void) | undefined;
  let decision: Decision | undefined;
  return {
    get decision() {
      return decision;
    },
    onAsk: () => {
      answered ??= waiting.begin();
    },
    onDecided: (decided: Decision) => {
      decision = decided;
      answered?.();
    },
    dispose: () => answered?.(),
  };
}

function reportOutcome(
  { call, outcome }: RecentOutcome,
  decision: Decision | undefined,
  { parts, leftOut, isCut }: ShortContent,
  { stream, recentOutcomes, resources, buttons }: CallDeps,
): void {
  const tokens = estimateTokens(parts);
  const told = { call, outcome, decision, leftOut, tokens, isCut, resources };
  reportCall(stream, told);
  if (outcome.kind !== 'result') return;
  const id = recentOutcomes.keep({ call, outcome });
  const { t } = vscode.l10n;
  sayLink(stream, t('Show Result'), Command.showToolResult, id);
  if (appUriOf(call.tool) !== undefined && readSetting(Setting.openApps) !== 'never')
    buttons.push({
      command: Command.showToolApp,
      title: t('Open App of {0}', callLabel(call)),
      arguments: [id],
    });
}
