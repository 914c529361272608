import * as vscode from 'vscode';
import { formatBytes, plainLabel, trimEnd, truncate } from '../../base/text/text';
import { displayName, type Resource } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import { parseTime, type SortKey } from './order';

const longestDetail = 1000;
const longestUri = 300;
const longestFolder = 60;

/** Returns everything that a list says about a resource, as its server wrote it. */
export function describeResource(resource: Resource, server: Server): string {
  const { uri, name, title, description, mimeType, size, annotations } = resource;
  const changed = parseTime(annotations?.lastModified);
  const priority = annotations?.priority;
  const audience = annotations?.audience ?? [];
  const lines = [
    title && title !== name ? `${title} (${name})` : name,
    truncate(uri, longestUri),
    [server.name, mimeType, size === undefined ? '' : formatBytes(size)]
      .filter(Boolean)
      .join(' · '),
    changed === undefined ? '' : vscode.l10n.t('Last changed: {0}', localTime(changed)),
    audience.length === 0 ? '' : vscode.l10n.t('Meant for: {0}', audience.join(', ')),
    priority === undefined
      ? ''
      : vscode.l10n.t('Importance: {0}%', String(Math.round(priority * 100))),
    description ? `\n${truncate(description, longestDetail)}` : '',
  ];
  return lines.filter(Boolean).join('\n');
}

/** Returns what a row says beside the name: what the rows are sorted by, or the last part of the URI if it differs. */
export function detailOf(resource: Resource, sort: SortKey): string {
  const { uri, size, annotations } = resource;
  const changed = parseTime(annotations?.lastModified);
  if (sort === 'size') return size === undefined ? '' : formatBytes(size);
  if (sort === 'changed') return changed === undefined ? '' : localTime(changed);
  const last = uri.slice(uri.lastIndexOf('/') + 1);
  return plainLabel(displayName(resource)) === last ? '' : plainLabel(last, 60);
}

/** Returns those resources that share their name, and what is shown beside it, with another. */
export function namesakes<R extends Resource>(all: readonly R[], sort: SortKey): ReadonlySet<R> {
  const firsts = new Map<string, R>();
  const found = new Set<R>();
  for (const one of all) {
    const text = `${displayName(one)}\n${detailOf(one, sort)}`;
    const first = firsts.get(text);
    if (first) found.add(first).add(one);
    else firsts.set(text, one);
  }
  return found;
}

/** Returns what tells a resource from others with its name: the URI before the last slash, cut at the front if long. */
export function folderOf(uri: string): string {
  const folder = trimEnd(uri.slice(0, uri.lastIndexOf('/') + 1), /\//) || uri;
  return folder.length > longestFolder ? `…${folder.slice(-longestFolder)}` : folder;
}

function localTime(time: number): string {
  return new Date(time).toLocaleString(vscode.env.language);
}
