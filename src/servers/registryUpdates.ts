import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { CancelledError, UserError } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import { plainLabel } from '../base/text/text';
import {
  isOfThisRegistry,
  readLatest,
  updateFromRegistry,
  type RegisteredServer,
} from '../config/add/registryUpdate';
import { chooseConfigured } from '../config/chooseConfigured';
import type { Configuration } from '../config/configuration';
import type { InputValues } from '../config/inputs/inputValues';
import type { LocatedDefinition } from '../config/mergeLayers';
import type { ListedServer, SearchedRegistry } from '../mcp/http/mcpRegistry';
import type { Server, Servers } from '../mcp/server';
import type { ServerNotes } from '../tree/serverNode';
import { registerCommands } from '../ui/commands';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { showMessage, withProgress } from '../ui/messages';
import { askOwn } from '../ui/questions/askOwn';
import type { UserAction } from '../ui/questions/question';
import type { Questions } from '../ui/questions/questions';
import { treeRow } from '../ui/rows/treeRow';
import type { TreeNode } from '../ui/tree';

/** So many servers are looked up by one *Check for Updates*. */
export const maxUpdateChecks = 100;
/** So many of them are named when that is done. */
const maxToldServers = 5;

interface UpdatesDeps {
  readonly servers: Servers;
  readonly configuration: Configuration;
  readonly values: Pick<InputValues, 'idsAt'>;
  readonly input: DocumentInput;
  readonly writer: WorkspaceWriter;
  readonly questions: Questions;
  readonly logs: Logs;
  /** Fires with what a search of the user in a registry has found. */
  readonly onDidSearch: Event<SearchedRegistry>;
}

/**
 * Knows which servers have a newer version in the registry that they came from: as the user had it checked, or as it
 * came with a search of theirs. It asks for nothing by itself, and writes nothing without showing it.
 */
export class RegistryUpdates implements Disposable {
  private readonly deps: UpdatesDeps;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<Server>());
  /** The latest versions of servers that are configured, by the registry and the name there. */
  private readonly latest = new Map<string, ListedServer>();

  constructor(deps: UpdatesDeps) {
    this.deps = deps;
    this.store.add(deps.onDidSearch(({ url, servers }) => this.note(url, servers)));
    this.store.add(
      registerCommands(deps.logs, {
        [Command.checkForUpdates]: (action: UserAction, target?: unknown) =>
          this.check(action, target),
        [Command.updateServer]: (action: UserAction, target?: unknown) =>
          this.update(action, target),
      }),
    );
  }

  /** What the rows of servers show of it. */
  get notes(): ServerNotes {
    return {
      onDidChange: this.changed.event,
      marks: ({ id }) => {
        const server = this.registered(id);
        if (!server) return [];
        return this.newerThan(server) ? ['registry', 'update'] : ['registry'];
      },
      nodes: (server, parent) => {
        const registered = this.registered(server.id);
        const listed = registered && this.latest.get(keyOf(registered.origin));
        return listed ? rowsOf(server, parent, registered, listed) : [];
      },
    };
  }

  dispose(): void {
    this.store.dispose();
  }

  private registered(id: string): RegisteredServer | undefined {
    return asRegistered(this.deps.configuration.get(id));
  }

  private newerThan({ origin }: RegisteredServer): ListedServer | undefined {
    const listed = this.latest.get(keyOf(origin));
    return listed && listed.version !== origin.version ? listed : undefined;
  }

  private note(url: string, listed: readonly ListedServer[]): void {
    const byKey = new Map(listed.map((one) => [keyOf({ url, name: one.name }), one]));
    for (const server of this.deps.servers.all) {
      const origin = this.registered(server.id)?.origin;
      const key = origin && keyOf(origin);
      const one = key !== undefined && byKey.get(key);
      if (!one) continue;
      this.latest.set(key, one);
      this.changed.fire(server);
    }
  }

  private async check(action: UserAction, target: unknown): Promise<void> {
    const { t } = vscode.l10n;
    const { servers, configuration } = this.deps;
    await configuration.ready;
    const one = target === undefined ? undefined : await this.choose(action, target);
    const known = one ? [one] : servers.all.flatMap(({ id }) => this.registered(id) ?? []);
    if (known.length === 0) throw new UserError(noneText());
    const asked = one ? known : known.filter(isOfThisRegistry);
    const title = t('Checking for updates…');
    const { Notification: location } = vscode.ProgressLocation;
    const found = await withProgress(
      { location, title, cancellable: true },
      async (_progress, token) => {
        const ended = new AbortController();
        token.onCancellationRequested(() => ended.abort(new CancelledError()));
        return this.lookUp(asked.slice(0, maxUpdateChecks), ended.signal);
      },
    );
    const newer = found.filter(({ server }) => this.newerThan(server));
    const update = t('Update from Registry…');
    const buttons = newer.length === 1 ? [update] : [];
    const pressed = await showMessage('info', checkedText(found, { known, asked }), ...buttons);
    if (pressed) await this.update(pressed.action, newer[0]?.server.definition.id);
  }

  /** One after another: what fails for one, such as a registry that does not answer, fails for all. */
  private async lookUp(
    servers: readonly RegisteredServer[],
    signal: AbortSignal,
  ): Promise<readonly Checked[]> {
    const found: Checked[] = [];
    for (const server of servers) {
      const listed = await readLatest(server, signal);
      if (listed) this.note(server.origin.url, [listed]);
      found.push({ server, listed });
    }
    return found;
  }

  private async update(action: UserAction, target: unknown): Promise<void> {
    const { t } = vscode.l10n;
    const { questions } = this.deps;
    const server = await this.choose(action, target);
    if (!server) return;
    const { name, id } = server.definition;
    const shown = plainLabel(name, 60);
    const own = { server: { id, name }, what: t('update {0}', shown), asked: action };
    const written = await askOwn(questions, own, (context) =>
      updateFromRegistry(server, this.deps, context),
    );
    if (!written) return;
    const { from, to, undo } = written;
    const told = t('Updated: {0} ({1} → {2})', shown, plainLabel(from, 60), plainLabel(to, 60));
    if (await showMessage('info', told, t('Undo'))) await undo();
  }

  private async choose(action: UserAction, target: unknown): Promise<RegisteredServer | undefined> {
    const { configuration, questions } = this.deps;
    const title = vscode.l10n.t('Update from Registry');
    const asker = { action, questions };
    const chosen = await chooseConfigured(target, configuration, title, asker, ({ servers }) => {
      const known = servers.filter((one) => asRegistered(one));
      if (known.length === 0) throw new UserError(noneText());
      return known;
    });
    if (!chosen) return undefined;
    const registered = asRegistered(chosen);
    if (registered) return registered;
    const name = plainLabel(chosen.definition.name, 60);
    throw new UserError(vscode.l10n.t('"{0}" did not come from an MCP registry.', name));
  }
}

/** A server and its latest version; `undefined` if it is no longer listed. */
interface Checked {
  readonly server: RegisteredServer;
  readonly listed: ListedServer | undefined;
}

function asRegistered(server: LocatedDefinition | undefined): RegisteredServer | undefined {
  return server?.origin && (server as RegisteredServer);
}

function keyOf({ url, name }: { readonly url: string; readonly name: string }): string {
  return JSON.stringify([url, name]);
}

function noneText(): string {
  return vscode.l10n.t(
    'No server here came from an MCP registry. Add one by Add Server… › Search the MCP Registry….',
  );
}

/** Says what was found out, one line for each server that has something to say. */
function checkedText(
  found: readonly Checked[],
  { known, asked }: Readonly<Record<'known' | 'asked', readonly RegisteredServer[]>>,
): string {
  const { t } = vscode.l10n;
  const lines = found.flatMap(({ server: { origin, definition }, listed }) => {
    const name = plainLabel(definition.name, 60);
    if (!listed) return [t('"{0}" is no longer listed by its registry.', name)];
    const [from, to] = [plainLabel(origin.version, 60), plainLabel(listed.version, 60)];
    if (from !== to) return [t('"{0}" can be updated: {1} → {2}.', name, from, to)];
    return found.length === 1 ? [t('"{0}" is up to date: {1}.', name, to)] : [];
  });
  const shown = lines.slice(0, maxToldServers);
  const others = known.length - asked.length;
  const cut = asked.length - found.length;
  return [
    ...(lines.length > 0 ? shown : [t('Up to date: {0} servers.', found.length)]),
    ...(lines.length > shown.length ? [t('and {0} more', lines.length - shown.length)] : []),
    ...(cut > 0 ? [t('Not checked, as {0} are at once at most: {1}.', found.length, cut)] : []),
    ...(others > 0 ? [t('Not checked, as they came from another registry: {0}.', others)] : []),
  ].join(' ');
}

/** Returns the row that says what the registry has of a server, if that is anything to know. */
function rowsOf(
  server: Server,
  parent: TreeNode,
  { origin }: RegisteredServer,
  { version, status, statusMessage, updated }: ListedServer,
): readonly TreeNode[] {
  const { t } = vscode.l10n;
  const isNewer = version !== origin.version;
  const isDeprecated = status === 'deprecated';
  if (!isNewer && !isDeprecated) return [];
  const id = `${parent.id}/update`;
  const deprecated = statusMessage === '' ? t('deprecated') : t('deprecated: {0}', statusMessage);
  const title = t('Update from Registry…');
  const node: TreeNode = {
    id,
    parent,
    server,
    item: () =>
      treeRow({
        id,
        kind: t('MCP Registry'),
        label: isNewer ? t('Version {0} is available', version) : t('Deprecated by its publisher'),
        description: isNewer ? t('{0} is configured', origin.version) : statusMessage,
        tooltip: [
          `${origin.name} ${version}`,
          ...(updated === '' ? [] : [t('updated on {0}', updated)]),
          ...(isDeprecated ? [deprecated] : []),
          ...(isNewer ? [t('Select to see what would change. Nothing is written before.')] : []),
        ].join('\n'),
        icon: isNewer ? 'cloud-download' : 'warning',
        ...(isDeprecated && { iconColor: 'list.warningForeground' }),
        ...(isNewer && {
          contextValue: 'serverUpdate',
          command: { command: Command.updateServer, title, arguments: [server.id] },
        }),
      }),
  };
  return [node];
}
