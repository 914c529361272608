import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Configuration } from '../configuration';
import type { Readiness } from '../launch/prepare';

/** The servers that start only once the user trusts the workspace: its own, and others that reach into it. */
export class RestrictedServers implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<string>());
  private readonly readiness: (id: string) => Promise<Readiness>;
  private ids: ReadonlySet<string> = new Set();
  private newest = 0;

  /** Fires with the id of a server that is now one of them, or no longer is. */
  readonly onDidChange = this.changed.event;

  constructor(
    configuration: Pick<Configuration, 'current' | 'onDidChange'>,
    readiness: (id: string) => Promise<Readiness>,
  ) {
    this.readiness = readiness;
    const find = () => void this.find(configuration);
    this.store.add(configuration.onDidChange(find));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(find));
  }

  has(serverId: string): boolean {
    return this.ids.has(serverId);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async find({ current }: Pick<Configuration, 'current'>): Promise<void> {
    const turn = (this.newest += 1);
    const all = vscode.workspace.isTrusted
      ? []
      : current.servers.map(({ definition }) => definition.id);
    const found = await Promise.all(all.map(this.readiness));
    if (turn !== this.newest) return;
    const before = this.ids;
    this.ids = new Set(all.filter((_, index) => found[index] === 'restricted'));
    for (const id of new Set([...before, ...this.ids]))
      if (before.has(id) !== this.ids.has(id)) this.changed.fire(id);
  }
}
