import * as vscode from 'vscode';
import { Throttle } from '../base/async';
import { type Disposable, DisposableHolder, DisposableStore } from '../base/disposable';
import { plainLabel } from '../base/text/text';
import type { Server, Servers } from '../mcp/server';
import type { TrafficEntry } from '../mcp/traffic/trafficEntry';
import type { TrafficRecorder, TrafficRecords } from '../mcp/traffic/trafficRecorder';
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
import { showView } from '../ui/keyboard';
import type { UserAction } from '../ui/questions/question';
import { type RowClick, RowClicks } from '../ui/rows/rowClicks';
import { rowsPerPage } from '../ui/tree';
import { type Mask, maskedCopy } from '../base/secretMask';
import { type TrafficPeer, type TrafficRow, idOfRow, trafficItem } from './trafficRow';
import { shownValue } from './entryJson';

/** A filter for entries that contain every word, in their kind, their method, or what was sent or answered. */
export class TrafficFilter {
  readonly text: string;
  private readonly words: readonly string[];
  private readonly mask: Mask;
  /** Whether an entry fits: each is searched once, and again when its answer arrives. */
  private readonly known = new WeakMap<object, boolean>();

  constructor(text: string, mask: Mask) {
    this.text = text.trim();
    this.words = this.text.toLowerCase().split(/\s+/).filter(Boolean);
    this.mask = mask;
  }

  /** True if the entry is to be shown. */
  fits(entry: TrafficEntry): boolean {
    if (this.words.length === 0) return true;
    const key = entry.answer ?? entry.http ?? entry;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const messages = entry.answer ? [entry, entry.answer] : [entry];
    const parts = messages.map((one) => JSON.stringify(shownValue(entry, one, this.mask)));
    const http = JSON.stringify(maskedCopy(entry.http ?? [], this.mask));
    const text = [entry.peer ? `@${entry.peer}` : '', entry.kind, entry.method, ...parts, http]
      .join('\n')
      .toLowerCase();
    const fits = this.words.every((word) => text.includes(word));
    this.known.set(key, fits);
    return fits;
  }
}

/** At most this many rows are pinned, the latest. */
export const maxPins = 50;

/** The rows that stay above the others until the window closes. */
export class TrafficPins {
  private readonly rows: TrafficRow[] = [];

  /** Pins or unpins a row. */
  set(row: TrafficRow, isPinned: boolean): void {
    const at = this.rows.findIndex(({ traffic }) => traffic === row.traffic);
    if (at >= 0) this.rows.splice(at, 1);
    if (isPinned) this.rows.unshift(row);
    this.rows.splice(maxPins);
  }

  /** True for a row that is pinned. */
  has({ traffic }: TrafficRow): boolean {
    return this.rows.some((row) => row.traffic === traffic);
  }

  /** Returns the pinned rows of a server, most recently pinned first. */
  of(serverId: string): readonly TrafficRow[] {
    return this.rows.filter(({ server }) => server.id === serverId);
  }
}

/** The methods with which a session begins. */
const beginnings = new Set(['initialize', 'notifications/initialized', 'server/discover']);

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
  /** The number of the latest message of each list when it was cleared. */
  private readonly cleared = new WeakMap<TrafficRecorder, number>();
  private filter: TrafficFilter;
  private shown: TrafficPeer | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    servers: Servers,
    records: TrafficRecords,
    mask: Mask,
    open: (row: TrafficRow, action: UserAction) => Promise<boolean>,
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
        : { row: idOfRow(row), run: (action) => open(row, action) };
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

  /** The row that is selected, which keys are for. */
  get selected(): TrafficNode | undefined {
    return this.view.selection[0];
  }

  /** Whose traffic the view shows, even while the view is hidden. */
  get server(): TrafficPeer | undefined {
    return this.shown;
  }

  /** The entries since the list was cleared that pass the filter, latest first. */
  get entries(): readonly TrafficEntry[] {
    return this.fitting(this.since());
  }

  /** The same with what begins a session, which a recording needs to answer at all. */
  get recordable(): readonly TrafficEntry[] {
    const shown = new Set(this.entries);
    return this.since(0).filter((entry) => shown.has(entry) || beginnings.has(entry.method));
  }

  /** Leaves out of the list what it has now, but for what is pinned. */
  clear(): void {
    if (!this.shown) return;
    const recorder = this.records.of(this.shown.id);
    this.cleared.set(recorder, recorder.latest);
    this.changed.fire();
  }

  /** Opens the row that was clicked. */
  async click(action: UserAction): Promise<void> {
    await this.clicks.click(action);
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

  /** Shows the traffic of a server or an agent and brings it to the front. */
  async show(server: TrafficPeer, action: UserAction): Promise<void> {
    this.shown = server;
    this.view.description = plainLabel(server.name);
    this.follow();
    this.changed.fire();
    await setContextKey(ContextKey.trafficShown, true);
    await showView(View.traffic, action);
  }

  /** Lets the user type words that the shown entries must contain. */
  async typeFilter(askFilter: AskFilter, action: UserAction): Promise<void> {
    const { t } = vscode.l10n;
    const list = {
      title: t('Filter Traffic'),
      prompt: t('A method such as {0}, or any words of a message', 'tools/call'),
      view: View.traffic,
      filter: this.filter.text,
      setFilter: (filter: string) => this.setFilter(filter),
    };
    await askFilter(list, action);
  }

  getChildren(row?: TrafficNode): TrafficNode[] {
    const server = this.shown;
    if (row || !server) return [];
    const pinned = this.pins.of(server.id);
    const above = new Set(pinned.map(({ traffic }) => traffic));
    const all = this.since();
    const shown = this.fitting(all);
    const others = shown.filter((entry) => !above.has(entry)).slice(0, rowsPerPage);
    return [
      ...this.filterRows(shown.length, all.length),
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

  /** Returns the entries of the list after one of them, by default since it was cleared, latest first. */
  private since(last?: number): readonly TrafficEntry[] {
    if (!this.shown) return [];
    const recorder = this.records.of(this.shown.id);
    const after = last ?? this.cleared.get(recorder) ?? 0;
    return recorder.entries.filter(({ number }) => number > after).toReversed();
  }

  /** Shows only entries that contain these words; all of them if there are none. */
  setFilter(text: string): void {
    this.filter = new TrafficFilter(text, this.mask);
    this.changed.fire();
  }

  private fitting(entries: readonly TrafficEntry[]): readonly TrafficEntry[] {
    return entries.filter((entry) => this.filter.fits(entry));
  }

  private filterRows(shown: number, total: number): readonly FilterRow[] {
    const filter = this.filter.text;
    return filter ? [{ kind: 'filter', filter, shown, total }] : [];
  }
}
