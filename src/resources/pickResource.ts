import * as vscode from 'vscode';
import { plainLabel } from '../base/text';
import { displayName, type Resource } from '../mcp/protocol';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';

/** Lets the person choose a resource of any server. */
export async function pickResource(
  servers: Servers,
): Promise<{ readonly server: Server; readonly resource: Resource } | undefined> {
  const items = servers.all.flatMap((server) =>
    server.resources.items.map((resource) => ({
      label: plainLabel(displayName(resource)),
      description: plainLabel(server.name),
      detail: plainLabel(resource.uri),
      server,
      resource,
    })),
  );
  return vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Open Resource'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
}
