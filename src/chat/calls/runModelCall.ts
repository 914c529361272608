import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { Progress } from '../../mcp/protocol/types';
import type { Decision } from '../../contracts/decision';
import type { CallOrigin } from '../../contracts/toolCalls';
import type { ContentPart, MessagePart } from '../../contracts/modelMessages';
import { appUriOf } from '../../contracts/toolApps';
import { Command, Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import { callLabel, reportCall } from './callReport';
import { sayLine, sayLink, sayProgress } from '../../ui/rows/chatText';
import { toolResultForModel, foundToolsForModel } from './toolResultForModel';
import { shortArguments } from './shortForms';
import type { WaitingLine } from './waitingLine';
import type { KeptOutcome, KeptOutcomes } from '../content/keptOutcomes';
import { estimateTokens, type KeptTexts, type ShortContent } from '../content/keptTexts';
import { builtInToolNames, type ChatTools } from '../offer/chatTools';

/** A tool call that a model asks for. */
export type WantedCall = MessagePart & { readonly kind: 'call' };

/** What running a model's calls needs, shared by all calls of one answer. */
export interface CallParts {
  readonly chatTools: ChatTools;
  readonly keptTexts: KeptTexts;
  readonly keptOutcomes: KeptOutcomes;
  readonly stream: vscode.ChatResponseStream;
  readonly waiting: WaitingLine;
  readonly signal: AbortSignal;
  readonly origin: CallOrigin;
  /** The most characters of a result that a model is given at once. */
  readonly maxResultLength: number;
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
  /** The names of the tools that the model has found; running calls adds to it. */
  readonly found: Set<string>;
  /** Buttons to show below the answer, to which calls add: the editor collapses everything above its last text. */
  readonly buttons: vscode.Command[];
}

/**
 * The time to the first report of progress; it doubles after each, since every report stays in the chat as its
 * own line.
 */
const firstProgressMs = 1000;

/** Runs one call of a model and returns what the model is told about it. */
export async function runModelCall(call: WantedCall, parts: CallParts): Promise<MessagePart> {
  const content = await contentOf(call, parts);
  return { kind: 'answer', id: call.id, content };
}

async function contentOf(
  { name, input }: WantedCall,
  parts: CallParts,
): Promise<readonly ContentPart[]> {
  const { chatTools, keptTexts, maxResultLength, origin, signal, stream, found } = parts;
  if (name === builtInToolNames.find) {
    const tools = chatTools.find(input);
    for (const tool of tools) {
      // The latest comes last, because the last are offered before all others.
      found.delete(tool.name);
      found.add(tool.name);
    }
    return foundToolsForModel(tools, keptTexts, maxResultLength);
  }
  const known = chatTools.offered.get(name);
  if (known)
    sayLine(stream, callLabel({ ...known, arguments: input, origin }), shortArguments(input));
  const watch = watchDecision(parts.waiting);
  const { onAsk, onDecided } = watch;
  const options = { signal, onProgress: progressReporter(stream), onAsk, onDecided };
  const called = await (
    name === builtInToolNames.read
      ? chatTools.read(input, origin, options)
      : chatTools.call(name, input, origin, options)
  ).finally(() => watch.dispose());
  const content = toolResultForModel(called, keptTexts, maxResultLength);
  if (called.kind === 'outcome') report(called, watch.decision, content, parts);
  return content.parts;
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

function report(
  { call, outcome }: KeptOutcome,
  decision: Decision | undefined,
  { parts, leftOut, isCut }: ShortContent,
  { stream, keptOutcomes, resourceUri, buttons }: CallParts,
): void {
  const tokens = estimateTokens(parts);
  const told = { call, outcome, decision, leftOut, tokens, isCut, resourceUri };
  const hasMore = reportCall(stream, told);
  if (outcome.kind !== 'result') return;
  const id = keptOutcomes.keep({ call, outcome });
  const { t } = vscode.l10n;
  sayLink(stream, t('Show Result'), Command.showToolResult, id);
  if (appUriOf(call.tool) !== undefined && readSetting(Setting.openApps) !== 'never')
    buttons.push({
      command: Command.showToolApp,
      title: t('Open App of {0}', callLabel(call)),
      arguments: [id],
    });
  if (hasMore)
    buttons.push({
      command: Command.showToolResult,
      title: t('Show Result of {0}', callLabel(call)),
      arguments: [id],
    });
}

function progressReporter(stream: vscode.ChatResponseStream): (progress: Progress) => void {
  let distance = firstProgressMs;
  let next = Date.now() + distance;
  return ({ progress, total, message }) => {
    const now = Date.now();
    if (now < next) return;
    distance *= 2;
    next = now + distance;
    const amount = total ? `${Math.round((progress / total) * 100)}%` : String(progress);
    sayProgress(stream, message ? `${amount} ${plainLabel(message, 100)}` : amount);
  };
}
