import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { UserError } from '../base/errors';
import { Emitter } from '../base/event';
import { plainLabel } from '../base/text/text';
import type { Root } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { Setting } from '../ui/ids';
import {
  findRoot,
  isTold,
  mergeRoots,
  readAdded,
  readHidden,
  rootsFor,
  withChoice,
  type HiddenRoots,
  type RootEntry,
} from './rootChoices';

/** The workspace folders and added roots, and which server is told of which. */
export class Roots implements Disposable {
  private readonly servers: Servers;
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<void>());
  private readonly askers = new Set<string>();
  private told = new Map<string, string>();
  readonly onDidChange = this.changed.event;

  constructor(servers: Servers) {
    this.servers = servers;
    this.disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.announce()));
    this.disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        const ours = [Setting.hiddenRoots, Setting.addedRoots];
        if (ours.some((key) => event.affectsConfiguration(key))) this.announce();
      }),
    );
    this.disposables.add(servers.onDidChange(() => this.changed.fire()));
  }

  /** The workspace folders first, then what was added beside them. */
  get entries(): readonly RootEntry[] {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return mergeRoots(folders.map(toEntry), this.added);
  }

  private get added(): readonly RootEntry[] {
    return readAdded(vscode.workspace.getConfiguration().get(Setting.addedRoots));
  }

  get hidden(): HiddenRoots {
    return readHidden(vscode.workspace.getConfiguration().get(Setting.hiddenRoots));
  }

  /** The servers that may be told of a root: a workspace folder's own servers hear of no other folder. */
  serversFor({ folder }: RootEntry): readonly Server[] {
    return this.servers.all.filter(({ definition }) => isOwnPlace(folder, definition.folder));
  }

  /** What a server is told, exactly as it goes over the wire. */
  rootsOf({ id, name }: { readonly id: string; readonly name: string }): readonly Root[] {
    const own = this.servers.get(id)?.definition.folder;
    const entries = this.entries.filter(({ folder }) => isOwnPlace(folder, own));
    return rootsFor(entries, this.hidden, name);
  }

  /** Answers a server's question, and remembers that it asked. */
  answer(server: { readonly id: string; readonly name: string }): readonly Root[] {
    const roots = this.rootsOf(server);
    this.told.set(server.id, JSON.stringify(roots));
    if (!this.askers.has(server.id)) {
      this.askers.add(server.id);
      this.changed.fire();
    }
    return roots;
  }

  isTold(root: RootEntry, server: { readonly name: string }): boolean {
    return isTold(this.hidden, root, server.name);
  }

  /** The servers that asked and are told of nothing, so that they may have nothing to work on. */
  get disappointed(): readonly Server[] {
    return this.servers.all.filter(
      (server) => this.askers.has(server.id) && this.rootsOf(server).length === 0,
    );
  }

  /** Tells a server, or with `*` all of them, of a root from now on, or no longer. */
  async choose(root: RootEntry, server: string, told: boolean): Promise<void> {
    const servers = this.serversFor(root).map(({ name }) => name);
    const hidden = withChoice(this.hidden, root, { server, told, servers });
    await write(Setting.hiddenRoots, Object.keys(hidden).length > 0 ? hidden : undefined);
  }

  /** Adds a root; rejects with a `UserError` for a place that is one already. */
  async add({ uri, name }: Root): Promise<void> {
    const known = findRoot(this.entries, uri);
    if (known)
      throw new UserError(
        vscode.l10n.t(
          '{0} is a root already: its check box says whether servers are told of it.',
          plainLabel(known.name),
        ),
      );
    await write(Setting.addedRoots, [...this.added.map(plain), plain({ uri, name: name ?? uri })]);
  }

  /** Takes an added root away, with the choices made for it. */
  async remove(root: RootEntry): Promise<void> {
    const others = this.added.filter(({ uri }) => !findRoot([root], uri)).map(plain);
    await write(Setting.addedRoots, others.length > 0 ? others : undefined);
    await this.choose(root, '*', true);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  // Only servers whose own answer changed hear of it.
  private announce(): void {
    for (const server of this.servers.all) {
      const now = JSON.stringify(this.rootsOf(server));
      if (this.told.get(server.id) === now) continue;
      this.told.set(server.id, now);
      server.notifyRootsChanged();
    }
    this.changed.fire();
  }
}

/** True unless both are workspace folders, and not the same one. */
function isOwnPlace(root: string | undefined, server: string | undefined): boolean {
  return root === undefined || server === undefined || root === server;
}

function toEntry({ uri, name }: vscode.WorkspaceFolder): RootEntry {
  // The editor's own form escapes more than servers expect, such as the colon of a drive.
  const address = uri.scheme === 'file' ? pathToFileURL(uri.fsPath).href : uri.toString();
  return { uri: address, name, key: name, folder: uri.toString(), added: false };
}

function plain({ uri, name }: RootEntry | Root): Root {
  return name === undefined ? { uri } : { uri, name };
}

// The choice belongs to the workspace; without one there are only the user's settings.
async function write(key: string, value: unknown): Promise<void> {
  const target = vscode.workspace.workspaceFolders
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(key, value, target);
}
