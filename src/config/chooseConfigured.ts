import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { plainLabel } from '../base/text/text';
import type { Configuration } from './configuration';
import type { LocatedDefinition } from './mergeReadings';
import type { Server } from '../mcp/server';
import { showPick } from '../ui/rows/picks';

/** The server that a command is for: that of the row or the id that it got, else one that the user picks. */
export async function chooseConfigured(
  target: unknown,
  configuration: Configuration,
  title: string,
): Promise<LocatedDefinition | undefined> {
  const id =
    typeof target === 'string' ? target : (target as { server?: Server } | undefined)?.server?.id;
  if (id !== undefined) return configuration.get(id);
  const items = configuration.current.servers.map((server) =>
    serverItem(server, server.reading.label),
  );
  if (items.length === 0) throw new UserError(vscode.l10n.t('No MCP server is configured yet.'));
  return (await showPick(items, { title, matchOnDescription: true }))?.server;
}

/** The row of a configured server. */
export function serverItem(server: LocatedDefinition, description: string) {
  return { label: plainLabel(server.definition.name), description, server };
}
