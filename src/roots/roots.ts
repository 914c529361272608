import * as vscode from 'vscode';
import { createLimiter } from '../base/async';
import { type Disposable, DisposableStore } from '../base/disposable';
import { UserError } from '../base/errors';
import { Emitter } from '../base/event';
import { plainLabel } from '../base/text/text';
import { comparedAddress, fileAddress } from '../base/uri/fileAddress';
import type { Root } from '../mcp/protocol/types';
import type { Server, Servers } from '../mcp/server';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Setting } from '../ui/ids';
import { onDidChangeSettings, readLevels, readSetting } from '../ui/settings/readSetting';
import { settingRules } from '../ui/settings/settingRules';
import {
  type HiddenFrom,
  type RootEntry,
  findRoot,
  isTold,
  maxAddedRoots,
  mergeRoots,
  readAdded,
  readHidden,
  rootsFor,
  withAdded,
  withoutLinks,
  withChoice,
  withoutAdded,
} from './rootChoices';
import type { Memento } from '../base/memento';

const storeKey = 'workspaceRoots';

/** The user's decisions about the roots that a workspace wants to share, stored outside the workspace's own files. */
export class RootConsents {
  private readonly store: Memento;
  /** The undecided roots that were asked about in this window, each of them only once, as they are compared. */
  private readonly shown = new Set<string>();

  constructor(store: Memento) {
    this.store = store;
  }

  allows(uri: string): boolean {
    return this.decisions.get(comparedAddress(uri)) === true;
  }

  /** Returns those of `uris` to ask about now, and marks them, so that each is asked about once. */
  takeUnasked(uris: readonly string[]): ReadonlySet<string> {
    const { decisions, shown } = this;
    const unasked = uris.filter((uri) => {
      const key = comparedAddress(uri);
      return !decisions.has(key) && !shown.has(key);
    });
    for (const uri of unasked) shown.add(comparedAddress(uri));
    return new Set(unasked);
  }

  async decide(uris: Iterable<string>, allowed: boolean): Promise<void> {
    const decided = Array.from(uris, (uri) => [comparedAddress(uri), allowed] as const);
    await this.store.update(storeKey, [...new Map([...this.decisions, ...decided])]);
  }

  private get decisions(): ReadonlyMap<string, boolean> {
    const value = this.store.get(storeKey);
    const decided = Array.isArray(value) ? value.filter(isDecision) : [];
    return new Map(decided.map(([uri, allowed]) => [comparedAddress(uri), allowed]));
  }
}

function isDecision(value: unknown): value is [string, boolean] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';
}

/**
 * Asks whether to tell servers about the roots that the workspace settings add; `undefined` if the user did
 * not decide.
 */
type AskWorkspace = (roots: readonly RootEntry[]) => Promise<boolean | undefined>;

/** The workspace folders and added roots, and which of them each server is told about. */
export class Roots implements Disposable {
  private readonly servers: Servers;
  private readonly writer: WorkspaceWriter;
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<void>());
  private readonly consents: RootConsents;
  private readonly askWorkspace: AskWorkspace;
  private readonly realPath: (path: string) => Promise<string>;
  private readonly isTrusted: () => boolean;
  /** The roots that the workspace adds, where links led when they were last looked up, by their address as written. */
  private found: ReadonlyMap<string, RootEntry> = new Map();
  private readonly askers = new Set<string>();
  /** Read once for a value of the setting, not for each root and server. */
  private readHidden: { readonly of: object; readonly from: HiddenFrom } | undefined;
  private told = new Map<string, string>();
  /** Settings are read, changed and written by one change at a time, so that none undoes another. */
  private readonly inTurn = createLimiter(1);
  readonly onDidChange = this.changed.event;

  constructor(
    servers: Servers,
    writer: WorkspaceWriter,
    consents: RootConsents,
    askWorkspace: AskWorkspace,
    realPath: (path: string) => Promise<string>,
    isTrusted = () => vscode.workspace.isTrusted,
  ) {
    this.servers = servers;
    this.writer = writer;
    this.consents = consents;
    this.askWorkspace = askWorkspace;
    this.realPath = realPath;
    this.isTrusted = isTrusted;
    this.disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.refresh()));
    this.disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()));
    this.disposables.add(
      onDidChangeSettings([Setting.hiddenRoots, Setting.addedRoots], () => {
        this.readHidden = undefined;
        this.refresh();
        if (this.askers.size > 0) void this.askForWorkspace();
      }),
    );
    this.disposables.add(servers.onDidChange(() => this.changed.fire()));
    if (this.written.length > 0) this.refresh();
  }

  /** The workspace folders, followed by the roots added to them. */
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

  /**
   * The roots that the workspace settings add, where their links lead, whether or not the user agreed; none if the
   * workspace is not trusted.
   */
  private get ofWorkspace(): readonly RootEntry[] {
    return this.written.flatMap(({ uri }) => this.found.get(uri) ?? []);
  }

  /** The same as they are written, where a link may lead anywhere. */
  private get written(): readonly RootEntry[] {
    if (!this.isTrusted()) return [];
    return readLevels(Setting.addedRoots).workspace.flatMap(readAdded);
  }

  get hidden(): HiddenFrom {
    const of = readLevels(Setting.hiddenRoots);
    if (this.readHidden?.of !== of)
      this.readHidden = { of, from: readHidden(readSetting(Setting.hiddenRoots)) };
    return this.readHidden.from;
  }

  /** Looks up where the links of the workspace lead now: a repository, or a program in it, may change them at any time. */
  private async lookUp(): Promise<void> {
    const { written } = this;
    const folders = (vscode.workspace.workspaceFolders ?? []).map((one) => toEntry(one).uri);
    if (written.length > 0) this.found = await withoutLinks(written, folders, this.realPath);
  }

  private refresh(): void {
    this.announce();
    if (this.written.length > 0) void this.lookUp().then(() => this.announce());
  }

  /** Returns the servers that may be told about a root: a workspace folder's own servers hear of no other folder. */
  serversFor({ folder }: RootEntry): readonly Server[] {
    return this.servers.all.filter(({ definition }) => isOwnPlace(folder, definition.folder));
  }

  /** True for the folders of an untrusted workspace, about which no server is told. */
  isWithheld({ folder }: RootEntry): boolean {
    return folder !== undefined && !this.isTrusted();
  }

  /** Returns the roots that a server is told about, exactly as they are sent. */
  rootsOf({ id, name }: { readonly id: string; readonly name: string }): readonly Root[] {
    const own = this.servers.get(id)?.definition.folder;
    const entries = this.entries.filter(
      (entry) => isOwnPlace(entry.folder, own) && !this.isWithheld(entry),
    );
    return rootsFor(entries, this.hidden, name);
  }

  /** Returns the answer to a server's request for roots, and remembers that it asked. */
  async answer(server: { readonly id: string; readonly name: string }): Promise<readonly Root[]> {
    await this.lookUp();
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

  /** The servers that asked for roots and were given none, so that they may have nothing to work on. */
  get disappointed(): readonly Server[] {
    return this.servers.all.filter(
      (server) => this.askers.has(server.id) && this.rootsOf(server).length === 0,
    );
  }

  /** Starts or stops telling a server, or with `*` all servers, about a root. */
  async choose(root: RootEntry, server: string, told: boolean): Promise<void> {
    await this.inTurn(() => this.writeChoice(root, server, told));
  }

  /** Adds a root; rejects with a `UserError` if it already is one. */
  async add(root: Root): Promise<void> {
    await this.inTurn(() => this.writeAdded(root));
  }

  /** Removes an added root, and the choices made for it. */
  async remove(root: RootEntry): Promise<void> {
    await this.inTurn(async () => {
      // As it is written, or where that leads.
      const isIt = (uri: string) =>
        [uri, this.found.get(uri)?.uri ?? uri].some((one) => findRoot([root], one) !== undefined);
      for (const { target, value } of levelsOf(Setting.addedRoots)) {
        const others = withoutAdded(value, isIt);
        if (!Array.isArray(value) || others.length === value.length) continue;
        await this.writer.updateSetting(
          Setting.addedRoots,
          others.length > 0 ? others : undefined,
          target,
        );
      }
      await this.writeChoice(root, '*', true);
    });
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async writeChoice(root: RootEntry, server: string, told: boolean): Promise<void> {
    const servers = this.serversFor(root).map(({ name }) => name);
    for (const { target, value } of levelsOf(Setting.hiddenRoots)) {
      const before = settingRules[Setting.hiddenRoots].read(value) ?? {};
      // Nothing at any level may hide a root that is told; one level is enough to hide it.
      if (target !== ownTarget() && (!told || isTold(readHidden(before), root, server))) continue;
      const hidden = withChoice(before, root, { server, told, servers });
      await this.writer.updateSetting(
        Setting.hiddenRoots,
        Object.keys(hidden).length > 0 ? hidden : undefined,
        target,
      );
    }
  }

  private async writeAdded({ uri, name }: Root): Promise<void> {
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
    const all = withAdded(before?.value, { uri, name: name ?? uri });
    if (!all)
      throw new UserError(
        vscode.l10n.t(
          'There are {0} added roots already, and no more are read. Remove one first.',
          String(maxAddedRoots),
        ),
      );
    // Chosen by the user, so that where it leads now is what they want.
    const found = await withoutLinks(readAdded([{ uri, name }]), [], this.realPath);
    await this.consents.decide([uri, ...[...found.values()].map((one) => one.uri)], true);
    await this.writer.updateSetting(Setting.addedRoots, all, target);
  }

  /** Asks once about the roots that the workspace adds, as soon as a server would be told about them. */
  private async askForWorkspace(): Promise<void> {
    await this.lookUp();
    const roots = this.ofWorkspace;
    const unasked = this.consents.takeUnasked(roots.map(({ uri }) => uri));
    if (unasked.size === 0) return;
    const shares = await this.askWorkspace(roots.filter(({ uri }) => unasked.has(uri)));
    if (shares === undefined) return;
    await this.consents.decide(unasked, shares);
    this.announce();
  }

  // Only servers whose own answer changed are notified.
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

// The choice belongs to the workspace; without one there are only the user's settings.
function ownTarget(): vscode.ConfigurationTarget {
  return vscode.workspace.workspaceFolders
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
}

/** Returns the values of a setting for the user and for the workspace. */
function levelsOf(key: string) {
  const values = vscode.workspace.getConfiguration().inspect<unknown>(key);
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const levels = [
    { target: Global, value: values?.globalValue },
    { target: Workspace, value: values?.workspaceValue },
  ];
  return levels.filter(({ target }) => target === Global || target === ownTarget());
}
