import * as vscode from 'vscode';
import { Timer } from '../../base/async';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import { errorDetail } from '../../base/errors';
import { fingerprint } from '../../base/bytes';
import type { Servers } from '../../mcp/server';
import { registerCommands, setContextKey } from '../../ui/commands';
import type { Logs } from '../../ui/logs';
import type { UserAction } from '../../ui/questions/question';
import type { PromptRuns } from '../runPrompt';
import { ContextKey } from '../../ui/ids';
import { watchServers } from '../../ui/watchServers';
import type { CompanionExtension } from './companionExtension';
import {
  type WorkspaceParts,
  contextValue,
  joinEntries,
  withPart,
  withoutListed,
  withoutServers,
} from './companionManifest';
import { type PaletteChoice, wantedEntries } from './wantedEntries';
import type { PaletteEntry } from './paletteEntry';
import { backoffMs } from '../../base/pace';

const shortestRestMs = 3000;

/** The longest wait before an install that a server's changes cause, in milliseconds. */
export const longestRestMs = 15 * 60_000;

/**
 * The pause between two installs of palette entries: if a server keeps changing its prompts, each pause is twice as
 * long as the one before, until it has been quiet for that long.
 */
export class InstallPace {
  private readonly now: () => number;
  private restMs = shortestRestMs;
  /** How many installs in a row came soon after the pause of the one before. */
  private hasty = 0;
  private restUntil = -Infinity;

  constructor(now: () => number) {
    this.now = now;
  }

  /** How many milliseconds are left to wait. */
  get left(): number {
    return Math.max(0, this.restUntil - this.now());
  }

  /** Counts an install that has just happened. */
  installed(): void {
    const now = this.now();
    const wasQuiet = now > this.restUntil + this.restMs;
    this.hasty = wasQuiet ? 0 : this.hasty + 1;
    this.restMs = backoffMs({ firstMs: shortestRestMs, longestMs: longestRestMs }, this.hasty);
    this.restUntil = now + this.restMs;
  }
}

/** What is needed to keep the palette up to date. */
export interface PaletteDeps {
  readonly servers: Servers;
  readonly choice: PaletteChoice;
  readonly companion: CompanionExtension;
  readonly logs: Logs;
  readonly runs: Pick<PromptRuns, 'run'>;
  /** Called when the editor did not accept the entries; nothing more is tried until the user makes another choice. */
  readonly onRefused: (error: unknown) => void;
  /** Called when the user has uninstalled the generated extension. */
  readonly onUninstalled: () => void;
}

const pauseMs = 250;
const firstSyncMs = 10_000;

/**
 * Keeps the palette entries as this window wants them: their handlers, the context key that shows them, and this
 * workspace's part of the generated extension, which all windows share.
 */
export class Palette implements Disposable {
  private readonly store = new DisposableStore();
  private readonly handlers = new Map<string, Disposable>();
  private readonly deps: PaletteDeps;
  private readonly timer = this.store.add(new Timer(() => void this.run()));
  /** True if what this window wants may have changed, not just what another one installed. */
  private ownChange = true;
  private running: Promise<void>;
  private refused = false;
  private wasInstalled: boolean;
  private readonly pace = new InstallPace(Date.now);
  /** The servers of which no part of the generated extension may say anything more. */
  private readonly forgotten = new Set<string>();

  constructor(deps: PaletteDeps) {
    this.deps = deps;
    const { servers, choice } = deps;
    this.wasInstalled = deps.companion.installed;
    this.store.add(servers.onDidChange(() => this.update()));
    this.store.add(
      watchServers(servers, ({ prompts }) => prompts.onDidChange(() => this.update())),
    );
    this.store.add(
      choice.onDidChange(() => {
        this.refused = false;
        this.update();
      }),
    );
    this.store.add(vscode.extensions.onDidChange(() => this.schedule()));
    this.store.add(toDisposable(() => this.serve([])));
    // Before the configuration has been read, there are no servers, which must not empty the palette.
    this.timer.start(servers.all.length > 0 ? 0 : firstSyncMs);
    this.running = this.restore();
  }

  /** Updates the palette now; resolves to true once the entries are there, and to false if the editor did not accept them. */
  async apply(): Promise<boolean> {
    this.refused = false;
    this.ownChange = true;
    this.timer.dispose();
    await this.run();
    return !this.refused;
  }

  /** Takes what a server said of its prompts out of the generated extension, for all workspaces. */
  forget(serverId: string): void {
    this.forgotten.add(serverId);
    this.ownChange = true;
    this.timer.start(0);
  }

  dispose(): void {
    this.store.dispose();
  }

  private update(): void {
    this.ownChange = true;
    this.schedule();
  }

  private schedule(): void {
    if (this.refused) return;
    // The random part keeps windows from installing at the same moment, the pace keeps a server from making them
    // install endlessly.
    const pause = pauseMs + Math.random() * pauseMs;
    this.timer.start(Math.max(pause, this.pace.left));
  }

  /** Serves the entries that an earlier session installed, before any server is known. */
  private async restore(): Promise<void> {
    const { choice, companion } = this.deps;
    const entries = companion.parts[await workspaceKey()]?.entries ?? [];
    const isOn = choice.mode === 'all' || choice.mode === 'pinned';
    this.serve(isOn ? entries : entries.filter(({ slash }) => slash));
  }

  private async run(): Promise<void> {
    this.running = this.running.then(() => this.sync());
    await this.running;
  }

  private async sync(): Promise<void> {
    const { ownChange } = this;
    this.ownChange = false;
    try {
      await this.publish(ownChange);
    } catch (error) {
      this.refused = true;
      this.deps.logs.extension.warn(errorDetail(error));
      this.deps.onRefused(error);
    }
  }

  private async publish(ownChange: boolean): Promise<void> {
    const { servers, choice, companion } = this.deps;
    const key = await workspaceKey();
    const before = companion.parts;
    const parts = withoutServers(before, this.forgotten);
    const installed = parts[key]?.entries ?? [];
    const wanted = await wantedEntries(servers.all, choice, installed);
    this.serve(wanted);
    const vanished = this.wasInstalled && !companion.installed;
    this.wasInstalled = companion.installed;
    if (vanished && wanted.length > 0) return this.deps.onUninstalled();
    // The setting applies to all workspaces, so the entries of those that are not open are removed, too.
    const others = choice.mode === 'off' ? withoutListed(parts) : parts;
    const target = ownChange ? wanted : joinEntries(others[key]?.entries ?? [], wanted);
    const next = withPart(others, key, target, new Date());
    const isCleared = JSON.stringify(others) !== JSON.stringify(before);
    const forgotten = [...this.forgotten];
    if (next ?? isCleared) await this.install(next ?? others);
    for (const id of forgotten) this.forgotten.delete(id);
  }

  private async install(parts: WorkspaceParts): Promise<void> {
    const { companion } = this.deps;
    if (Object.keys(parts).length > 0) await companion.install(parts);
    else await companion.uninstall();
    this.wasInstalled = companion.installed;
    this.pace.installed();
  }

  private serve(entries: readonly PaletteEntry[]): void {
    const wanted = new Map(entries.map((entry) => [entry.command, entry]));
    for (const [command, handler] of this.handlers) {
      if (wanted.has(command)) continue;
      handler.dispose();
      this.handlers.delete(command);
    }
    const { logs, runs } = this.deps;
    for (const [command, { server, prompt }] of wanted)
      if (!this.handlers.has(command)) {
        const run = async (action: UserAction) => void (await runs.run(action, { server, prompt }));
        this.handlers.set(command, registerCommands(logs, { [command]: run }));
      }
    void setContextKey(ContextKey.palettePrompts, contextValue(entries));
  }
}

/** Returns a key that tells the workspaces of a profile apart without naming them. */
async function workspaceKey(): Promise<string> {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const uris = workspaceFile ? [workspaceFile] : workspaceFolders.map(({ uri }) => uri);
  return (await fingerprint(uris.map(String))).slice(0, 16);
}
