import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Memento } from '../../base/memento';
import { sortKeys, type SortKey } from './order';

const flatKey = 'resources.flat';
const sortKey = 'resources.sort';

/** How the tree shows resources; the filter lasts for the session, the rest is remembered. */
export class ViewOptions implements Disposable {
  private readonly state: Memento;
  private readonly changed = new Emitter<void>();
  private filtered = '';
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

  /** What the name, title or URI of a shown resource must match; empty shows all. */
  get filter(): string {
    return this.filtered;
  }

  async setFlat(flat: boolean): Promise<void> {
    await this.state.update(flatKey, flat);
    this.changed.fire();
  }

  async setSort(key: SortKey): Promise<void> {
    await this.state.update(sortKey, key);
    this.changed.fire();
  }

  setFilter(filter: string): void {
    if (filter === this.filtered) return;
    this.filtered = filter;
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
