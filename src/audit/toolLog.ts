import * as vscode from 'vscode';
import { jsonText } from '../base/text/jsonText';
import { DisposableStore, type Disposable } from '../base/disposable';
import { formatBytes, maxTooltipLength, plainLabel, tooltipText } from '../base/text/text';
import type { AuditLog, CallBegun, CallEnded } from './auditLog';
import { decisionText } from '../ui/decisionText';
import { ContextKey, View } from '../ui/ids';
import { logSessions, timeOf, type LogEntry, type LogSession } from './logSessions';

/** A row of the log: a window's session, or one thing that happened in it. */
export type LogNode = LogSession | LogEntry;

/** The audit log as a tree, by session, the latest first. */
export class ToolLog implements vscode.TreeDataProvider<LogNode>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly log: AuditLog;
  private readonly view: vscode.TreeView<LogNode>;
  private filter = '';

  readonly onDidChangeTreeData = this.changed.event;

  constructor(log: AuditLog) {
    this.log = log;
    this.view = this.store.add(
      vscode.window.createTreeView(View.toolLog, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.store.add(log.onDidWrite(() => this.changed.fire()));
  }

  /** Makes the view visible and brings it to the front. */
  async show(): Promise<void> {
    await vscode.commands.executeCommand('setContext', ContextKey.toolLogShown, true);
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
    this.view.message = filter ? vscode.l10n.t('Entries with “{0}”', filter) : '';
    this.changed.fire();
  }

  /** Saves all records, one JSON value a line, where the person says. */
  async export(): Promise<void> {
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export Tool Log'),
      filters: { 'JSON Lines': ['jsonl'] },
    });
    if (!target) return;
    const lines = (await this.log.read()).map((record) => `${JSON.stringify(record)}\n`);
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(lines.join('')));
  }

  async getChildren(node?: LogNode): Promise<LogNode[]> {
    if (!node) return [...logSessions(await this.log.read(), this.filter)];
    return 'entries' in node ? [...node.entries] : [];
  }

  getTreeItem(node: LogNode): vscode.TreeItem {
    return 'entries' in node ? sessionItem(node) : entryItem(node);
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** The call that a row stands for, if it stands for one whose arguments were kept. */
export function replayable(node: unknown): CallBegun | undefined {
  if (typeof node !== 'object' || node === null || !('begun' in node)) return undefined;
  return node.begun as CallBegun;
}

function sessionItem({ id, startedAt, entries }: LogSession): vscode.TreeItem {
  const item = new vscode.TreeItem(
    new Date(startedAt).toLocaleString(),
    vscode.TreeItemCollapsibleState.Expanded,
  );
  item.id = id;
  item.description = String(entries.length);
  item.iconPath = new vscode.ThemeIcon('window');
  return item;
}

function entryItem(entry: LogEntry): vscode.TreeItem {
  const item = bareItem(entry);
  const time = new Date(timeOf(entry)).toLocaleTimeString();
  item.description = [time, item.description].filter(Boolean).join(' · ');
  item.tooltip = tooltipText(jsonText(entry, 2, maxTooltipLength));
  return item;
}

function bareItem(entry: LogEntry): vscode.TreeItem {
  switch (entry.kind) {
    case 'call':
      return callItem(entry.begun, entry.ended);
    case 'asked': {
      const { server, tool } = entry.asked;
      const item = new vscode.TreeItem(plainLabel(`${server.name} › ${tool}`));
      item.description = vscode.l10n.t('no answer recorded');
      item.iconPath = new vscode.ThemeIcon('warning');
      return item;
    }
    case 'request': {
      const { server, method, action } = entry.request;
      const item = new vscode.TreeItem(plainLabel(`${server.name} › ${method}`));
      item.description = plainLabel(action);
      item.iconPath = new vscode.ThemeIcon('question');
      return item;
    }
  }
}

function callItem(begun: CallBegun, ended: CallEnded | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLabel(`${begun.server.name} › ${begun.tool}`));
  item.contextValue = 'value' in begun.arguments ? 'loggedCall' : 'loggedCallHashed';
  const decided = plainLabel(decisionText({ ...begun, verdict: begun.decision }));
  if (begun.decision !== 'allowed') {
    item.description = decided;
    item.iconPath = new vscode.ThemeIcon('circle-slash');
  } else if (!ended) {
    item.description = [vscode.l10n.t('no result recorded'), decided].join(' · ');
    item.iconPath = new vscode.ThemeIcon('warning');
  } else {
    const { durationMs, resultBytes } = ended;
    const seconds = `${(durationMs / 1000).toFixed(1)} s`;
    const size = resultBytes === undefined ? [] : [formatBytes(resultBytes)];
    item.description = [endLabel(ended), seconds, ...size, decided].join(' · ');
    item.iconPath = new vscode.ThemeIcon(ended.outcome === 'result' ? 'pass' : 'error');
  }
  return item;
}

function endLabel({ outcome }: CallEnded): string {
  switch (outcome) {
    case 'result':
      return vscode.l10n.t('done');
    case 'toolError':
      return vscode.l10n.t('tool error');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'cancelled':
      return vscode.l10n.t('cancelled');
  }
}
