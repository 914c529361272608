import * as vscode from 'vscode';
import type { Decider } from '../contracts/decision';
import { deciderText, decisionText } from '../ui/decisionText';
import { Command } from '../ui/ids';
import { filterItem, isFilterRow, type FilterRow } from '../ui/rows/filterRow';
import { treeRow } from '../ui/rows/treeRow';
import type { AuditRecord } from './auditLog';
import { askedText, endText, logDetails, requestEndText, subjectOf } from './logDetails';
import { beginningOf, logSessions, type LogEntry, type LogSession } from './logSessions';

/** A row of the log: a window's session, one thing that happened in it, or the filter. */
export type LogNode = LogSession | LogEntry | FilterRow;

/** Returns the rows of the log by window, and above them the filter if there is one. */
export function logNodes(records: readonly AuditRecord[], filter: string): readonly LogNode[] {
  const sessions = logSessions(records, filter);
  if (!filter) return sessions;
  const total = countEntries(logSessions(records));
  return [{ kind: 'filter', filter, shown: countEntries(sessions), total }, ...sessions];
}

function countEntries(sessions: readonly LogSession[]): number {
  return sessions.reduce((sum, { entries }) => sum + entries.length, 0);
}

/** Returns the tree item of a row; `isRunning` if its entry is not over. */
export function logItem(node: LogNode, isRunning: boolean): vscode.TreeItem {
  if (isFilterRow(node)) return filterItem(node, Command.showLogEntry);
  return 'entries' in node ? sessionItem(node) : entryItem(node, isRunning);
}

function sessionItem({ id, startedAt, entries }: LogSession): vscode.TreeItem {
  return treeRow({
    id,
    kind: vscode.l10n.t('Session'),
    label: new Date(startedAt).toLocaleString(vscode.env.language),
    description: String(entries.length),
    icon: 'window',
    below: 'expanded',
  });
}

function entryItem(entry: LogEntry, isRunning: boolean): vscode.TreeItem {
  const { server, name } = subjectOf(entry);
  const { description, icon } = lookOf(entry, isRunning);
  const { id, time } = beginningOf(entry);
  const clock = new Date(time).toLocaleTimeString(vscode.env.language);
  return treeRow({
    id,
    kind: entry.kind === 'request' ? vscode.l10n.t('Request') : vscode.l10n.t('Call'),
    // In a narrow sidebar, only the beginning is in view.
    label: `${name} · ${server}`,
    description: [clock, description].filter(Boolean).join(' · '),
    tooltip: logDetails(entry, isRunning),
    icon,
    ...(entry.kind === 'call' && {
      contextValue: 'value' in entry.begun.arguments ? 'loggedCall' : 'loggedCallHashed',
    }),
    command: { command: Command.showLogEntry, title: vscode.l10n.t('Show Details') },
  });
}

/** For an entry that another window may still follow, or may not have followed to its end. */
const unknownIcon = 'circle-outline';

/** Returns what a row says about an entry, and its icon. */
function lookOf(
  entry: LogEntry,
  isRunning: boolean,
): { readonly description: string; readonly icon: string } {
  switch (entry.kind) {
    case 'call': {
      const { begun, ended } = entry;
      const decided = decisionText({ ...begun, verdict: begun.decision });
      if (begun.decision !== 'allowed') return { description: decided, icon: 'circle-slash' };
      const description = [endText(ended, isRunning), decided].join(' · ');
      if (!ended) return { description, icon: isRunning ? 'loading~spin' : unknownIcon };
      return { description, icon: ended.outcome === 'result' ? 'pass' : 'error' };
    }
    case 'asked':
      return { description: askedText(isRunning), icon: isRunning ? 'question' : unknownIcon };
    case 'request': {
      const { action, decidedBy } = entry.request;
      return { description: requestEnding(action, decidedBy), icon: 'question' };
    }
  }
}

function requestEnding(action: string, decidedBy: Decider | undefined): string {
  const ended = requestEndText(action);
  if (!decidedBy) return ended;
  return decidedBy.kind === 'nobody'
    ? deciderText(decidedBy)
    : [ended, deciderText(decidedBy)].join(' · ');
}
