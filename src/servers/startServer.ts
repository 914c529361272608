import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { plainLabel } from '../base/text';
import type { Configuration } from '../config/configuration';
import type { StartOutcome } from '../mcp/server';
import type { Servers } from '../mcp/servers';

/** Makes the function that starts a server by its id, or all with `*`, once the configuration is read. */
export function createStartServer(
  servers: Servers,
  configuration: Configuration,
): (id: string) => Promise<readonly StartOutcome[]> {
  return async (id) => {
    await configuration.ready;
    if (id !== '*' && !servers.get(id))
      throw new UserError(vscode.l10n.t('No MCP server has the id {0}.', plainLabel(id)));
    return servers.start(id);
  };
}
