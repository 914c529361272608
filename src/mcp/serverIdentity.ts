import { nextTurn } from '../base/async';
import { fingerprint } from '../base/bytes';
import { canonicalJson } from '../base/json';
import { kindOf } from './launch/launchKinds';
import type { Tool } from './protocol/types';
import type { Server } from './server';
import { sessionInfo } from './serverState';
import { letsToolBeCalled } from './serverConfig';

/** What a user relies on when they trust a server: how it is launched and what it says about itself. */
export interface ServerIdentity {
  /** The launch configuration to show, without the values of variables and headers. */
  readonly launch: Readonly<Record<string, unknown>>;
  /** The fingerprint of the whole launch: the place, what runs and what it is given. */
  readonly launchFingerprint: string;
  readonly instructions?: string;
}

/** What a user relies on when they allow a tool. */
export interface ToolIdentity extends ServerIdentity {
  readonly definition: Pick<
    Tool,
    'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations' | '_meta'
  >;
}

/** What a user relies on when they allow all tools of a server: the fingerprint of each one that may be called, by name. */
export interface ToolsIdentity extends ServerIdentity {
  readonly tools: Readonly<Record<string, string>>;
}

/** After this many fingerprints, the rest of the window gets its turn. */
const toolsPerTurn = 200;

/** Returns the current identity of a server; its instructions are known only while it runs. */
export async function serverIdentity(server: Server): Promise<ServerIdentity> {
  const { definition, state } = server;
  const instructions = sessionInfo(state)?.instructions;
  return {
    launch: kindOf(definition.config).show(definition.config),
    launchFingerprint: await server.launchFingerprint(),
    ...(instructions !== undefined && { instructions }),
  };
}

/** Returns the identity of `tool` and of its server as it is now: the same object until one of them changes. */
export async function toolIdentity(server: Server, tool: Tool): Promise<ToolIdentity> {
  const now = await serverIdentity(server);
  const basis = canonicalJson(now);
  const before = toolIdentities.get(tool);
  if (before?.basis === basis) return before.identity;
  const identity = { ...now, definition: definitionOf(tool) };
  toolIdentities.set(tool, { basis, identity });
  return identity;
}

/** Returns the identity of all tools of a server together: the same object until the list, the server or its filter changes. */
export async function toolsIdentity(server: Server): Promise<ToolsIdentity> {
  const { items } = server.tools;
  const { toolFilter } = server.definition;
  const now = await serverIdentity(server);
  const basis = canonicalJson([now, toolFilter]);
  const before = toolsIdentities.get(items);
  if (before?.basis === basis) return before.identity;
  const callable = items.filter(({ name }) => letsToolBeCalled(toolFilter, name));
  const identity = { ...now, tools: await fingerprintsOf(callable) };
  toolsIdentities.set(items, { basis, identity });
  return identity;
}

/** Returns the fingerprint of an identity, which is computed only once. */
export function identityFingerprint(identity: ToolIdentity | ToolsIdentity): Promise<string> {
  const known = identityFingerprints.get(identity) ?? fingerprint(identity);
  identityFingerprints.set(identity, known);
  return known;
}

/* Needed for each call, several times, and the same until a list changes, which may have thousands of tools. */
const toolIdentities = new WeakMap<
  Tool,
  { readonly basis: string; readonly identity: ToolIdentity }
>();
const toolsIdentities = new WeakMap<
  readonly Tool[],
  { readonly basis: string; readonly identity: ToolsIdentity }
>();
const identityFingerprints = new WeakMap<ToolIdentity | ToolsIdentity, Promise<string>>();
const toolFingerprints = new WeakMap<Tool, Promise<string>>();

async function fingerprintsOf(tools: readonly Tool[]): Promise<Readonly<Record<string, string>>> {
  const fingerprints: (readonly [string, string])[] = [];
  for (const [index, tool] of tools.entries()) {
    if (index % toolsPerTurn === 0) await nextTurn();
    fingerprints.push([tool.name, await toolFingerprint(tool)]);
  }
  return Object.fromEntries(fingerprints);
}

/** Returns the fingerprint of a tool's definition, which is computed only once. */
export function toolFingerprint(tool: Tool): Promise<string> {
  const known = toolFingerprints.get(tool) ?? fingerprint(definitionOf(tool));
  toolFingerprints.set(tool, known);
  return known;
}

function definitionOf(tool: Tool): ToolIdentity['definition'] {
  const { name, title, description, inputSchema, outputSchema, annotations, _meta } = tool;
  return {
    name,
    inputSchema,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
    ...(_meta !== undefined && { _meta }),
  };
}
