import { canonicalJson, parseServerConfig, type ServerDefinition } from '../mcp/serverConfig';
import { readServerLimits } from '../mcp/serverLimits';
import type { Reading, ServerEntry } from './reading';
import type { TextRange } from './places/textRange';

/** A place of configuration, or one server in it, that cannot be used. */
export interface ConfigProblem {
  /** Unique among problems and definitions, and stable. */
  readonly id: string;
  /** What is broken: the server's name, or the label of the place. */
  readonly name: string;
  /** The server, where one is broken and not the whole place. */
  readonly entryName?: string;
  /** One sentence: what is wrong. */
  readonly message: string;
  readonly reading: Reading;
  readonly range?: TextRange;
}

/** A server that can be used, and the place it was read from. */
export interface ConfiguredServer {
  readonly definition: ServerDefinition;
  readonly reading: Reading;
}

/** All configured servers, and what could not be used. */
export interface MergedConfiguration {
  readonly servers: readonly ConfiguredServer[];
  readonly problems: readonly ConfigProblem[];
}

interface Claim {
  readonly entry: ServerEntry;
  readonly reading: Reading;
}

/**
 * Makes one list of what all places say, the closest given last: a name at a closer place replaces
 * the same name further away, folders keep theirs side by side, and one launch configuration that
 * two places name is one server.
 */
export function mergeReadings(readings: readonly Reading[]): MergedConfiguration {
  const servers: ConfiguredServer[] = [];
  const problems: ConfigProblem[] = readings.flatMap((reading) =>
    reading.problems.map((problem, index) => ({
      id: `${reading.uri ?? reading.label}#${index}`,
      name: reading.label,
      reading,
      ...problem,
    })),
  );
  const takeId = createIds();
  for (const { entry, reading } of claims(readings)) {
    const id = takeId(entry.name, reading);
    const parsed = parseServerConfig(entry.value);
    const range = entry.range && { range: entry.range };
    if ('problem' in parsed) {
      const { name } = entry;
      problems.push({ id, name, entryName: name, message: parsed.problem, reading, ...range });
      continue;
    }
    const definition: ServerDefinition = {
      id,
      name: entry.name,
      config: parsed.config,
      limits: readServerLimits(entry.value),
      source: {
        label: reading.label,
        ...(reading.uri !== undefined && { uri: reading.uri }),
        ...(reading.workspace !== undefined && { workspace: reading.workspace }),
        ...(entry.range && { line: entry.range.line }),
      },
      ...(reading.folder && { folder: reading.folder.uri }),
    };
    servers.push({ definition, reading });
  }
  return { servers: joinSame(servers), problems };
}

function claims(readings: readonly Reading[]): Iterable<Claim> {
  const byKey = new Map<string, Claim>();
  for (const reading of readings) {
    for (const entry of reading.entries) {
      const key = JSON.stringify([entry.name, reading.folder?.uri]);
      // Deleted first, so that the order is that of the place that won.
      byKey.delete(key);
      if (reading.folder) byKey.delete(JSON.stringify([entry.name, undefined]));
      byKey.set(key, { entry, reading });
    }
  }
  return byKey.values();
}

/** Gives the plain name to the first server that has it; a namesake in another folder gets `name@folder`. */
function createIds(): (name: string, reading: Reading) => string {
  const taken = new Set<string>();
  return (name, { folder }) => {
    const scoped = folder ? `${name}@${folder.name}` : name;
    let id = taken.has(name) ? scoped : name;
    for (let count = 2; taken.has(id); count += 1) id = `${scoped}-${count}`;
    taken.add(id);
    return id;
  };
}

/**
 * Keeps one of those that different places would launch in the same way, naming all places: the closest,
 * but the user's own before all others, so that no workspace takes it out of the rules for its name.
 */
function joinSame(servers: readonly ConfiguredServer[]): ConfiguredServer[] {
  const groups = new Map<string, ConfiguredServer[]>();
  const own = new Set(
    servers
      .filter(({ reading }) => reading.scope === 'user')
      .map(({ definition }) => canonicalJson(definition.config)),
  );
  for (const server of servers) {
    const key = launchKey(server, own);
    const group = groups.get(key);
    if (group && group.every(({ reading }) => reading !== server.reading)) group.push(server);
    else if (group) groups.set(JSON.stringify([key, server.definition.id]), [server]);
    else groups.set(key, [server]);
  }
  return [...groups.values()].flatMap((group) => {
    const kept = group.find(({ reading }) => reading.scope === 'user') ?? group.at(-1);
    if (!kept || group.length === 1) return group;
    const label = group.map(({ reading }) => reading.label).join(', ');
    const { definition, reading } = kept;
    return [{ reading, definition: { ...definition, source: { ...definition.source, label } } }];
  });
}

function launchKey(
  { definition: { config, folder } }: ConfiguredServer,
  own: ReadonlySet<string>,
): string {
  const text = canonicalJson(config);
  // A process runs in its folder; an address is the same everywhere unless a variable is in it.
  const isPlaced = config.type === 'stdio' || text.includes('${');
  const repeatsOwn = own.has(text) && !text.includes('${workspaceFolder');
  return JSON.stringify([text, isPlaced && !repeatsOwn ? folder : undefined]);
}
