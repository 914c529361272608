import { sha256Hex } from '../../base/hash';
import { isString } from '../../base/memento';
import type { ServerConfig } from '../../mcp/serverConfig';
import { canonicalJson } from '../../base/json';
import { rulesOf } from '../launch/kinds/rulesOf';
import type { LocatedDefinition } from '../mergeLayers';
import { type ConfigLayer, type ConfigPlace, sourceKey } from '../configLayer';
import { inputsIn } from '../add/importedServer';

/** A value is kept for at most this many launches; the one that got it first is asked about again. */
export const maxLaunchesOfValue = 100;

const valuePrefix = 'input:';
const launchesPrefix = 'inputLaunches:';

/** The part of the editor's secret storage that values are kept in. */
export interface Secrets {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  keys(): PromiseLike<string[]>;
}

/** A place whose inputs have values. */
type InputPlace = ConfigPlace & Pick<ConfigLayer, 'scope'>;

/** A server that uses inputs of its place. */
export interface InputUser {
  readonly definition: { readonly config: ServerConfig };
  readonly layer: InputPlace;
  /** What is launched, where a start has read it: who gets a value is bound to the same reading of files. */
  readonly launched?: ServerConfig | undefined;
}

/**
 * The values of inputs, and for which launches each was entered: those that used the input then, and those that the user
 * agreed to since. Nothing is noted of a value that an earlier version stored, which is for each launch that is trusted.
 */
export class InputValues {
  private readonly secrets: Secrets;
  private readonly configured: () => readonly LocatedDefinition[];
  private readonly workspace: () => string | undefined;
  private readonly launchOf: (server: InputUser) => Promise<ServerConfig | undefined>;

  /**
   * @param workspace returns the address of the open workspace: the same text of the user may run another program in each
   * @param launchOf resolves to what would be launched now; `undefined` if nothing would
   */
  constructor(
    secrets: Secrets,
    configured: () => readonly LocatedDefinition[],
    workspace: () => string | undefined,
    launchOf: (server: InputUser) => Promise<ServerConfig | undefined>,
  ) {
    this.secrets = secrets;
    this.configured = configured;
    this.workspace = workspace;
    this.launchOf = launchOf;
  }

  /** Returns the value of an input, if it has one, to the user alone: no server gets it by this. */
  async known(place: ConfigPlace, id: string): Promise<string | undefined> {
    return this.secrets.get(valuePrefix + keyOf(place, id));
  }

  /** Returns the value that was entered for this launch of a server, if there is one. */
  async valueFor(server: InputUser, id: string): Promise<string | undefined> {
    const value = await this.known(server.layer, id);
    if (value === undefined) return undefined;
    const launches = await this.launchesOf(server.layer, id);
    const isMeant = launches
      ? launches.includes(await this.recipientOf(server))
      : await this.isOnlyUser(server, id);
    return isMeant ? value : undefined;
  }

  /**
   * Returns the inputs that a server uses and whose values were entered for other launches alone. The user is asked
   * about these before a start, and about all that it gets of an earlier version unless it `isTrusted`.
   */
  async strangeTo(
    server: InputUser,
    isTrusted: boolean,
    ids: readonly string[] = inputsIn(server.definition.config),
  ): Promise<readonly string[]> {
    const strange = await Promise.all(
      ids.map(async (id) => {
        if ((await this.known(server.layer, id)) === undefined) return false;
        const launches = await this.launchesOf(server.layer, id);
        return launches ? !launches.includes(await this.recipientOf(server)) : !isTrusted;
      }),
    );
    return ids.filter((_, index) => strange[index]);
  }

  /** Lets a server have the values of inputs, as the user agreed. */
  async allow(server: InputUser, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const launches = await this.launchesOf(server.layer, id);
      // What an earlier version stored is for each launch that is trusted, as this one now is.
      if (launches)
        await this.note(server.layer, id, [...launches, await this.recipientOf(server)]);
    }
  }

  /** Stores the value of an input for some launches, one of which may be `launched`, and for those of the place that use it now. */
  async store(
    place: InputPlace,
    id: string,
    value: string,
    configs: readonly ServerConfig[],
    launched?: ServerConfig,
  ): Promise<void> {
    const users = this.usersOf(place, id).filter(
      ({ definition }) => !configs.includes(definition.config),
    );
    const given = configs.map((config) => ({ definition: { config }, layer: place, launched }));
    const launches = [...users, ...given].map((user) => this.recipientOf(user));
    // Noted first: a value without a note would count as one of an earlier version.
    await this.note(place, id, await Promise.all(launches));
    await this.secrets.store(valuePrefix + keyOf(place, id), value);
  }

  async forget(place: ConfigPlace, id: string): Promise<void> {
    await this.delete(keyOf(place, id));
  }

  /** Lists what is stored: the id of each input, the place it belongs to, and the key to delete it by. */
  async stored(): Promise<{ readonly key: string; readonly id: string; readonly place: string }[]> {
    const keys = await this.secrets.keys();
    return keys
      .filter((key) => key.startsWith(valuePrefix))
      .map((whole) => {
        const key = whole.slice(valuePrefix.length);
        const [place = '', id = ''] = JSON.parse(key) as string[];
        return { key, id, place };
      });
  }

  /** Returns the ids of the inputs of `place` that have a stored value. */
  async idsAt(place: ConfigPlace): Promise<ReadonlySet<string>> {
    const stored = await this.stored();
    return new Set(stored.filter(({ key, id }) => key === keyOf(place, id)).map(({ id }) => id));
  }

  async delete(key: string): Promise<void> {
    await this.secrets.delete(valuePrefix + key);
    await this.secrets.delete(launchesPrefix + key);
  }

  private usersOf(place: ConfigPlace, id: string): readonly LocatedDefinition[] {
    const key = sourceKey(place);
    return this.configured().filter(
      ({ definition, layer }) =>
        sourceKey(layer) === key && inputsIn(definition.config).includes(id),
    );
  }

  private async isOnlyUser(server: InputUser, id: string): Promise<boolean> {
    const users = [server, ...this.usersOf(server.layer, id)];
    const all = await Promise.all(users.map((user) => this.recipientOf(user)));
    return new Set(all).size === 1;
  }

  /**
   * Returns what tells the launch that gets a value from others, as it is written and with its file of variables: its
   * name, its limits and its plain variables make no difference.
   */
  private async recipientOf(server: InputUser): Promise<string> {
    const { config } = server.definition;
    const launched = server.launched ?? (await this.launchOf(server));
    const text = canonicalJson(rulesOf(config).recipient(config, launched));
    const isPlaced = server.layer.scope === 'user' && text.includes('${workspaceFolder');
    return sha256Hex(JSON.stringify(isPlaced ? [text, this.workspace()] : [text]));
  }

  /** Returns what a value was entered for; `undefined` if an earlier version stored it. */
  private async launchesOf(place: ConfigPlace, id: string): Promise<readonly string[] | undefined> {
    const text = await this.secrets.get(launchesPrefix + keyOf(place, id));
    if (text === undefined) return undefined;
    const launches: unknown = JSON.parse(text);
    return Array.isArray(launches) ? launches.filter(isString) : [];
  }

  private async note(place: ConfigPlace, id: string, launches: readonly string[]): Promise<void> {
    const latest = [...new Set(launches)].slice(-maxLaunchesOfValue);
    await this.secrets.store(launchesPrefix + keyOf(place, id), JSON.stringify(latest));
  }
}

function keyOf(place: ConfigPlace, id: string): string {
  return JSON.stringify([sourceKey(place), id]);
}
