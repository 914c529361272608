import * as vscode from 'vscode';
import { Throttle } from '../base/async';
import { type Disposable, DisposableHolder, DisposableStore } from '../base/disposable';
import { isRecord } from '../base/json';
import { sanitize } from '../base/text/fileName';
import { documentText, plainMessage } from '../base/text/text';
import { RecentFolders } from '../ui/documents/recentFolders';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import { setContextKey } from '../ui/commands';
import { keepTab, untilEditorCaughtUp } from '../ui/editorCommands';
import { Command, ContextKey, View } from '../ui/ids';
import {
  type AskFilter,
  type FilterRow,
  filterClick,
  filterItem,
  isFilterRow,
} from '../ui/rows/filterBox';
import { showText, showView } from '../ui/keyboard';
import type { UserAction } from '../ui/questions/question';
import { type RowClick, RowClicks } from '../ui/rows/rowClicks';
import type { AuditLog, AuditRecord, CallEnded } from './auditLog';
import { askedText, endText, logDetails, requestEndText, subjectOf } from './logDetails';
import { type LogEntry, type LogSession, beginningOf, logSessions } from './logSessions';
import type { Decider } from '../contracts/questionOutcome';
import { deciderText, decisionText } from '../ui/decisionText';
import { treeRow } from '../ui/rows/treeRow';

/** A row of the log: a window's session, one thing that happened in it, or the filter. */
type LogNode = LogSession | LogEntry | FilterRow;

/** Returns the rows of the log by window, and above them the filter, under its name, if there is one. */
export function logNodes(
  records: readonly AuditRecord[],
  filter: string,
  name = filter,
): readonly LogNode[] {
  const sessions = logSessions(records, filter);
  if (!filter) return sessions;
  const total = countEntries(logSessions(records));
  return [{ kind: 'filter', filter: name, shown: countEntries(sessions), total }, ...sessions];
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
  const beginning = beginningOf(entry);
  const { id, time } = beginning;
  const clock = new Date(time).toLocaleTimeString(vscode.env.language);
  const agent = 'agent' in beginning ? beginning.agent : undefined;
  return treeRow({
    id,
    kind: entry.kind === 'request' ? vscode.l10n.t('Request') : vscode.l10n.t('Call'),
    // In a narrow sidebar, only the beginning is in view.
    label: `${name} · ${server}`,
    description: [clock, agent, description].filter(Boolean).join(' · '),
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
      return { description, icon: endIcon(ended) };
    }
    case 'asked':
      return { description: askedText(isRunning), icon: isRunning ? 'question' : unknownIcon };
    case 'request': {
      const { action, decidedBy } = entry.request;
      return { description: requestEnding(action, decidedBy), icon: 'question' };
    }
  }
}

function endIcon({ outcome }: CallEnded): string {
  if (outcome === 'result') return 'pass';
  return outcome === 'lost' ? 'warning' : 'error';
}

function requestEnding(action: string, decidedBy: Decider | undefined): string {
  const ended = requestEndText(action);
  if (!decidedBy) return ended;
  return decidedBy.kind === 'nobody'
    ? deciderText(decidedBy)
    : [ended, deciderText(decidedBy)].join(' · ');
}

/** The shortest time between two redraws, however many calls end at once, in milliseconds. */
const drawEveryMs = 200;

/** The audit log as a tree, by session, the latest first. */
export class ToolLog implements vscode.TreeDataProvider<LogNode>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly draw = this.store.add(new Throttle(() => this.changed.fire(), drawEveryMs));
  private readonly following = this.store.add(new DisposableHolder<Disposable>());
  private readonly log: AuditLog;
  private readonly kept: RecentFolders;
  private readonly view: vscode.TreeView<LogNode>;
  private readonly clicks: RowClicks<LogNode>;
  private wanted = '';
  private wantedName = '';

  readonly onDidChangeTreeData = this.changed.event;

  constructor(log: AuditLog, files: MemoryFiles) {
    this.log = log;
    this.kept = this.store.add(new RecentFolders(files, 'log'));
    this.view = this.store.add(
      vscode.window.createTreeView(View.toolLog, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.clicks = new RowClicks(this.view, (node) => this.clickOf(node), {
      keepTab,
      untilEditorCaughtUp,
    });
    this.store.add(log.onDidWrite(() => this.draw.run()));
  }

  /** The text that the shown entries contain; empty if all are shown. */
  get filter(): string {
    return this.wanted;
  }

  /** Makes the view visible and brings it to the front. */
  async show(action: UserAction): Promise<void> {
    await setContextKey(ContextKey.toolLogShown, true);
    await showView(View.toolLog, action);
  }

  /** Shows the entries that contain `given`, which is called `name` there, or asks for such a text. */
  async typeFilter(
    askFilter: AskFilter,
    action: UserAction,
    given?: unknown,
    name?: unknown,
  ): Promise<void> {
    if (typeof given === 'string') {
      this.setFilter(given, typeof name === 'string' ? name : given);
      return this.show(action);
    }
    const list = {
      title: vscode.l10n.t('Filter Tool Log'),
      prompt: vscode.l10n.t('A server, a tool, a value, or anything else that an entry holds'),
      view: View.toolLog,
      filter: this.filter,
      setFilter: (filter: string) => this.setFilter(filter),
    };
    await askFilter(list, action);
  }

  async getChildren(node?: LogNode): Promise<LogNode[]> {
    if (node) return 'entries' in node ? [...node.entries] : [];
    // Only once somebody looks.
    this.following.value ??= this.log.watch(() => this.draw.run());
    const { records, lost } = await this.log.read();
    this.view.message = plainMessage(messageOf(lost) ?? '');
    return [...logNodes(records, this.filter, this.wantedName)];
  }

  getTreeItem(node: LogNode): vscode.TreeItem {
    return logItem(node, isEntry(node) && this.isRunning(node));
  }

  /** Shows all that the log has about an entry: the one of a menu, or else the one that was clicked. */
  async showEntry(action: UserAction, entry?: unknown): Promise<void> {
    if (entry === undefined) await this.clicks.click(action);
    else if (isEntry(entry)) await this.openDetails(entry, action);
  }

  dispose(): void {
    this.store.dispose();
  }

  private setFilter(filter: string, name = filter): void {
    this.wanted = filter;
    this.wantedName = name;
    this.changed.fire();
  }

  private clickOf(node: LogNode): RowClick | undefined {
    if (isFilterRow(node)) return filterClick(() => this.setFilter(''));
    if (!isEntry(node)) return undefined;
    const { id } = beginningOf(node);
    return { row: id, run: (action) => this.openDetails(node, action) };
  }

  /** Resolves to true, like every click that opens a tab. */
  private async openDetails(entry: LogEntry, action: UserAction): Promise<true> {
    const text = documentText(logDetails(entry, this.isRunning(entry)));
    // An error is one line, however long, and the language of this file name wraps it.
    const name = `${sanitize(subjectOf(entry).name)}.mcp-review`;
    const uri = this.kept.document(beginningOf(entry).id, name, text);
    await showText(uri, action, { preview: true, preserveFocus: true });
    return true;
  }

  /** True for what this window follows and has not ended; whether other windows still follow theirs is unknown. */
  private isRunning(entry: LogEntry): boolean {
    switch (entry.kind) {
      case 'call':
        return entry.followedBy === this.log.session && !entry.ended;
      case 'asked':
        return entry.asked.session === this.log.session;
      case 'request':
        return false;
    }
  }
}

/** Returns the message above the rows. */
function messageOf(lost: number): string {
  return lost > 0
    ? vscode.l10n.t('Incomplete entries left out: {0}. The editor was killed while writing.', lost)
    : '';
}

function isEntry(value: unknown): value is LogEntry {
  return isRecord(value) && ['call', 'asked', 'request'].includes(String(value['kind']));
}
