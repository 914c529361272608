import * as vscode from 'vscode';
import { isRecord } from '../base/json';
import { fileName } from '../base/text/fileName';
import type { Resource } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { expectedName } from './documents/resourceDocument';
import type { ResourceStore } from './documents/resourceStore';
import {
  parseResourceUri,
  toResourceUri,
  type ResourceLocation,
  type ResourceRef,
} from '../ui/resourceUri';

/** A resource that something is to be done with, or one document of it. */
export interface ResourceTarget {
  readonly server: Server;
  /** As it is listed, or made up of what is known where it is not. */
  readonly resource: Resource;
  /** The file name of the document where the resource has several. */
  readonly document?: string;
  /** Our URI that it was named by, where it was. */
  readonly shown?: vscode.Uri;
}

/** The key of a target in the store. */
export function refOf({ server, resource }: ResourceTarget): ResourceRef {
  return { serverId: server.id, uri: resource.uri };
}

/** Our URI for a target, with the name it was read under where it was. */
export function targetUri(store: ResourceStore, target: ResourceTarget): vscode.Uri {
  const { resource, document, shown } = target;
  if (shown) return shown;
  const ref = refOf(target);
  const known = store.peek(ref)?.documents;
  const single = known?.length === 1 ? known[0]?.name : undefined;
  return toResourceUri(ref, document ?? single ?? expectedName(resource.uri, resource));
}

/** A target by its names, for links and other extensions; `undefined` when the server is unknown. */
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
 * The targets of a command by its arguments: a row of the tree and the other rows selected, a URI
 * of our own as menus of editors give it, or `{ serverId, uri }`, once the configuration was read.
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

/** The resource in the active editor; none where it shows something else. */
export function activeTargets(servers: Servers): Promise<readonly ResourceTarget[]> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri =
    input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
      ? input.uri
      : input instanceof vscode.TabInputTextDiff
        ? input.modified
        : undefined;
  return toTargets(servers, uri, undefined);
}

function isTarget(value: unknown): value is ResourceTarget {
  return isRecord(value) && 'resource' in value && 'server' in value;
}

function toRef(value: unknown): ResourceRef | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { serverId, uri } = value as Readonly<Record<string, unknown>>;
  return typeof serverId === 'string' && typeof uri === 'string' ? { serverId, uri } : undefined;
}
