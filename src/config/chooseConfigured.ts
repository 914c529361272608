import { plainLabel } from '../base/text/text';
import type { Configuration, CurrentConfiguration } from './configuration';
import type { LocatedDefinition } from './mergeLayers';
import type { Server } from '../mcp/server';
import { runCommand } from '../ui/commands';
import { Command, View } from '../ui/ids';
import { showView } from '../ui/keyboard';
import { noServers } from '../ui/rows/labels';
import { askOwn, noServer } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import { askRow } from '../ui/steps/pickRows';
import type { UserAction } from '../ui/questions/question';
import { UserError, isTimeout } from '../base/errors';
import { once } from '../base/event';

/** The longest time that a server that was just written may take to be read, in milliseconds. */
const readMs = 10_000;

/** A server that was just written to the configuration. */
interface WrittenServer {
  /**
   * Resolves to the id of what is launched for it, perhaps under another name, once the configuration has been read
   * again; `undefined` if it is switched off. Rejects with a `UserError` if it is not read in time or is gone again.
   */
  startedAs(): Promise<string | undefined>;
}

/** Starts watching for a server that was just written. */
export function untilConfigured(
  configuration: Configuration,
  name: string,
  isMeant: (server: LocatedDefinition) => boolean,
): WrittenServer {
  const find = (): { readonly id: string | undefined } | undefined => {
    const { servers, duplicates, disabled } = configuration.current;
    const used = servers.find(isMeant)?.definition;
    if (used) return used;
    const duplicate = duplicates.find(({ server }) => isMeant(server));
    if (duplicate) return duplicate.as;
    return disabled.some(({ server }) => isMeant(server)) ? { id: undefined } : undefined;
  };
  const signal = AbortSignal.timeout(readMs);
  const seen = find()
    ? Promise.resolve()
    : once(configuration.onDidChange, () => find() !== undefined, signal);
  // The caller may never ask for it.
  seen.catch(() => {});
  return {
    startedAs: async () => {
      const found = find() ?? (await seen.then(find, (error: unknown) => asLate(error, name)));
      if (found) return found.id;
      throw new UserError((t) => t('"{0}" is no longer configured.', plainLabel(name, 40)));
    },
  };
}

/**
 * Shows the list of servers and starts one that was just added; resolves to its id, or to `undefined` if an
 * administrator does not allow it.
 */
export async function showAndStart(
  action: UserAction,
  configuration: Configuration,
  name: string,
  isMeant: (server: LocatedDefinition) => boolean,
): Promise<string | undefined> {
  await showView(View.servers, action);
  const id = await untilConfigured(configuration, name, isMeant).startedAs();
  if (id !== undefined) await runCommand(action, Command.startServer, id);
  return id;
}

function asLate(error: unknown, name: string): never {
  if (!isTimeout(error)) throw error;
  throw new UserError((t) =>
    t(
      '"{0}" was saved, but it has not been read yet. Start it from its row in the MCP Workbench view once it is there.',
      plainLabel(name, 40),
    ),
  );
}

/** The user who has just run a command that may ask which server it is for. */
export interface Asker {
  readonly action: UserAction;
  readonly questions: Pick<Questions, 'ask'>;
}

/**
 * Returns the server that a command is for: the one of the given row or id, or else one that the user picks from
 * `offered`, by default the servers in use; `undefined` if it is unknown or the pick was dismissed. The pick is a
 * question like those that may follow, so that the second click of a double click does not answer one of them.
 * Rejects with a `UserError` if there is nothing to pick.
 */
export async function chooseConfigured(
  target: unknown,
  configuration: Configuration,
  title: string,
  { action, questions }: Asker,
  offered: (current: CurrentConfiguration) => readonly LocatedDefinition[] = inUse,
): Promise<LocatedDefinition | undefined> {
  await configuration.ready;
  const id =
    typeof target === 'string' ? target : (target as { server?: Server } | undefined)?.server?.id;
  if (id !== undefined) return configuration.get(id);
  const items = offered(configuration.current).map((server) =>
    serverItem(server, server.layer.label),
  );
  if (items.length === 0) throw noServers(configuration.current.disabled.length);
  const picked = await askOwn(
    questions,
    { server: noServer, what: title, asked: action },
    (context) => askRow({ frame: { title, actions: [], context }, items }),
  );
  return picked?.server;
}

function inUse({ servers }: CurrentConfiguration): readonly LocatedDefinition[] {
  return servers;
}

/** Makes the row of a configured server. */
export function serverItem(server: LocatedDefinition, description: string) {
  return { label: plainLabel(server.definition.name), description, server };
}
