import * as vscode from 'vscode';
import { Throttle } from '../base/async';
import { DisposableHolder, DisposableStore, type Disposable } from '../base/disposable';
import { plainLabel } from '../base/text/text';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import type { TrafficEntry } from '../mcp/traffic/trafficEntry';
import type { TrafficRecords } from '../mcp/traffic/trafficRecords';
import { setContextKey } from '../ui/commands';
import { keepTab, untilEditorCaughtUp } from '../ui/editorCommands';
import { Command, ContextKey, View } from '../ui/ids';
import type { AskFilter } from '../ui/rows/filterBox';
import { filterClick, filterItem, isFilterRow, type FilterRow } from '../ui/rows/filterRow';
import { RowClicks, type RowClick } from '../ui/rows/rowClicks';
import { rowsPerPage } from '../ui/tree';
import type { Mask } from '../base/secrets/maskedCopy';
import { TrafficFilter } from './trafficFilter';
import { TrafficPins } from './trafficPins';
import { idOfRow, trafficItem, type TrafficRow } from './trafficRow';

/** A row of the view: a message, or the filter. */
type TrafficNode = TrafficRow | FilterRow;

/** The list is redrawn at most this often, even at ten thousand messages per second. */
const drawEveryMs = 200;

/** The traffic of one server as a list: what is pinned, then the rest, latest first. */
export class TrafficView implements vscode.TreeDataProvider<TrafficNode>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly following = this.store.add(new DisposableHolder<Disposable>());
  private readonly draw = this.store.add(new Throttle(() => this.changed.fire(), drawEveryMs));
  private readonly view: vscode.TreeView<TrafficNode>;
  private readonly clicks: RowClicks<TrafficNode>;
  private readonly servers: Servers;
  private readonly records: TrafficRecords;
  private readonly pins = new TrafficPins();
  private readonly mask: Mask;
  private filter: TrafficFilter;
  private shown: Server | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    servers: Servers,
    records: TrafficRecords,
    mask: Mask,
    open: (row: TrafficRow) => Promise<boolean>,
  ) {
    this.servers = servers;
    this.records = records;
    this.mask = mask;
    this.filter = new TrafficFilter('', mask);
    this.view = this.store.add(
      vscode.window.createTreeView(View.traffic, { treeDataProvider: this }),
    );
    const clickOf = (row: TrafficNode): RowClick =>
      isFilterRow(row)
        ? filterClick(() => this.setFilter(''))
        : { row: idOfRow(row), run: () => open(row) };
    this.clicks = new RowClicks(this.view, clickOf, {
      keepTab,
      untilEditorCaughtUp,
    });
    this.store.add(
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible) this.draw.run();
      }),
    );
  }

  /** The server whose traffic the user sees, as long as it exists. */
  get serverInView(): Server | undefined {
    return this.view.visible && this.shown ? this.servers.get(this.shown.id) : undefined;
  }

  /** The server whose traffic the view shows, even while the view is hidden. */
  get server(): Server | undefined {
    return this.shown;
  }

  /** The entries that pass the filter, latest first. */
  get entries(): readonly TrafficEntry[] {
    if (!this.shown) return [];
    const { entries } = this.records.of(this.shown.id);
    return entries.filter((entry) => this.filter.fits(entry)).toReversed();
  }

  /** Opens the row that was clicked. */
  async click(): Promise<void> {
    await this.clicks.click();
  }

  /** Pins a row above the others, or unpins it. */
  setPinned(row: TrafficRow, isPinned: boolean): void {
    this.pins.set(row, isPinned);
    this.changed.fire();
  }

  /** Follows the traffic of the server that now has the id of the one shown: servers come and go. */
  follow(): void {
    if (!this.shown) return;
    this.shown = this.servers.get(this.shown.id) ?? this.shown;
    this.following.value = this.records.of(this.shown.id).onDidChange(() => {
      if (this.view.visible) this.draw.run();
    });
  }

  /** Shows the traffic of a server and brings it to the front. */
  async show(server: Server): Promise<void> {
    this.shown = server;
    this.view.description = plainLabel(server.name);
    this.follow();
    this.changed.fire();
    await setContextKey(ContextKey.trafficShown, true);
    await vscode.commands.executeCommand(`${View.traffic}.focus`);
  }

  /** Lets the user type words that the shown entries must contain. */
  async typeFilter(askFilter: AskFilter): Promise<void> {
    const { t } = vscode.l10n;
    await askFilter({
      title: t('Filter Traffic'),
      prompt: t('A method such as {0}, or any words of a message', 'tools/call'),
      view: View.traffic,
      filter: this.filter.text,
      setFilter: (filter) => this.setFilter(filter),
    });
  }

  getChildren(row?: TrafficNode): TrafficNode[] {
    const server = this.shown;
    if (row || !server) return [];
    const pinned = this.pins.of(server.id);
    const above = new Set(pinned.map(({ traffic }) => traffic));
    const shown = this.entries;
    const others = shown.filter((entry) => !above.has(entry)).slice(0, rowsPerPage);
    return [
      ...this.filterRows(server, shown.length),
      ...pinned,
      ...others.map((traffic) => ({ traffic, server })),
    ];
  }

  getTreeItem(row: TrafficNode): vscode.TreeItem {
    if (isFilterRow(row)) return filterItem(row, Command.showTrafficEntry);
    return trafficItem(row, this.pins.has(row), this.mask);
  }

  dispose(): void {
    this.store.dispose();
  }

  private setFilter(text: string): void {
    this.filter = new TrafficFilter(text, this.mask);
    this.changed.fire();
  }

  private filterRows(server: Server, shown: number): readonly FilterRow[] {
    const filter = this.filter.text;
    const total = this.records.of(server.id).entries.length;
    return filter ? [{ kind: 'filter', filter, shown, total }] : [];
  }
}
