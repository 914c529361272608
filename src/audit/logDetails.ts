import * as vscode from 'vscode';
import { jsonText } from '../base/text/jsonText';
import { formatBytes } from '../base/text/text';
import { deciderText, decisionText } from '../ui/decisionText';
import { Setting } from '../ui/ids';
import type { CallAsked, CallBegun, CallEnded, RequestAnswered } from './auditLog';
import { beginningOf, type LogEntry } from './logSessions';

/** Describes all that the log has about an entry; `isRunning` if it is not over. Hidden characters are not replaced. */
export function logDetails(entry: LogEntry, isRunning: boolean): string {
  const { t } = vscode.l10n;
  const { server, name, tool = name } = subjectOf(entry);
  const time = new Date(beginningOf(entry).time).toLocaleString(vscode.env.language);
  const lead = [
    indented(`${server} › ${name}`),
    '',
    ...(tool === name ? [] : [line(t('Tool'), tool)]),
    line(t('When'), time),
  ];
  switch (entry.kind) {
    case 'asked':
      return text([
        ...lead,
        line(t('Decided'), askedText(isRunning)),
        ...(isRunning
          ? []
          : [t('Another window may still be asking, or was closed before you answered.')]),
      ]);
    case 'call':
      return text([...lead, ...callLines(entry.begun, entry.ended, isRunning)]);
    case 'request':
      return text([...lead, ...requestLines(entry.request)]);
  }
}

/** Returns the server of an entry, and what it calls the tool for users, or the protocol's method. */
export function subjectOf(entry: LogEntry): {
  readonly server: string;
  readonly name: string;
  /** The name of the tool in the protocol. */
  readonly tool?: string;
} {
  switch (entry.kind) {
    case 'asked':
      return toolOf(entry.asked);
    case 'call':
      return toolOf(entry.begun);
    case 'request':
      return { server: entry.request.server.name, name: entry.request.method };
  }
}

/** Says which tool of which server a call was for: `name` as the tree has it. */
export function toolOf({ server, tool, title }: CallAsked | CallBegun) {
  // Another version may have written it.
  return { server: server.name, name: typeof title === 'string' ? title : tool, tool };
}

/** Says what became of a call that the user is, or was, asked about. */
export function askedText(isRunning: boolean): string {
  const { t } = vscode.l10n;
  return isRunning ? t('waits for your answer') : t('no answer recorded');
}

/** Says how long a call took; a fast one took more than no time. */
export function secondsText(ms: number): string {
  return vscode.l10n.t('{0} s', (ms / 1000).toFixed(ms < 9950 ? 2 : 1));
}

/** Says how a call that was sent ended, how long it took, and how much came back. */
export function endText(ended: CallEnded | undefined, isRunning: boolean): string {
  const { t } = vscode.l10n;
  if (!ended) return isRunning ? t('running') : t('no result recorded');
  const { durationMs, resultBytes } = ended;
  const time = durationMs === undefined ? [] : [secondsText(durationMs)];
  const size = resultBytes === undefined ? [] : [formatBytes(resultBytes)];
  return [outcomeText(ended), ...time, ...size].join(' · ');
}

/** Says how a server's request ended; an unknown action is returned as it was written. */
export function requestEndText(action: string): string {
  const { t } = vscode.l10n;
  switch (action) {
    case 'accept':
    case 'returned':
      return t('answered');
    case 'decline':
    case 'refused':
      return t('declined');
    case 'cancel':
      return t('cancelled');
    case 'withdrawn':
      return t('withdrawn');
    case 'failed':
      return t('failed');
    default:
      return action;
  }
}

function callLines(
  begun: CallBegun,
  ended: CallEnded | undefined,
  isRunning: boolean,
): readonly string[] {
  const { t } = vscode.l10n;
  const isSent = begun.decision === 'allowed';
  const heading = begun.edited ? t('Arguments, as you edited them') : t('Arguments');
  return [
    line(t('Called by'), originText(begun)),
    line(t('Decided'), decisionText({ ...begun, verdict: begun.decision })),
    ...(begun.reason ? [line(t('Reason'), begun.reason)] : []),
    ...(isSent ? [line(t('Ended'), endText(ended, isRunning))] : []),
    ...(isSent && !ended && !isRunning
      ? [t('Another window may still be running it, or was closed before it ended.')]
      : []),
    ...(ended?.outcome === 'lost' ? [t('It may have been carried out all the same.')] : []),
    ...(ended?.message ? [line(t('Message'), ended.message)] : []),
    ...valueLines(heading, begun.arguments),
    ...(begun.meta ? valueLines('_meta', begun.meta) : []),
  ];
}

function requestLines({ action, decidedBy, question, answer }: RequestAnswered): readonly string[] {
  const { t } = vscode.l10n;
  return [
    line(t('Ended'), requestEndText(action)),
    ...(decidedBy ? [line(t('Decided'), deciderText(decidedBy))] : []),
    ...valueLines(t('Question'), question),
    ...(answer === undefined ? [] : valueLines(t('Answer'), answer)),
  ];
}

/** Returns a heading with a value below it, as the log keeps that. */
function valueLines(heading: string, kept: unknown): readonly string[] {
  const isKept = typeof kept === 'object' && kept !== null && 'value' in kept;
  const notKept = vscode.l10n.t('not kept, because of {0}', Setting.toolLogArguments);
  return ['', vscode.l10n.t('{0}:', heading), isKept ? jsonText(kept.value, 2) : notKept];
}

function line(name: string, value: string): string {
  return indented(vscode.l10n.t('{0}: {1}', name, value));
}

/** Indents further lines, as no line of ours is: a name or an error of a server passes for none. */
function indented(value: string): string {
  return value.replaceAll('\n', '\n    ');
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

/** Says who wanted a call. */
export function originText({ origin, agent }: CallBegun): string {
  const { t } = vscode.l10n;
  switch (origin) {
    case 'chat':
      return t('a model, for @mcp');
    case 'editor':
      return t('another chat of the editor');
    case 'agent':
      return agent ?? t('an agent');
    case 'app':
      return t('an app of the server');
    case 'savedCalls':
      return t('saved calls or a check');
    case 'user':
      return t('you');
  }
}

function outcomeText({ outcome }: CallEnded): string {
  const { t } = vscode.l10n;
  switch (outcome) {
    case 'result':
      return t('done');
    case 'toolError':
      return t('tool error');
    case 'failed':
      return t('failed');
    case 'cancelled':
      return t('cancelled');
    case 'lost':
      return t('lost when the window was closed');
  }
}
