import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { asRecord, canonicalJson, changeTexts, type JsonRecord } from '../../base/json';
import { addressLabel } from '../../base/text/address';
import { plainLabel } from '../../base/text/text';
import { namesText } from '../../base/translate';
import { McpRegistry, type ListedServer, type RegistryOrigin } from '../../mcp/http/mcpRegistry';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import type { QuestionContext } from '../../ui/questions/question';
import { askRow } from '../../ui/steps/pickRows';
import { untilConfigured } from '../chooseConfigured';
import type { ConfigLayer } from '../configLayer';
import type { Configuration } from '../configuration';
import type { InputValues } from '../inputs/inputValues';
import type { LocatedDefinition } from '../mergeLayers';
import { acceptChange } from '../share/acceptChange';
import { registryAddress } from '../switches/administrator';
import { lineOf } from './addServers';
import { AdmittedServers } from './admission';
import {
  inputReference,
  inputReferences,
  inputsIn,
  type ImportedServer,
  type McpJsonServer,
} from './importedServer';
import { readRegistryEntry } from './registryEntry';
import { askAllPlaceholders } from './text/placeholders';
import { takenInputs, writableTargets, writeServers, type AddTarget } from './writeServers';

/** The keys of an entry that say how a server is launched, as a registry has them. */
const launchKeys = ['type', 'command', 'args', 'env', 'url', 'headers', 'registry'];

/** A configured server that came from a registry. */
export type RegisteredServer = LocatedDefinition & { readonly origin: RegistryOrigin };

/** Returns the registry that a server came from; throws a `UserError` unless it is the one that is in use now. */
export function registryOf({ definition, origin }: RegisteredServer): McpRegistry {
  const address = registryAddress();
  const registry = address === '' ? undefined : new McpRegistry(address);
  if (registry?.address === origin.url) return registry;
  throw new UserError((t) =>
    t(
      '"{0}" came from the MCP registry at {1}, which is not asked: "mcpWorkbench.registry" has {2}.',
      plainLabel(definition.name, 60),
      addressLabel(origin.url),
      registry ? addressLabel(registry.address) : t('no address'),
    ),
  );
}

/** True if a server came from the registry that is in use now. */
export function isOfThisRegistry({ origin }: RegisteredServer): boolean {
  const address = registryAddress();
  return address !== '' && new McpRegistry(address).address === origin.url;
}

/** Reads the latest version of a server; `undefined` if its registry no longer lists it. */
export async function readLatest(
  server: RegisteredServer,
  signal: AbortSignal,
): Promise<ListedServer | undefined> {
  return registryOf(server).version(server.origin.name, 'latest', signal);
}

/** Returns the ways to launch a server that are of the kind of its entry; all of them if there is none. */
export function waysLike(
  { type, command }: McpJsonServer,
  ways: readonly ImportedServer[],
): readonly ImportedServer[] {
  const like = ways.filter(
    ({ server }) => server['type'] === type && server['command'] === command,
  );
  return like.length > 0 ? like : ways;
}

/**
 * Puts a newer launch into a server's entry. What does not say how it is launched stays, and so does what the user has
 * changed since: `base` is what the registry had in the version of the entry, if it still knows. `replaced` are their
 * arguments where the newer ones cannot be told apart from these.
 */
export function updatedEntry(
  name: string,
  entry: McpJsonServer,
  newer: ImportedServer,
  base: ImportedServer | undefined,
): { readonly found: ImportedServer; readonly replaced: readonly string[] } {
  const used = inputsIn(entry);
  const { server: theirs, inputs = [] } = withIdsOf(newer, used);
  const before = base && withIdsOf(base, used).server;
  const isSameKind = entry['type'] === theirs['type'];
  const own = isSameKind ? entry : {};
  const named = ['env', 'headers'].flatMap((key) => {
    const merged = mergedValues(before && asRecord(before[key]), own[key], theirs[key]);
    return Object.keys(merged).length > 0 ? [[key, merged] as const] : [];
  });
  const args = mergedArguments(before?.['args'], own['args'], theirs['args']);
  const rest = Object.entries(entry).filter(([key]) => !launchKeys.includes(key));
  // Another address or program than the registry had is the user's own.
  const changed = ['url', 'command'].filter((key) => before && own[key] !== before[key]);
  const { env: _env, headers: _headers, ...launch } = theirs;
  const added = inputs.filter(({ id }) => !used.includes(id));
  return {
    found: {
      name,
      server: {
        ...launch,
        ...(args && { args }),
        ...Object.fromEntries(
          changed.flatMap((key) => (key in own ? [[key, own[key]] as const] : [])),
        ),
        ...Object.fromEntries(named),
        ...Object.fromEntries(rest),
      },
      ...(added.length > 0 && { inputs: added }),
    },
    replaced: args || theirs['args'] === undefined ? [] : listOf(own['args']).map(String),
  };
}

/** Gives the inputs of a registry's launch the ids that they got when the server was added. */
function withIdsOf(found: ImportedServer, used: readonly string[]): ImportedServer {
  const idOf = (id: string) =>
    used.find((one) => one === id) ??
    used.find((one) => one.startsWith(`${id}-`) && /^\d+$/.test(one.slice(id.length + 1))) ??
    id;
  return {
    ...found,
    server: changeTexts(found.server, (text) =>
      text.replaceAll(inputReferences, (_mark, id: string) => inputReference(idOf(id))),
    ),
    ...(found.inputs && { inputs: found.inputs.map((one) => ({ ...one, id: idOf(one.id) })) }),
  };
}

/** A value that is not the registry's is the user's own; without the registry's, every value may be. */
function mergedValues(before: JsonRecord | undefined, own: unknown, newer: unknown): JsonRecord {
  const mine = Object.entries(asRecord(own)).filter(
    ([key, value]) => !before || canonicalJson(value) !== canonicalJson(before[key]),
  );
  return { ...asRecord(newer), ...Object.fromEntries(mine) };
}

/** Merges lists of arguments; `undefined` if those of the user cannot be told from those of the registry. */
function mergedArguments(
  before: unknown,
  own: unknown,
  newer: unknown,
): readonly unknown[] | undefined {
  const [was, mine, now] = [listOf(before), listOf(own), listOf(newer)];
  if (!Array.isArray(newer)) return undefined;
  if (mine.length === 0 || canonicalJson(mine) === canonicalJson(was)) return now;
  if (before === undefined) return undefined;
  const changed = new Map(was.flatMap((one, at) => (one === now[at] ? [] : [[one, now[at]]])));
  const isExchange = was.length === now.length && changed.size > 0;
  if (isExchange && [...changed.keys()].every((one) => isOnce(one, mine) && isOnce(one, was)))
    return mine.map((one) => (changed.has(one) ? changed.get(one) : one));
  return was.every((one, at) => one === mine[at]) ? [...now, ...mine.slice(was.length)] : undefined;
}

function isOnce(one: unknown, list: readonly unknown[]): boolean {
  return list.indexOf(one) >= 0 && list.indexOf(one) === list.lastIndexOf(one);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

interface UpdateDeps {
  readonly configuration: Configuration;
  readonly input: DocumentInput;
  readonly values: Pick<InputValues, 'idsAt'>;
  readonly writer: WorkspaceWriter;
}

/** What was written in place of what. */
export interface WrittenUpdate {
  readonly from: string;
  readonly to: string;
  /** Writes the entry of before again; rejects with a `UserError` if it has changed since. */
  readonly undo: () => Promise<void>;
}

/**
 * Shows what the latest version of a server would change in its entry, and writes it if the user agrees; `undefined` if
 * not. The changed launch is asked about at its next start, as any other.
 */
export async function updateFromRegistry(
  server: RegisteredServer,
  deps: UpdateDeps,
  context: QuestionContext,
): Promise<WrittenUpdate | undefined> {
  const { t } = vscode.l10n;
  const { origin, definition, layer } = server;
  const { name } = definition;
  const shown = plainLabel(name, 60);
  const target = targetOf(server);
  const registry = registryOf(server);
  const entry = asRecord(entryOf(layer, name));
  const listed = await registry.version(origin.name, 'latest', context.signal);
  if (!listed) throw new UserError(t('"{0}" is no longer listed by its registry.', shown));
  const title = t('Update {0}', shown);
  const ways = waysLike(entry, launchesIn(listed));
  const items = ways.map((found) => ({ label: lineOf(found), found }));
  const picked =
    items.length === 1 ? items[0] : await askRow({ frame: { title, actions: [], context }, items });
  if (!picked) return undefined;
  const earlier = await registry.version(origin.name, origin.version, context.signal);
  const [base] = earlier ? waysLike(picked.found.server, launchesIn(earlier)) : [];
  const { found, replaced } = updatedEntry(name, entry, picked.found, base);
  const noted = { ...found, server: { ...found.server, registry: originOf(registry, listed) } };
  const taken = await takenInputs(target, deps.values);
  const admitted = AdmittedServers.replace(server, askAllPlaceholders([noted], taken), taken);
  const [updated] = admitted.servers;
  const isAccepted = await acceptChange(
    {
      uri: vscode.Uri.from({ scheme: 'untitled', path: `/${name.replaceAll('/', '∕')}.json` }),
      before: textOf({ [name]: entry }),
      after: textOf({ [name]: updated?.server, ...inputsText(admitted) }),
      title,
      yes: t('Update'),
      notes: notesOn(admitted, { from: origin.version, listed, replaced, hasBase: !!earlier }),
    },
    deps.input,
    context,
  );
  if (!isAccepted) return undefined;
  const isEntry = (one: unknown) => {
    const now = deps.configuration.get(definition.id)?.layer;
    if (canonicalJson(now && entryOf(now, name)) !== canonicalJson(one))
      throw new UserError(t('{0} has changed in the meantime. Try again.', shown));
  };
  isEntry(entry);
  await writeServers(target, admitted, deps.writer);
  const isMeant = (one: LocatedDefinition) =>
    canonicalJson(entryOf(one.layer, name)) === canonicalJson(updated?.server);
  const read = untilConfigured(deps.configuration, name, isMeant);
  return {
    from: origin.version,
    to: listed.version,
    undo: async () => {
      // Whatever keeps it from being read, the next line finds it.
      await read.startedAs().catch(() => {});
      isEntry(updated?.server);
      const old = AdmittedServers.replace(server, [{ name, server: entry }], taken);
      await writeServers(target, old, deps.writer);
    },
  };
}

/** Returns what an entry notes of where it came from. */
export function originOf(registry: McpRegistry, { name, version }: ListedServer): RegistryOrigin {
  return { url: registry.address, name, version };
}

function entryOf({ entries }: ConfigLayer, name: string): unknown {
  return entries.find((one) => one.name === name)?.value;
}

function launchesIn({ entry, name }: ListedServer): readonly ImportedServer[] {
  const { t } = vscode.l10n;
  const read = readRegistryEntry(entry, t);
  if (read && 'problem' in read) throw new UserError(read.problem);
  if (read) return read;
  throw new UserError(
    t('"{0}" lists no packages and no remotes, so there is nothing to start.', plainLabel(name)),
  );
}

/** Returns the place of a server as one to write to. */
function targetOf({ definition, layer }: RegisteredServer): AddTarget {
  const target = writableTargets().find(
    ({ scope, uri }) => scope === layer.scope && uri === layer.uri,
  );
  if (target) return target;
  throw new UserError(
    vscode.l10n.t(
      '"{0}" is in {1}, where it can only be updated by hand.',
      plainLabel(definition.name, 60),
      plainLabel(layer.label, 80),
    ),
  );
}

function inputsText({ inputs }: AdmittedServers): JsonRecord {
  return inputs.length > 0 ? { inputs } : {};
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function notesOn(
  { servers, inputs }: AdmittedServers,
  change: {
    readonly from: string;
    readonly listed: ListedServer;
    readonly replaced: readonly string[];
    readonly hasBase: boolean;
  },
): readonly string[] {
  const { t } = vscode.l10n;
  const { from, listed, replaced, hasBase } = change;
  return [
    t('Version {0} → {1}', plainLabel(from, 60), plainLabel(listed.version, 60)),
    ...servers.map((server) => lineOf(server)),
    ...(inputs.length > 0
      ? [
          t(
            'Asked for at the next start: {0}',
            namesText(
              inputs.map(({ description, id }) =>
                typeof description === 'string' ? description : id,
              ),
              t,
            ),
          ),
        ]
      : []),
    ...(replaced.length > 0
      ? [t('Your arguments are replaced: {0}', plainLabel(replaced.join(' '), 500))]
      : []),
    ...(hasBase
      ? []
      : [t('The registry no longer has your version, so all of your own values are kept.')]),
    t('It is asked about again before it starts.'),
  ];
}
