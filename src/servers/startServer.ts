import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { plainLabel } from '../base/text/text';
import type { Configuration } from '../config/configuration';
import type { StartPolicy } from '../config/launch/startPolicy';
import type { StartServer } from '../contracts/startServer';
import { shownState } from '../tree/shownState';
import { sameText } from '../tree/repeatNode';
import type { Servers } from '../mcp/servers';

/** Makes {@link StartServer}, which waits until the configuration has been read. */
export function createStartServer(
  servers: Servers,
  configuration: Configuration,
  policy: StartPolicy,
): StartServer {
  return async (id) => {
    await configuration.ready;
    if (id !== '*' && !servers.get(id)) throw unknownServer(id, configuration);
    const ids = id === '*' ? servers.all.map((server) => server.id) : [id];
    return policy.startByHand(ids, () => servers.start(id));
  };
}

/** Returns an error that says why no server has an id: it is disabled, a repeat of another, unusable, or not configured. */
export function unknownServer(id: string, { current }: Configuration): UserError {
  const problem = current.problems.find((one) => one.id === id);
  const off = current.disabled.find(({ server }) => server.definition.id === id);
  if (off) return new UserError(`${plainLabel(id)}: ${shownState(off.why).label}`);
  const repeat = current.repeats.find(({ server }) => server.definition.id === id);
  if (repeat) return new UserError(plainLabel(`${id}: ${sameText(repeat)}`));
  return new UserError(
    problem
      ? vscode.l10n.t('{0} cannot be used: {1}', plainLabel(id), problem.message)
      : vscode.l10n.t('No MCP server has the id {0}.', plainLabel(id)),
  );
}
