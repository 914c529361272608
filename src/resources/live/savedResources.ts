import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Memento } from '../../base/memento';
import type { Resource } from '../../mcp/protocol/types';
import type { ResourceRef } from '../../ui/resourceUri';

/** A resource that was pinned or came from a template, with enough to show it while its server is not running. */
export interface SavedResource extends ResourceRef {
  readonly name: string;
  readonly title?: string;
  readonly mimeType?: string;
  /** The URI template that it came from, if any. */
  readonly template?: string;
  readonly pinned: boolean;
}

const stateKey = 'resources.kept';
const resultsPerTemplate = 8;
const longestUri = 10_000;

/** The resources that a user pinned and the last results of templates, kept across sessions. */
export class SavedResources implements Disposable {
  private readonly state: Memento;
  private readonly changed = new Emitter<string>();
  /** Fires with the id of the server whose resources changed. */
  readonly onDidChange = this.changed.event;

  constructor(state: Memento) {
    this.state = state;
  }

  /** All of them, most recent first. */
  get all(): readonly SavedResource[] {
    const stored = this.state.get(stateKey);
    return Array.isArray(stored) ? stored.filter(isKept) : [];
  }

  isPinned(ref: ResourceRef): boolean {
    return this.all.some((one) => one.pinned && same(one, ref));
  }

  pinned(): readonly SavedResource[] {
    return this.all.filter(({ pinned }) => pinned);
  }

  /** Returns the earlier results of a template. */
  resultsOf(serverId: string, template: string): readonly SavedResource[] {
    return this.all.filter((one) => one.serverId === serverId && one.template === template);
  }

  /** Pins or unpins a resource; an unpinned result of a template is kept as a result. */
  async setPinned(serverId: string, resource: Resource, pinned: boolean): Promise<void> {
    const known = this.all.find((one) => same(one, { serverId, uri: resource.uri }));
    const kept = { ...(known ?? keep(serverId, resource)), pinned };
    await this.put(kept, pinned || kept.template !== undefined);
  }

  /** Keeps a result of a template; the oldest beyond a few are removed unless pinned. */
  async addResult(serverId: string, template: string, resource: Resource): Promise<void> {
    if (resource.uri.length > longestUri) return;
    const pinned = this.isPinned({ serverId, uri: resource.uri });
    await this.put({ ...keep(serverId, resource), template, pinned }, true);
  }

  /** Removes a resource, pinned or not. */
  async forget({ serverId, uri }: ResourceRef): Promise<void> {
    const known = this.all.find((one) => same(one, { serverId, uri }));
    if (known) await this.put(known, false);
  }

  /** Removes all resources of a server. */
  async forgetOf(serverId: string): Promise<void> {
    const others = this.all.filter((one) => one.serverId !== serverId);
    if (others.length === this.all.length) return;
    await this.state.update(stateKey, others);
    this.changed.fire(serverId);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async put(resource: SavedResource, keeps: boolean): Promise<void> {
    const others = this.all.filter((one) => !same(one, resource));
    const next = keeps ? [resource, ...others] : others;
    let results = 0;
    const trimmed = next.filter((one) => {
      if (one.pinned || !sameTemplate(one, resource)) return true;
      results += 1;
      return results <= resultsPerTemplate;
    });
    await this.state.update(stateKey, trimmed);
    this.changed.fire(resource.serverId);
  }
}

function keep(serverId: string, { uri, name, title, mimeType }: Resource): SavedResource {
  return {
    serverId,
    uri,
    name,
    pinned: false,
    ...(title !== undefined && { title }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

function same(a: ResourceRef, b: ResourceRef): boolean {
  return a.serverId === b.serverId && a.uri === b.uri;
}

function sameTemplate(a: SavedResource, b: SavedResource): boolean {
  return a.serverId === b.serverId && a.template !== undefined && a.template === b.template;
}

function isKept(value: unknown): value is SavedResource {
  if (typeof value !== 'object' || value === null) return false;
  const { serverId, uri, name, pinned } = value as Readonly<Record<string, unknown>>;
  return (
    typeof serverId === 'string' &&
    typeof uri === 'string' &&
    typeof name === 'string' &&
    typeof pinned === 'boolean'
  );
}
