import * as vscode from 'vscode';
import { isRecord } from '../base/json';
import { fileName } from '../base/text/fileName';
import type { Resource } from '../mcp/protocol/types';
import { shownIn } from '../ui/keyboard';
import type { Server, Servers } from '../mcp/server';
import { expectedName } from './documents/resourceDocument';
import type { ResourceStore } from './documents/resourceStore';
import {
  parseResourceUri,
  toResourceUri,
  type ResourceLocation,
  type ResourceRef,
} from '../ui/resourceUri';

/** A resource that a command acts on, or one of its documents. */
export interface ResourceTarget {
  readonly server: Server;
  /** The resource as it is listed, or made from what is known if it is not. */
  readonly resource: Resource;
  /** The file name of the document, if the resource has several. */
  readonly document?: string;
  /** Our URI by which the target was named, if it was. */
  readonly shown?: vscode.Uri;
}

/** Returns the key of a target in the store. */
export function refOf({ server, resource }: ResourceTarget): ResourceRef {
  return { serverId: server.id, uri: resource.uri };
}

/** Returns our URI for a target, with the name under which it was read, if it was. */
export function targetUri(store: ResourceStore, target: ResourceTarget): vscode.Uri {
  const { resource, document, shown } = target;
  if (shown) return shown;
  const ref = refOf(target);
  const known = store.peek(ref)?.documents;
  const single = known?.length === 1 ? known[0]?.name : undefined;
  return toResourceUri(ref, document ?? single ?? expectedName(resource.uri, resource));
}

/** Returns our URI for a resource that a result links to. */
export function uriOf(ref: ResourceRef, servers: Servers, store: ResourceStore): vscode.Uri {
  const target = findTarget(servers, ref);
  return target ? targetUri(store, target) : toResourceUri(ref);
}

/** Finds a target by its server and URI, for links and other extensions; `undefined` if the server is unknown. */
export function findTarget(
  servers: Servers,
  { serverId, uri }: ResourceRef,
  document?: string,
): ResourceTarget | undefined {
  const server = servers.get(serverId);
  if (!server) return undefined;
  const listed = server.resources.items.find((one) => one.uri === uri);
  const resource = listed ?? { uri, name: fileName({ uri }) };
  return { server, resource, ...(document !== undefined && { document }) };
}

/**
 * Returns the targets that the arguments of a command name, once the configuration has been read: a row of the tree and
 * the other selected rows, a URI of our own as passed by menus of editors, or `{ serverId, uri }`.
 */
export async function toTargets(
  servers: Servers,
  first: unknown,
  rest: unknown,
): Promise<readonly ResourceTarget[]> {
  if (Array.isArray(rest) && rest.some(isTarget)) return rest.filter(isTarget);
  if (isTarget(first)) return [first];
  const shown = first instanceof vscode.Uri ? first : undefined;
  const location: ResourceLocation | undefined = shown ? parseResourceUri(shown) : toRef(first);
  if (!location) return [];
  await servers.ready;
  const target = findTarget(servers, location, location.name);
  return target ? [{ ...target, ...(shown && { shown }) }] : [];
}

/** Returns the resource in the active editor; empty if it shows something else. */
export function activeTargets(servers: Servers): Promise<readonly ResourceTarget[]> {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return toTargets(servers, activeTab && shownIn(activeTab), undefined);
}

function isTarget(value: unknown): value is ResourceTarget {
  return isRecord(value) && 'resource' in value && 'server' in value;
}

function toRef(value: unknown): ResourceRef | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { serverId, uri } = value as Readonly<Record<string, unknown>>;
  return typeof serverId === 'string' && typeof uri === 'string' ? { serverId, uri } : undefined;
}
