import * as vscode from 'vscode';
import { sha256Hex } from '../../base/hash';
import { formatBytes, plainLabel, trimEnd, truncate } from '../../base/text/text';
import { type Resource, displayName } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import { entryIcon } from '../../ui/entryIcon';
import { Command } from '../../ui/ids';
import { treeRow } from '../../ui/rows/treeRow';
import { type TreeNode, isNodeOf } from '../../ui/tree';
import { expectedName } from '../documents/resourceDocument';
import type { ResourceTarget } from '../targets';
import { toResourceUri } from '../../ui/resourceUri';
import { type SortKey, parseTime } from './viewOptions';
import { asideText, listText } from '../../base/translate';

const longestDetail = 1000;
const longestUri = 300;
const longestFolder = 60;

/** Returns everything that a list says about a resource, as its server wrote it. */
function describeResource(resource: Resource, server: Server): string {
  const { uri, name, title, description, mimeType, size, annotations } = resource;
  const changed = parseTime(annotations?.lastModified);
  const priority = annotations?.priority;
  const audience = annotations?.audience ?? [];
  const lines = [
    title && title !== name ? asideText(title, name, vscode.l10n.t) : name,
    truncate(uri, longestUri),
    [server.name, mimeType, size === undefined ? '' : formatBytes(size)]
      .filter(Boolean)
      .join(' · '),
    changed === undefined ? '' : vscode.l10n.t('Last changed: {0}', localTime(changed)),
    audience.length === 0 ? '' : vscode.l10n.t('Meant for: {0}', listText(audience, vscode.l10n.t)),
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

/** A row of the tree that stands for a resource, or for one document of it. */
export interface ResourceNode extends TreeNode, ResourceTarget {
  readonly server: Server;
}

/** A row of the tree that stands for a folder of resources. */
export interface FolderNode extends TreeNode {
  /** What the URIs of all resources below begin with. */
  readonly prefix: string;
}

/** How the row of a resource looks, apart from what the resource says. */
export interface ResourceLooks {
  readonly description: string;
  readonly pinned: boolean;
  readonly changed: boolean;
  /** True for a result of a template, which is kept until the user removes it. */
  readonly remembered?: boolean;
}

/** True for rows made by {@link createResourceNode}. */
export function isResourceNode(value: unknown): value is ResourceNode {
  return isNodeOf(value, 'resource', 'server');
}

/** True for rows made by {@link createFolderNode}. */
export function isFolderNode(value: unknown): value is FolderNode {
  return isNodeOf(value, 'prefix');
}

/** Makes the row of a target, which `shown` describes. */
export function createResourceNode(
  target: ResourceTarget,
  shown: Resource,
  { parent, section }: { readonly parent: TreeNode; readonly section: string },
  row: {
    /** Called on every refresh. */
    readonly looks: () => ResourceLooks;
    readonly children?: (node: ResourceNode) => readonly TreeNode[];
  },
): ResourceNode {
  const { server, resource, document } = target;
  const { looks, children } = row;
  const id = rowId(section, `resource:${shown.uri}`);
  const name = document ?? expectedName(resource.uri, resource);
  const node: ResourceNode = {
    id,
    parent,
    ...target,
    item() {
      const { description, pinned, changed, remembered } = looks();
      // The editor marks the row only by its color, because of the lock that read-only files have.
      const mark = changed ? vscode.l10n.t('changed') : '';
      return treeRow({
        id,
        kind: vscode.l10n.t('Resource'),
        label: labelOf(shown),
        description: [mark, description].filter(Boolean).join(' · '),
        state: pinned ? vscode.l10n.t('pinned') : undefined,
        tooltip: describeResource(shown, server),
        contextValue: [
          'resource',
          pinned ? 'pinned' : 'loose',
          ...(changed ? ['changed'] : []),
          ...(remembered ? ['remembered'] : []),
        ].join('.'),
        // Icon themes decide by the file name, so this also gives the icon for the media type.
        resourceUri: toResourceUri(
          { serverId: server.id, uri: resource.uri },
          children ? '' : name,
        ),
        icon: pinned
          ? 'pinned'
          : entryIcon(shown, children ? new vscode.ThemeIcon('files') : vscode.ThemeIcon.File),
        ...(children ? { below: 'collapsed' } : { command: openCommand(node) }),
      });
    },
    ...(children && { children: () => children(node) }),
  };
  return node;
}

/** Makes the row of a folder; one that is a resource itself can be read and copied like one. */
export function createFolderNode(
  folder: { readonly label: string; readonly prefix: string; readonly self: Resource | undefined },
  place: { server?: Server; parent: TreeNode; section: string; opened?: boolean },
  children: (node: TreeNode) => readonly TreeNode[] | Promise<readonly TreeNode[]>,
): FolderNode {
  const { label, prefix, self } = folder;
  const { server, parent, section, opened = false } = place;
  const id = rowId(section, `folder:${prefix}`);
  const node: FolderNode = {
    id,
    parent,
    prefix,
    ...(server && { server }),
    ...(self && { resource: self }),
    item: () =>
      treeRow({
        id,
        kind: vscode.l10n.t('Folder'),
        label: plainLabel(label) || prefix,
        tooltip: self && server ? describeResource(self, server) : prefix,
        icon: vscode.ThemeIcon.Folder,
        below: opened && !self ? 'expanded' : 'collapsed',
        contextValue: self ? 'resourceDirectory' : 'resourceFolder',
      }),
    children: () => children(node),
  };
  return node;
}

/** Makes a row that says something about the rows beside it. */
export function createNoteNode(
  parent: TreeNode,
  note: {
    readonly key: string;
    readonly text: string;
    readonly icon: string;
    readonly tooltip?: string;
  },
  command?: (node: TreeNode) => vscode.Command,
): TreeNode {
  const id = rowId(parent.id, `note:${note.key}`);
  const node: TreeNode = {
    id,
    parent,
    item: () =>
      treeRow({
        id,
        label: note.text,
        tooltip: note.tooltip ?? note.text,
        icon: note.icon,
        contextValue: 'note',
        command: command?.(node),
      }),
  };
  return node;
}

function openCommand(node: ResourceNode): vscode.Command {
  return {
    command: Command.openResource,
    title: vscode.l10n.t('Open Resource'),
    arguments: [node],
  };
}

function labelOf(resource: Resource): string {
  return plainLabel(displayName(resource)) || plainLabel(resource.uri) || '␣';
}

/** Returns the id of a row; a long key is represented by its hash, because the editor keeps ids in many places. */
export function rowId(section: string, key: string): string {
  return key.length <= 500 ? `${section}/${key}` : `${section}/#${sha256Hex(key)}`;
}
