import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Memento } from '../../base/memento';
import { type Resource, displayName } from '../../mcp/protocol/types';

/** What the resources of a level can be sorted by; resources without a value come last. */
const sortKeys = ['name', 'size', 'changed'] as const;

/** One of {@link sortKeys}. */
export type SortKey = (typeof sortKeys)[number];

let collator: Intl.Collator | undefined;

function compareNames(a: string, b: string): number {
  // Made on demand, because it takes as long as much of the extension's startup.
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
}

/** Sorts resources by name, largest first, or latest change first. */
export function sortResources<R extends Resource>(
  resources: readonly R[],
  key: SortKey,
): readonly R[] {
  switch (key) {
    case 'name':
      return byName(resources);
    case 'size':
      return byNumber(resources, ({ size }) => size);
    case 'changed':
      return byNumber(resources, ({ annotations }) => parseTime(annotations?.lastModified));
  }
}

/** Sorts folders by their labels. */
export function sortLabels<F extends { readonly label: string }>(
  folders: readonly F[],
): readonly F[] {
  return folders.toSorted((a, b) => compareNames(a.label, b.label));
}

/** Returns the epoch milliseconds of an ISO 8601 time; `undefined` if the text is not one. */
export function parseTime(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function byName<R extends Resource>(resources: readonly R[]): readonly R[] {
  return resources
    .map((resource) => ({ resource, name: displayName(resource) }))
    .toSorted((a, b) => compareNames(a.name, b.name))
    .map(({ resource }) => resource);
}

function byNumber<R extends Resource>(
  resources: readonly R[],
  value: (resource: R) => number | undefined,
): readonly R[] {
  return byName(resources)
    .map((resource) => ({ resource, value: value(resource) ?? -Infinity }))
    .toSorted((a, b) => (a.value === b.value ? 0 : b.value - a.value))
    .map(({ resource }) => resource);
}

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
