import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Memento } from '../../base/memento';
import { sortKeys, type SortKey } from './order';

const flatKey = 'resources.flat';
const sortKey = 'resources.sort';

/** What was typed to filter resources, and the server whose resources it is for: all servers if absent. */
export interface ResourceFilter {
  readonly text: string;
  readonly serverId: string | undefined;
}

/** How the tree shows resources; the filter lasts for the session, the rest is remembered. */
export class ViewOptions implements Disposable {
  private readonly state: Memento;
  private readonly changed = new Emitter<void>();
  private filtered: ResourceFilter = { text: '', serverId: undefined };
  readonly onDidChange = this.changed.event;

  constructor(state: Memento) {
    this.state = state;
  }

  /** True if resources are shown in one list instead of folders. */
  get flat(): boolean {
    return this.state.get(flatKey) === true;
  }

  get sort(): SortKey {
    const stored = this.state.get(sortKey);
    return sortKeys.find((key) => key === stored) ?? 'name';
  }

  get filter(): ResourceFilter {
    return this.filtered;
  }

  /** Returns what the name, title or URI of a shown resource of a server must match; empty shows all. */
  filterOf(serverId: string): string {
    const { text, serverId: only } = this.filtered;
    return only === undefined || only === serverId ? text : '';
  }

  async setFlat(flat: boolean): Promise<void> {
    await this.state.update(flatKey, flat);
    this.changed.fire();
  }

  async setSort(key: SortKey): Promise<void> {
    await this.state.update(sortKey, key);
    this.changed.fire();
  }

  /** Filters the resources of one server, or those of all servers. */
  setFilter(text: string, serverId?: string): void {
    const before = this.filtered;
    if (text === before.text && serverId === before.serverId) return;
    this.filtered = { text, serverId };
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
