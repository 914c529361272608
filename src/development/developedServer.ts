import * as vscode from 'vscode';
import { DisposableHolder, DisposableStore, type Disposable } from '../base/disposable';
import type { Logger } from '../base/log';
import type { Configuration } from '../config/configuration';
import type { Server } from '../mcp/server';
import { canonicalJson } from '../base/json';
import { FileRestarts } from './fileRestarts';
import { watchFiles } from './watchFiles';

/** Restarts one server when the files that its configuration watches change. */
export class DevelopedServer implements Disposable {
  private readonly server: Server;
  private readonly configuration: Configuration;
  private readonly store = new DisposableStore();
  private readonly watching = this.store.add(new DisposableHolder<Disposable>());
  private readonly restarts: FileRestarts;
  private watched = '';

  constructor(
    server: Server,
    deps: {
      readonly configuration: Configuration;
      readonly log: Logger;
      readonly onDidChangeHold: () => void;
    },
  ) {
    this.server = server;
    this.configuration = deps.configuration;
    this.restarts = this.store.add(
      new FileRestarts({
        isUp: () => server.state.kind !== 'stopped',
        now: () => Date.now(),
        onDidChangeHold: deps.onDidChangeHold,
        restart: async (path) => {
          deps.log.info(`${path} changed: restarting.`);
          await server.stop();
          await server.start();
        },
      }),
    );
    this.store.add(deps.configuration.onDidChange(() => this.watch()));
    this.store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.watched = '';
        this.watch();
      }),
    );
    this.watch();
  }

  /** The file that changed so often that restarts are on hold; `undefined` if they are not. */
  get heldBy(): string | undefined {
    return this.restarts.heldBy;
  }

  /** Discards the changes so far, because the server is being restarted for another reason. */
  forget(): void {
    this.restarts.forget();
  }

  dispose(): void {
    this.store.dispose();
  }

  private watch(): void {
    const { definition } = this.server;
    const globs = this.configuration.get(definition.id)?.development?.watch ?? [];
    const now = canonicalJson(globs);
    if (now === this.watched) return;
    this.watched = now;
    this.restarts.resume();
    const base = baseOf(definition);
    this.watching.value =
      base && globs.length > 0
        ? watchFiles(base, globs, {
            isHeeded: () => this.restarts.isHeeded,
            changed: (change) => this.restarts.changed(change),
          })
        : undefined;
  }
}

/**
 * Returns the folder that globs are relative to: the one that the server is configured in, or the first one
 * that is open.
 */
export function baseOf({ folder }: Server['definition']): vscode.Uri | undefined {
  if (folder !== undefined) return vscode.Uri.parse(folder);
  return vscode.workspace.workspaceFolders?.[0]?.uri;
}
