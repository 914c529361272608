import * as vscode from 'vscode';
import { formatBytes, plainLabel } from '../../base/text/text';
import {
  type CallToolResult,
  type JsonObject,
  type Progress,
  displayName,
} from '../../mcp/protocol/types';
import type { Decision } from '../../contracts/questionOutcome';
import type { CallOrigin, ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import type { ContentPart, MessagePart } from '../../contracts/modelMessages';
import { appUriOf } from '../../contracts/toolApps';
import { Command, Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import { sayBreak, sayFile, sayLine, sayLink, sayProgress } from '../../ui/rows/chatText';
import type { RecentOutcome, RecentOutcomes } from '../content/recentOutcomes';
import { type CutTexts, type ShortContent, estimateTokens } from '../content/cutTexts';
import {
  type ChatTools,
  type ModelCallResult,
  builtInToolNames,
  describeTools,
} from '../offer/chatTools';
import { type LocalizableMessage, listText } from '../../base/translate';
import { decisionText } from '../../ui/decisionText';
import { type Part, toParts } from '../../mcp/protocol/content';
import { shortJson } from '../../base/measureJson';
import type { ChatPiece } from '../../base/text/markdown';
import { markUntrusted, outcomeContent, textPart } from '../content/modelContent';
import type { OfferedTool } from '../../offer/offeredTools';
import { Timer } from '../../base/async';

/** A question that is answered sooner than this needs no line; calls that come at once share a line. */
const settleMs = 500;

/** Says in an answer how many of its calls wait for the user, until all are decided. */
export class WaitingLine {
  private readonly stream: Pick<vscode.ChatResponseStream, 'markdown' | 'progress'>;
  private readonly timer = new Timer(() => this.write());
  private waiting = 0;
  private isShown = false;

  constructor(stream: Pick<vscode.ChatResponseStream, 'markdown' | 'progress'>) {
    this.stream = stream;
  }

  /** Notes that the user is asked about a call; returns a function to call once it is decided. */
  begin(): () => void {
    this.waiting += 1;
    this.timer.start(settleMs);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.waiting -= 1;
      if (this.waiting > 0) return;
      this.timer.dispose();
      // The editor shows progress until something else follows it.
      if (this.isShown) sayBreak(this.stream);
      this.isShown = false;
    };
  }

  private write(): void {
    const { t } = vscode.l10n;
    const title =
      this.waiting === 1
        ? t('1 call waits for your answer')
        : t('{0} calls wait for your answer', this.waiting);
    sayProgress(this.stream, title);
    this.isShown = true;
  }
}

/**
 * Returns what a model is told about a call: our own words as they are, a server's between markers and limited to
 * `limit` characters.
 */
export function toolResultForModel(
  called: ModelCallResult,
  kept: CutTexts,
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
      const short = kept.shorten(source, outcomeContent(outcome), limit);
      const isOurs = outcome.kind !== 'result' && outcome.kind !== 'failed';
      return isOurs ? short : { ...short, parts: markUntrusted(source, short.parts) };
    }
  }
}

/** Returns what a model is told about the tools that were found. */
export function foundToolsForModel(
  tools: readonly OfferedTool[],
  kept: CutTexts,
  limit: number,
): readonly ContentPart[] {
  const source = 'the tools of the servers';
  const content = { parts: [describeTools(tools)], leftOut: [] };
  return markUntrusted(source, kept.shorten(source, content, limit).parts);
}

const maxLength = 300;

/** Returns the arguments of a call in one line. */
function shortArguments(args: JsonObject): ChatPiece {
  return { code: shortJson(args), maxLength };
}

/** Returns how a result begins, in one line; empty if the result is empty. */
function shortResult({ content, structuredContent }: CallToolResult): readonly ChatPiece[] {
  const parts = toParts(content);
  const text = parts.find((part) => part.kind === 'text' && part.text.trim() !== '');
  if (text?.kind === 'text') return [{ code: text.text, maxLength }];
  if (structuredContent !== undefined) return [{ code: shortJson(structuredContent), maxLength }];
  return parts.slice(0, 3).map(partLabel);
}

function partLabel(part: Part): ChatPiece {
  const { t } = vscode.l10n;
  switch (part.kind) {
    case 'binary':
      return {
        code: listText([part.mimeType, formatBytes(part.bytes.length)], vscode.l10n.t),
        maxLength: 100,
      };
    case 'document':
    case 'link':
      return { code: part.uri, maxLength: 200 };
    case 'text':
      return t('empty text');
    case 'problem':
      return { code: part.message(vscode.l10n.t), maxLength: 200 };
  }
}

const maxLinks = 10;

/** What the user is told about a call and how it ended. */
interface CallReport {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
  /** What was decided before anything was sent, if it came to that. */
  readonly decision: Decision | undefined;
  /** Content that the model was not given, named in a few words each. */
  readonly leftOut: readonly LocalizableMessage[];
  /** Roughly how many tokens the model was given, and whether they are only part of the result. */
  readonly tokens: number;
  readonly isCut: boolean;
  /** Returns the URI of the document that shows a resource of a server. */
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
}

/** Names a call as the user knows it: by server and tool. */
function callLabel({ server, tool }: ToolCall): string {
  return `${plainLabel(server.name, 60)} › ${plainLabel(displayName(tool), 60)}`;
}

/** Says in the chat how a call ended, who decided, and how its result begins. */
function reportCall(stream: vscode.ChatResponseStream, report: CallReport): void {
  const { call, outcome, decision, leftOut, tokens, isCut, resourceUri } = report;
  const lines: string[] = [];
  if (isCut)
    lines.push(
      vscode.l10n.t(
        'The result is long: the model gets its beginning and end, about {0} tokens, and can read on.',
        tokens.toLocaleString(vscode.env.language),
      ),
    );
  if (leftOut.length > 0)
    lines.push(
      vscode.l10n.t(
        'Not sent to the model: {0}',
        listText(
          leftOut.map((what) => what(vscode.l10n.t)),
          vscode.l10n.t,
        ),
      ),
    );
  if (outcome.kind === 'result')
    lines.push(...outcome.problems.map((problem) => problem(vscode.l10n.t)));
  const said = outcome.kind === 'result' ? shortResult(outcome.result) : [];
  sayLine(stream, ending(callLabel(call), outcome, decision), ...said);
  for (const line of lines) sayLine(stream, line);
  if (outcome.kind !== 'result') return;
  const parts = toParts(outcome.result.content);
  for (const part of parts.filter((each) => each.kind === 'link').slice(0, maxLinks))
    sayFile(stream, resourceUri(call.server.id, part.uri), part.title ?? part.name);
}

function ending(label: string, outcome: ToolOutcome, decision: Decision | undefined): string {
  const { t } = vscode.l10n;
  const by = decision ? t(' ({0})', decisionText(decision)) : '';
  switch (outcome.kind) {
    case 'result': {
      if (outcome.result.isError) return t('{0} reported an error{1}:', label, by);
      return outcome.edited
        ? t('{0} was called with the arguments as you edited them{1}:', label, by)
        : t('{0} was called{1}:', label, by);
    }
    case 'denied':
      return t('{0} was denied and not called{1}.', label, by);
    case 'withdrawn':
      return t('{0} was not called{1}.', label, by);
    case 'failed':
      return t('{0} failed{1}: {2}', label, by, outcome.message(t));
    case 'cancelled':
      return t('{0} was cancelled{1}.', label, by);
    case 'background':
      return t('{0} continues in the background{1}.', label, by);
  }
}

/** A tool call that a model asks for. */
export type WantedCall = MessagePart & { readonly kind: 'call' };

/** What running a model's calls needs, shared by all calls of one answer. */
export interface CallDeps {
  readonly chatTools: ChatTools;
  readonly keptTexts: CutTexts;
  readonly keptOutcomes: RecentOutcomes;
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
export async function runModelCall(
  { id, name, input }: WantedCall,
  deps: CallDeps,
): Promise<MessagePart> {
  const { chatTools, keptTexts, maxResultLength, origin, signal, stream, found } = deps;
  if (name === builtInToolNames.find) {
    const tools = chatTools.find(input);
    for (const tool of tools) {
      // The latest comes last, because the last are offered before all others.
      found.delete(tool.name);
      found.add(tool.name);
    }
    const content = foundToolsForModel(tools, keptTexts, maxResultLength);
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
  const told = toolResultForModel(called, keptTexts, maxResultLength);
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
  { stream, keptOutcomes, resourceUri, buttons }: CallDeps,
): void {
  const tokens = estimateTokens(parts);
  const told = { call, outcome, decision, leftOut, tokens, isCut, resourceUri };
  reportCall(stream, told);
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
