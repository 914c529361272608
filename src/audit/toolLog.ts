import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { isRecord } from '../base/json';
import { sanitize } from '../base/text/fileName';
import { documentText } from '../base/text/text';
import type { Decider } from '../contracts/decision';
import { deciderText, decisionText } from '../ui/decisionText';
import { KeptFolders } from '../ui/documents/keptFolders';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import { setContextKey } from '../ui/commands';
import { Command, ContextKey, View } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import type { AuditLog } from './auditLog';
import { askedText, endText, logDetails, subjectOf } from './logDetails';
import { logSessions, timeOf, type LogEntry, type LogSession } from './logSessions';

/** A row of the log: a window's session, or one thing that happened in it. */
export type LogNode = LogSession | LogEntry;

/** The audit log as a tree, by session, the latest first. */
export class ToolLog implements vscode.TreeDataProvider<LogNode>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly log: AuditLog;
  private readonly kept: KeptFolders;
  private readonly view: vscode.TreeView<LogNode>;
  private filter = '';

  readonly onDidChangeTreeData = this.changed.event;

  constructor(log: AuditLog, files: MemoryFiles) {
    this.log = log;
    this.kept = this.store.add(new KeptFolders(files));
    this.view = this.store.add(
      vscode.window.createTreeView(View.toolLog, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.store.add(log.onDidWrite(() => this.changed.fire()));
  }

  /** Makes the view visible and brings it to the front. */
  async show(): Promise<void> {
    await setContextKey(ContextKey.toolLogShown, true);
    await vscode.commands.executeCommand(`${View.toolLog}.focus`);
  }

  /** Asks for a text that the shown entries shall hold. */
  async askFilter(): Promise<void> {
    const filter = await vscode.window.showInputBox({
      title: vscode.l10n.t('Filter Tool Log'),
      prompt: vscode.l10n.t('A server, a tool, a value, or anything else that an entry holds'),
      value: this.filter,
    });
    if (filter === undefined) return;
    this.filter = filter;
    this.changed.fire();
  }

  /** Saves all records, one JSON value a line, where the user says. */
  async export(): Promise<void> {
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export Tool Log'),
      filters: { 'JSON Lines': ['jsonl'] },
    });
    if (!target) return;
    const { records } = await this.log.read();
    const lines = records.map((record) => `${JSON.stringify(record)}\n`);
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(lines.join('')));
  }

  async getChildren(node?: LogNode): Promise<LogNode[]> {
    if (node) return 'entries' in node ? [...node.entries] : [];
    const { records, lost } = await this.log.read();
    this.view.message = this.messageOf(lost);
    return [...logSessions(records, this.filter)];
  }

  getTreeItem(node: LogNode): vscode.TreeItem {
    return 'entries' in node ? sessionItem(node) : entryItem(node, this.isRunning(node));
  }

  /** Shows all that the log has of an entry. */
  async showEntry(entry: unknown): Promise<void> {
    if (!isEntry(entry)) return;
    const text = documentText(logDetails(entry, this.isRunning(entry)));
    const uri = this.kept.add(text.length).add(`${sanitize(subjectOf(entry).name)}.txt`, text);
    await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
  }

  dispose(): void {
    this.store.dispose();
  }

  /** What stands above the rows. */
  private messageOf(lost: number): string {
    const { t } = vscode.l10n;
    return [
      ...(this.filter ? [t('Entries with “{0}”', this.filter)] : []),
      ...(lost > 0
        ? [t('Incomplete entries left out: {0}. The editor was killed while writing.', lost)]
        : []),
    ].join('\n');
  }

  /** What this window has begun ends in this window; of others nobody knows. */
  private isRunning(entry: LogEntry): boolean {
    if (entry.kind === 'request') return false;
    const { session } = entry.kind === 'call' ? entry.begun : entry.asked;
    return session === this.log.session && !(entry.kind === 'call' && entry.ended);
  }
}

function isEntry(value: unknown): value is LogEntry {
  return isRecord(value) && ['call', 'asked', 'request'].includes(String(value['kind']));
}

function sessionItem({ id, startedAt, entries }: LogSession): vscode.TreeItem {
  return treeRow({
    id,
    kind: vscode.l10n.t('Session'),
    label: new Date(startedAt).toLocaleString(),
    description: String(entries.length),
    icon: 'window',
    below: 'expanded',
  });
}

function entryItem(entry: LogEntry, isRunning: boolean): vscode.TreeItem {
  const { server, name } = subjectOf(entry);
  const { description, icon } = lookOf(entry, isRunning);
  const time = new Date(timeOf(entry)).toLocaleTimeString();
  return treeRow({
    // In a narrow sidebar only the beginning is in view.
    label: `${name} · ${server}`,
    description: [time, description].filter(Boolean).join(' · '),
    tooltip: logDetails(entry, isRunning),
    icon,
    ...(entry.kind === 'call' && {
      contextValue: 'value' in entry.begun.arguments ? 'loggedCall' : 'loggedCallHashed',
    }),
    command: {
      command: Command.showLogEntry,
      title: vscode.l10n.t('Show Details'),
      arguments: [entry],
    },
  });
}

/** What a row says of an entry, and its icon. */
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
      if (!ended) return { description, icon: isRunning ? 'loading~spin' : 'warning' };
      return { description, icon: ended.outcome === 'result' ? 'pass' : 'error' };
    }
    case 'asked':
      return { description: askedText(isRunning), icon: isRunning ? 'question' : 'warning' };
    case 'request': {
      const { action, decidedBy } = entry.request;
      return { description: requestEnding(action, decidedBy), icon: 'question' };
    }
  }
}

function requestEnding(action: string, decidedBy: Decider | undefined): string {
  if (!decidedBy) return action;
  return decidedBy.kind === 'nobody'
    ? deciderText(decidedBy)
    : [action, deciderText(decidedBy)].join(' · ');
}
