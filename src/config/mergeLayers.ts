import { asRecord, isRecord, canonicalJson } from '../base/json';
import { inEnglish, type Translate } from '../base/translate';
import { type ConfigLayer, type LayerProblem, type ServerEntry, freeName } from './configLayer';
import { kindOf, parseServerConfig } from '../mcp/launch/launchKinds';
import { type ServerDefinition, readToolFilter } from '../mcp/serverConfig';
import { readServerLimits } from '../mcp/launch/ownEntry';
import { readOrigin, type RegistryOrigin } from '../mcp/http/mcpRegistry';
import { readDevelopment, readRevision, readWithout, type Development } from './development';
import type { TextRange } from '../base/text/jsonc';

/** A place of configuration, or one server in it, that cannot be used. */
export interface ConfigProblem {
  /** Unique among problems and definitions, and stable. */
  readonly id: string;
  /** What is broken: the server's name, or the label of the place. */
  readonly name: string;
  /** The name of the broken server; absent if the whole place is broken. */
  readonly entryName?: string;
  /** What is wrong, in one sentence. */
  readonly message: string;
  readonly layer: ConfigLayer;
  readonly range?: TextRange;
}

/** A server that can be used, and the place it was read from. */
export interface LocatedDefinition {
  readonly definition: ServerDefinition;
  readonly layer: ConfigLayer;
  /** The other places that have the same launch, if there are any. */
  readonly alsoIn?: readonly ConfigLayer[];
  /** Set if the entry itself turns the server off, in any of the ways that applications write it. */
  readonly isOff?: true;
  /** Set if the server is being worked on; says nothing about how it is launched. */
  readonly development?: Development;
  /** Set if its entry has `dev` in a place where the editor's own client acts on it, too. */
  readonly isDevelopedByEditor?: true;
  /** The server of a registry that its entry was made from, if it says so. */
  readonly origin?: RegistryOrigin;
}

/** A server that is not listed separately: another one, `as`, is launched in the same way from another place. */
export interface DuplicateServer {
  readonly server: LocatedDefinition;
  readonly as: Pick<ServerDefinition, 'id' | 'name'>;
}

/** Something in a place that can be used but is probably a mistake. */
export type ConfigHint = LayerProblem & Pick<ConfigProblem, 'layer'>;

/** All configured servers, and what could not be used. */
export interface MergedConfiguration {
  readonly servers: readonly LocatedDefinition[];
  readonly duplicates: readonly DuplicateServer[];
  readonly problems: readonly ConfigProblem[];
  readonly hints: readonly ConfigHint[];
  /** True if there is a file for servers, even one without any. */
  readonly hasFiles: boolean;
}

interface Claim {
  readonly entry: ServerEntry;
  readonly layer: ConfigLayer;
}

/** Returns what is said of servers in development that a layer has, by their ids. */
export type Developed = (layer: ConfigLayer) => Readonly<Record<string, unknown>>;

/**
 * Merges the layers of all places, given with the closest last: a name in a closer place replaces
 * the same name in a farther one, folders keep theirs side by side, and the same launch configuration
 * in two places is one server. What `developedOf` says of an id takes the place of `dev` in its entry.
 */
export function mergeLayers(
  layers: readonly ConfigLayer[],
  t: Translate = inEnglish,
  developedOf: Developed = () => ({}),
): MergedConfiguration {
  const servers: LocatedDefinition[] = [];
  const problems: ConfigProblem[] = layers.flatMap((layer) =>
    layer.problems.map((problem, index) => ({
      id: `${layer.uri ?? layer.label}#${index}`,
      name: layer.label,
      layer,
      ...problem,
    })),
  );
  const takeId = createIds();
  for (const { entry, layer } of claims(layers)) {
    const id = takeId(entry.name, layer);
    const developed = developedOf(layer);
    const value =
      isRecord(entry.value) && Object.hasOwn(developed, id)
        ? { ...entry.value, dev: developed[id] }
        : entry.value;
    const parsed = parseServerConfig(value, t);
    const range = entry.range && { range: entry.range };
    if ('problem' in parsed) {
      const { name } = entry;
      problems.push({ id, name, entryName: name, message: parsed.problem, layer, ...range });
      continue;
    }
    const toolFilter = readToolFilter(entry.value);
    const revision = readRevision(value);
    const without = readWithout(value);
    const definition: ServerDefinition = {
      id,
      name: entry.name,
      config: parsed.config,
      limits: readServerLimits(entry.value),
      ...(revision && { revision }),
      ...(without && { without }),
      ...(toolFilter && { toolFilter }),
      source: {
        label: layer.label,
        ...(layer.uri !== undefined && { uri: layer.uri }),
        ...(layer.workspace !== undefined && { workspace: layer.workspace }),
        ...(entry.range && { line: entry.range.line }),
        ...(layer.unwritten && { unwritten: layer.unwritten }),
      },
      ...(layer.folder && { folder: layer.folder.uri }),
    };
    const development = readDevelopment(value);
    const origin = readOrigin(entry.value);
    const isDevelopedByEditor = layer.isOfEditor && Boolean(asRecord(entry.value)['dev']);
    servers.push({
      definition,
      layer,
      ...(saysOff(entry.value) && { isOff: true }),
      ...(development && { development }),
      ...(origin && { origin }),
      ...(isDevelopedByEditor && { isDevelopedByEditor }),
    });
  }
  const hints = layers.flatMap((layer) => (layer.hints ?? []).map((hint) => ({ ...hint, layer })));
  const hasFiles = layers.some(({ uri }) => uri !== undefined);
  return { ...joinSame(servers), problems, hints, hasFiles };
}

/** True if a server's entry turns the server off, in either of the spellings that files use. */
export function saysOff(value: unknown): boolean {
  return isRecord(value) && (value['disabled'] === true || value['enabled'] === false);
}

function claims(layers: readonly ConfigLayer[]): Iterable<Claim> {
  const byKey = new Map<string, Claim>();
  for (const layer of layers) {
    for (const entry of layer.entries) {
      const key = JSON.stringify([entry.name, layer.folder?.uri]);
      // Deleted first, so that the entry takes its position from the place that won.
      byKey.delete(key);
      if (layer.folder) byKey.delete(JSON.stringify([entry.name, undefined]));
      byKey.set(key, { entry, layer });
    }
  }
  return byKey.values();
}

/** Makes a function that gives ids: the plain name to the first server that has it, `name@folder` to a namesake. */
function createIds(): (name: string, layer: ConfigLayer) => string {
  const taken = new Set<string>();
  return (name, { folder }) => {
    const scoped = folder ? `${name}@${folder.name}` : name;
    const id = taken.has(name) ? freeName(scoped, (one) => taken.has(one)) : name;
    taken.add(id);
    return id;
  };
}

/**
 * Keeps one of the servers that different places would launch in the same way, and names all places: the user's
 * own if there is one, so that no workspace can exempt it from the rules for its name; otherwise the closest.
 */
function joinSame(
  servers: readonly LocatedDefinition[],
): Pick<MergedConfiguration, 'servers' | 'duplicates'> {
  const groups = new Map<string, LocatedDefinition[]>();
  const own = new Set(
    servers
      .filter(({ layer }) => layer.scope === 'user')
      .map(({ definition }) => canonicalJson(definition.config)),
  );
  for (const server of servers) {
    const key = launchKey(server, own);
    const group = groups.get(key);
    if (group && group.every(({ layer }) => layer !== server.layer)) group.push(server);
    else if (group) groups.set(JSON.stringify([key, server.definition.id]), [server]);
    else groups.set(key, [server]);
  }
  const duplicates: DuplicateServer[] = [];
  const joined = [...groups.values()].flatMap((group) => {
    const kept = group.find(({ layer }) => layer.scope === 'user') ?? group.at(-1);
    if (!kept || group.length === 1) return group;
    const label = group.map(({ layer }) => layer.label).join(', ');
    const { definition } = kept;
    const others = group.filter((one) => one.definition.name !== definition.name);
    duplicates.push(...others.map((server) => ({ server, as: definition })));
    const alsoIn = group.filter((one) => one !== kept).map(({ layer }) => layer);
    const source = { ...definition.source, label };
    return [{ ...kept, alsoIn, definition: { ...definition, source } }];
  });
  return { servers: joined, duplicates };
}

function launchKey(
  { definition: { config, folder } }: LocatedDefinition,
  own: ReadonlySet<string>,
): string {
  const text = canonicalJson(config);
  // A process runs in its folder; an address is the same everywhere unless it contains a variable.
  const isPlaced = kindOf(config).isProcess || text.includes('${');
  const repeatsOwn = own.has(text) && !text.includes('${workspaceFolder');
  return JSON.stringify([text, isPlaced && !repeatsOwn ? folder : undefined]);
}
