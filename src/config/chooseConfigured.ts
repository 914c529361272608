import { plainLabel } from '../base/text/text';
import type { Configuration, CurrentConfiguration } from './configuration';
import type { LocatedDefinition } from './mergeLayers';
import type { Server } from '../mcp/server';
import { noServers } from '../ui/rows/noServers';
import { askOwn, noServer } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import { pickRow } from '../ui/steps/pickRows';
import type { UserAction } from '../ui/questions/question';

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
    serverItem(server, server.reading.label),
  );
  if (items.length === 0) throw noServers(configuration.current.disabled.length);
  const picked = await askOwn(
    questions,
    { server: noServer, what: title, asked: action },
    (context) => pickRow({ frame: { title, actions: [], context }, items }),
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
