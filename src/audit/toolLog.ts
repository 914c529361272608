import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { isRecord } from '../base/json';
import { sanitize } from '../base/text/fileName';
import { documentText } from '../base/text/text';
import { KeptFolders } from '../ui/documents/keptFolders';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import { setContextKey } from '../ui/commands';
import { keepTab, untilEditorCaughtUp } from '../ui/editorCommands';
import { ContextKey, View } from '../ui/ids';
import { RowClicks, type RowClick } from '../ui/rows/rowClicks';
import type { AuditLog } from './auditLog';
import { logDetails, subjectOf } from './logDetails';
import { logItem, type LogNode } from './logRows';
import { beginningOf, logSessions, type LogEntry } from './logSessions';

/** The audit log as a tree, by session, the latest first. */
export class ToolLog implements vscode.TreeDataProvider<LogNode>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly log: AuditLog;
  private readonly kept: KeptFolders;
  private readonly view: vscode.TreeView<LogNode>;
  private readonly clicks: RowClicks<LogNode>;
  private filter = '';

  readonly onDidChangeTreeData = this.changed.event;

  constructor(log: AuditLog, files: MemoryFiles) {
    this.log = log;
    this.kept = this.store.add(new KeptFolders(files));
    this.view = this.store.add(
      vscode.window.createTreeView(View.toolLog, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.clicks = new RowClicks(this.view, (node) => this.clickOf(node), {
      keepTab,
      untilEditorCaughtUp,
    });
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

  async getChildren(node?: LogNode): Promise<LogNode[]> {
    if (node) return 'entries' in node ? [...node.entries] : [];
    const { records, lost } = await this.log.read();
    this.view.message = this.messageOf(lost);
    return [...logSessions(records, this.filter)];
  }

  getTreeItem(node: LogNode): vscode.TreeItem {
    return logItem(node, isEntry(node) && this.isRunning(node));
  }

  /** Shows all that the log has of an entry: the one of a menu, or else the one that was clicked. */
  async showEntry(entry?: unknown): Promise<void> {
    if (entry === undefined) await this.clicks.click();
    else if (isEntry(entry)) await this.openDetails(entry);
  }

  dispose(): void {
    this.store.dispose();
  }

  private clickOf(node: LogNode): RowClick | undefined {
    if (!isEntry(node)) return undefined;
    const { id } = beginningOf(node);
    return { row: id, run: () => this.openDetails(node) };
  }

  /** Resolves to true, as what opens a tab does. */
  private async openDetails(entry: LogEntry): Promise<true> {
    const text = documentText(logDetails(entry, this.isRunning(entry)));
    const name = `${sanitize(subjectOf(entry).name)}.txt`;
    const uri = this.kept.document(beginningOf(entry).id, name, text);
    await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
    return true;
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

  /** What this window follows ends in this window; of others nobody knows. */
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

function isEntry(value: unknown): value is LogEntry {
  return isRecord(value) && ['call', 'asked', 'request'].includes(String(value['kind']));
}
