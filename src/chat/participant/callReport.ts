import * as vscode from 'vscode';
import { formatBytes, plainLabel, wordsLabel } from '../../base/text/text';
import {
  type CallToolResult,
  type JsonObject,
  type Progress,
  displayName,
} from '../../mcp/protocol/types';
import type { Decision } from '../../contracts/questionOutcome';
import type { ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import { sayBreak, sayFile, sayLine, sayProgress } from '../../ui/rows/chatText';
import { type LocalizableMessage, listText } from '../../base/translate';
import { decisionText } from '../../ui/decisionText';
import { type Part, partsToRead } from '../../mcp/protocol/content';
import { shortJson } from '../../base/measureJson';
import type { ChatPiece } from '../../base/text/markdown';
import { Timer } from '../../base/async';
import type { ResourceUris } from '../../ui/resourceUri';

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

const maxLength = 300;

/** Returns the arguments of a call in one line. */
export function shortArguments(args: JsonObject): ChatPiece {
  return { code: shortJson(args), maxLength };
}

/** Returns how a result begins, in one line; empty if the result is empty. */
function shortResult({ content, structuredContent }: CallToolResult): readonly ChatPiece[] {
  const parts = partsToRead(content);
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
  readonly resources: ResourceUris;
}

/** Names a call as the user knows it: by server and tool. */
export function callLabel({ server, tool }: ToolCall): string {
  return `${plainLabel(server.name, 60)} › ${plainLabel(displayName(tool), 60)}`;
}

/** Says in the chat how a call ended, who decided, and how its result begins. */
export function reportCall(stream: vscode.ChatResponseStream, report: CallReport): void {
  const { call, outcome, decision, leftOut, tokens, isCut, resources } = report;
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
  const parts = partsToRead(outcome.result.content);
  for (const part of parts.filter((each) => each.kind === 'link').slice(0, maxLinks))
    sayFile(stream, resources.uriOf(call.server.id, part.uri), part.title ?? part.name);
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
      // Who denied it is said behind that it was not called.
      return decision ? t('{0} was not called{1}.', label, by) : t('{0} was denied.', label);
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

/**
 * The time to the first report of progress; it doubles after each, since every report stays in the chat as its
 * own line.
 */
const firstProgressMs = 1000;

/** Makes what says in the chat how far a call is, ever more rarely. */
export function progressReporter(stream: vscode.ChatResponseStream): (progress: Progress) => void {
  let distance = firstProgressMs;
  let next = Date.now() + distance;
  return ({ progress, total, message }) => {
    const now = Date.now();
    if (now < next) return;
    distance *= 2;
    next = now + distance;
    const amount = total ? `${Math.round((progress / total) * 100)}%` : String(progress);
    sayProgress(stream, message ? `${amount} ${wordsLabel(message, 100)}` : amount);
  };
}
