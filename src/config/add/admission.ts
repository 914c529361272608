import { changeTexts } from '../../base/json';
import { parseServerConfig } from '../../mcp/launch/launchKinds';
import type { ServerConfig } from '../../mcp/serverConfig';
import { freeName } from '../configLayer';
import type { LocatedDefinition } from '../mergeLayers';
import {
  inputIdOf,
  inputReference,
  inputReferences,
  inputsIn,
  type ImportedServer,
  type InputEntry,
  type McpJsonServer,
} from './importedServer';
import { takeAllSecrets, type PlainSecret } from './plainSecrets';

/** A server as it may be written, and the ids that its inputs now have, by those that they were found with. */
export interface AdmittedServer {
  readonly name: string;
  readonly server: McpJsonServer;
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Servers that may be written into a place, with the definitions of all inputs that they use. The writers take nothing
 * else, and only this class makes one: no text, whatever it came from, gets a value that was given
 * for a server of another one.
 */
export class AdmittedServers {
  readonly servers: readonly AdmittedServer[];
  readonly inputs: readonly InputEntry[];
  /** The ids of the inputs that these servers and the place have. */
  private readonly taken: ReadonlySet<string>;

  private constructor(
    servers: readonly AdmittedServer[],
    inputs: readonly InputEntry[],
    taken: ReadonlySet<string>,
  ) {
    this.servers = servers;
    this.inputs = inputs;
    this.taken = taken;
  }

  /**
   * Admits servers into a place where the ids in `taken` are defined, used or have a value. An input that a server brings
   * gets another id if its own is taken; one that it uses but does not bring becomes a new one of its own. Servers share
   * an input if they bring the same object, as those of one file do.
   */
  static admit(found: readonly ImportedServer[], taken: Iterable<string>): AdmittedServers {
    return AdmittedServers.admitAll(found, taken, []);
  }

  /** Admits what takes the place of a configured server, and keeps the inputs that the entry which is there uses. */
  static replace(
    { definition, layer }: Pick<LocatedDefinition, 'definition' | 'layer'>,
    found: readonly ImportedServer[],
    taken: Iterable<string>,
  ): AdmittedServers {
    const there = layer.entries.find(({ name }) => name === definition.name);
    return AdmittedServers.admitAll(found, taken, inputsIn(there?.value));
  }

  private static admitAll(
    found: readonly ImportedServer[],
    taken: Iterable<string>,
    own: readonly string[],
  ): AdmittedServers {
    const ids = new Set(taken);
    // What a server brings keeps its id rather than what another one only refers to.
    const brought = new Map<InputEntry, InputEntry>();
    for (const input of found.flatMap(firstInputs).filter(({ id }) => !own.includes(id)))
      if (!brought.has(input)) brought.set(input, withFreeId(input, input.id, ids));
    const inputs = [...brought.values()];
    const servers = found.map((one) => {
      const { name, server } = one;
      const renamed = new Map(
        firstInputs(one).map((input) => [input.id, brought.get(input)?.id ?? input.id]),
      );
      for (const id of own) renamed.set(id, id);
      for (const id of inputsIn(server)) {
        if (renamed.has(id)) continue;
        const base = { id, type: 'promptString', description: id, password: true };
        const input = withFreeId(base, inputIdOf(name, id), ids);
        inputs.push(input);
        renamed.set(id, input.id);
      }
      return { name, server: renameInputs(server, renamed), ids: renamed };
    });
    return new AdmittedServers(servers, inputs, ids);
  }

  /** Returns the servers with further inputs in place of what looks like a secret, and the values of these. */
  withoutSecrets(): {
    readonly admitted: AdmittedServers;
    readonly secrets: readonly (PlainSecret & { readonly server: AdmittedServer })[];
  } {
    const cleaned = takeAllSecrets(this.servers, this.taken);
    const secrets = cleaned.flatMap(({ secrets: own, ...server }) =>
      own.map((secret) => ({ ...secret, server })),
    );
    const added = secrets.map(({ inputId: id, name: description }) => {
      return { id, type: 'promptString', description, password: true };
    });
    const taken = new Set([...this.taken, ...added.map(({ id }) => id)]);
    const servers = cleaned.map(({ name, server, ids }) => ({ name, server, ids }));
    return { admitted: new AdmittedServers(servers, [...this.inputs, ...added], taken), secrets };
  }
}

/** Returns what would be launched, or nothing if the entry is not a server. */
export function launchesOf({ server }: Pick<AdmittedServer, 'server'>): readonly ServerConfig[] {
  const parsed = parseServerConfig(server);
  return 'config' in parsed ? [parsed.config] : [];
}

/** Returns the inputs that a server brings, of several with one id the first. */
function firstInputs({ inputs = [] }: ImportedServer): readonly InputEntry[] {
  return [...new Map(inputs.toReversed().map((input) => [input.id, input])).values()].toReversed();
}

/** Returns the input with the first free id, which is then taken. */
function withFreeId(input: InputEntry, wanted: string, taken: Set<string>): InputEntry {
  const id = freeName(wanted, (one) => taken.has(one));
  taken.add(id);
  return id === input.id ? input : { ...input, id };
}

function renameInputs(server: McpJsonServer, renamed: ReadonlyMap<string, string>): McpJsonServer {
  return changeTexts(server, (text) =>
    text.replaceAll(inputReferences, (mark, id: string) => {
      const now = renamed.get(id);
      return now === undefined ? mark : inputReference(now);
    }),
  );
}
