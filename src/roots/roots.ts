import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { UserError } from '../base/errors';
import { Emitter } from '../base/event';
import { plainLabel } from '../base/text/text';
import { fileAddress } from '../base/uri/fileAddress';
import type { Root } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { Setting } from '../ui/ids';
import { readLevels, readSetting } from '../ui/settings/readSetting';
import { settingRules } from '../ui/settings/settingRules';
import {
  findRoot,
  isTold,
  mergeRoots,
  readAdded,
  rootsFor,
  withChoice,
  type HiddenRoots,
  type RootEntry,
} from './rootChoices';
import type { RootConsents } from './rootConsents';

/** Asks whether servers are told of what the settings of the workspace add; `undefined` where the user left it open. */
type AskWorkspace = (roots: readonly RootEntry[]) => Promise<boolean | undefined>;

/** The workspace folders and added roots, and which server is told of which. */
export class Roots implements Disposable {
  private readonly servers: Servers;
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<void>());
  private readonly consents: RootConsents;
  private readonly askWorkspace: AskWorkspace;
  private readonly isTrusted: () => boolean;
  private readonly askers = new Set<string>();
  private told = new Map<string, string>();
  readonly onDidChange = this.changed.event;

  constructor(
    servers: Servers,
    consents: RootConsents,
    askWorkspace: AskWorkspace,
    isTrusted = () => vscode.workspace.isTrusted,
  ) {
    this.servers = servers;
    this.consents = consents;
    this.askWorkspace = askWorkspace;
    this.isTrusted = isTrusted;
    this.disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.announce()));
    this.disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.announce()));
    this.disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        const ours = [Setting.hiddenRoots, Setting.addedRoots];
        if (!ours.some((key) => event.affectsConfiguration(key))) return;
        this.announce();
        if (this.askers.size > 0) void this.askForWorkspace();
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
    const own = readAdded(readSetting(Setting.addedRoots));
    return mergeRoots(
      own,
      this.ofWorkspace.filter(({ uri }) => this.consents.allows(uri)),
    );
  }

  /** What the settings of the workspace add, whether anybody agreed or not. */
  private get ofWorkspace(): readonly RootEntry[] {
    if (!this.isTrusted()) return [];
    return readLevels(Setting.addedRoots).workspace.flatMap(readAdded);
  }

  get hidden(): HiddenRoots {
    return readSetting(Setting.hiddenRoots);
  }

  /** The servers that may be told of a root: a workspace folder's own servers hear of no other folder. */
  serversFor({ folder }: RootEntry): readonly Server[] {
    return this.servers.all.filter(({ definition }) => isOwnPlace(folder, definition.folder));
  }

  /** True for folders of a workspace that is not trusted: no server is given anything of it to work on. */
  isWithheld({ folder }: RootEntry): boolean {
    return folder !== undefined && !this.isTrusted();
  }

  /** What a server is told, exactly as it goes over the wire. */
  rootsOf({ id, name }: { readonly id: string; readonly name: string }): readonly Root[] {
    const own = this.servers.get(id)?.definition.folder;
    const entries = this.entries.filter(
      (entry) => isOwnPlace(entry.folder, own) && !this.isWithheld(entry),
    );
    return rootsFor(entries, this.hidden, name);
  }

  /** Answers a server's question, and remembers that it asked. */
  answer(server: { readonly id: string; readonly name: string }): readonly Root[] {
    const roots = this.rootsOf(server);
    this.told.set(server.id, JSON.stringify(roots));
    if (!this.askers.has(server.id)) {
      this.askers.add(server.id);
      this.changed.fire();
      void this.askForWorkspace();
    }
    return roots;
  }

  isTold(root: RootEntry, server: { readonly name: string }): boolean {
    return !this.isWithheld(root) && isTold(this.hidden, root, server.name);
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
    for (const { target, value } of levelsOf(Setting.hiddenRoots)) {
      const before = settingRules[Setting.hiddenRoots].read(value) ?? {};
      // What hides it at any level has to go; one level is enough to hide it.
      if (target !== ownTarget() && (!told || isTold(before, root, server))) continue;
      const hidden = withChoice(before, root, { server, told, servers });
      await write(Setting.hiddenRoots, Object.keys(hidden).length > 0 ? hidden : undefined, target);
    }
  }

  /** Adds a root; rejects with a `UserError` for a place that is one already. */
  async add({ uri, name }: Root): Promise<void> {
    const known = findRoot(this.entries, uri);
    if (known)
      throw new UserError(
        vscode.l10n.t(
          '{0} is already a root. Its check box decides whether it is shared.',
          plainLabel(known.name),
        ),
      );
    const target = ownTarget();
    const before = levelsOf(Setting.addedRoots).find((level) => level.target === target);
    const others = readAdded(before?.value).map(plain);
    await this.consents.decide([uri], true);
    await write(Setting.addedRoots, [...others, plain({ uri, name: name ?? uri })], target);
  }

  /** Takes an added root away, with the choices made for it. */
  async remove(root: RootEntry): Promise<void> {
    for (const { target, value } of levelsOf(Setting.addedRoots)) {
      const before = readAdded(value);
      const others = before.filter(({ uri }) => !findRoot([root], uri)).map(plain);
      if (others.length === before.length) continue;
      await write(Setting.addedRoots, others.length > 0 ? others : undefined, target);
    }
    await this.choose(root, '*', true);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Asks once about what the workspace adds, as soon as a server would be told of it. */
  private async askForWorkspace(): Promise<void> {
    const roots = this.ofWorkspace;
    const unasked = this.consents.takeUnasked(roots.map(({ uri }) => uri));
    if (unasked.size === 0) return;
    const shares = await this.askWorkspace(roots.filter(({ uri }) => unasked.has(uri)));
    if (shares === undefined) return;
    await this.consents.decide(unasked, shares);
    this.announce();
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
  const address = uri.scheme === 'file' ? fileAddress(uri.path, uri.authority) : uri.toString();
  return { uri: address, name, key: name, folder: uri.toString(), added: false };
}

function plain({ uri, name }: RootEntry | Root): Root {
  return name === undefined ? { uri } : { uri, name };
}

// The choice belongs to the workspace; without one there are only the user's settings.
function ownTarget(): vscode.ConfigurationTarget {
  return vscode.workspace.workspaceFolders
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
}

/** What the user and the workspace say of a setting. */
function levelsOf(key: string) {
  const values = vscode.workspace.getConfiguration().inspect<unknown>(key);
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const levels = [
    { target: Global, value: values?.globalValue },
    { target: Workspace, value: values?.workspaceValue },
  ];
  return levels.filter(({ target }) => target === Global || target === ownTarget());
}

async function write(
  key: string,
  value: unknown,
  target: vscode.ConfigurationTarget,
): Promise<void> {
  await vscode.workspace.getConfiguration().update(key, value, target);
}
