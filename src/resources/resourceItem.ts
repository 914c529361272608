import * as vscode from 'vscode';
import { formatBytes, plainLabel, revealHidden, truncate } from '../base/text';
import { displayName, type Resource } from '../mcp/protocol';
import type { Server } from '../mcp/server';
import { expectedName } from './resourceDocument';
import { toResourceUri } from './resourceUri';

/** Everything a list says about a resource, as plain text. */
export function describeResource(resource: Resource, server: Server): string {
  const { uri, name, title, description, mimeType, size, annotations } = resource;
  const { audience, priority, lastModified } = annotations ?? {};
  const changed = lastModified === undefined ? Number.NaN : Date.parse(lastModified);
  const lines = [
    title && title !== name ? `${title} (${name})` : name,
    truncate(uri, 300),
    [mimeType, size !== undefined && formatBytes(size), server.name].filter(Boolean).join(' · '),
    !Number.isNaN(changed) &&
      vscode.l10n.t('Last changed {0}', new Date(changed).toLocaleString(vscode.env.language)),
    audience?.length && vscode.l10n.t('Meant for: {0}', audience.join(', ')),
    priority !== undefined && vscode.l10n.t('Importance: {0}%', Math.round(priority * 100)),
    description && `\n${truncate(description, 1000)}`,
  ];
  return revealHidden(lines.filter(Boolean).join('\n'));
}

/** The row of one resource; icon and badge follow from its URI of ours. */
export function createResourceItem(resource: Resource, server: Server): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLabel(displayName(resource)) || plainLabel(resource.uri));
  const ref = { serverId: server.id, uri: resource.uri };
  item.resourceUri = toResourceUri(ref, expectedName(resource.uri, resource));
  item.iconPath = vscode.ThemeIcon.File;
  item.tooltip = describeResource(resource, server);
  return item;
}
