import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { isString, StoredList, type Memento } from '../../base/memento';
import type { LocatedDefinition } from '../mergeLayers';
import { type ConfigPlace, sourceKey } from '../configLayer';

const maxKept = 500;

/** Where the user switched a server off: in this workspace, or in every one. */
export type SwitchedOff = 'here' | 'everywhere';

/** A server by its name and its place. */
interface Placed {
  readonly definition: Pick<LocatedDefinition['definition'], 'name'>;
  readonly layer: ConfigPlace;
}

/** The servers that the user switched off, kept separately from the configuration. */
export class ServerSwitches implements Disposable {
  private readonly off: Readonly<Record<SwitchedOff, StoredList<string>>>;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  /** The state that listeners were last told about. */
  private told: string;

  constructor(stores: Readonly<Record<SwitchedOff, Memento>>) {
    const listIn = (store: Memento) =>
      new StoredList(store, 'servers.switchedOff', {
        max: maxKept,
        isEntry: isString,
        restricts: true,
      });
    this.off = { here: listIn(stores.here), everywhere: listIn(stores.everywhere) };
    this.told = this.text;
  }

  /** Fires if other windows have switched servers since, which nothing else reports. */
  lookAgain(): void {
    if (this.text !== this.told) this.tell();
  }

  /** Returns a function that says where a server is off now, the wider scope first; `undefined` if it is not. */
  states(): (server: LocatedDefinition) => SwitchedOff | undefined {
    const [here, everywhere] = [new Set(this.off.here.all), new Set(this.off.everywhere.all)];
    return (server) => {
      const key = keyOf(server);
      if (everywhere.has(key)) return 'everywhere';
      return here.has(key) ? 'here' : undefined;
    };
  }

  /** Switches a server off until {@link switchOn}. */
  async switchOff(server: LocatedDefinition, where: SwitchedOff): Promise<void> {
    const key = keyOf(server);
    await this.off[where].put(key, (one) => one === key);
    this.tell();
  }

  /** Switches a server on again, wherever it was switched off. */
  async switchOn(server: Placed): Promise<void> {
    const key = keyOf(server);
    for (const list of Object.values(this.off)) await list.remove((one) => one === key);
    this.tell();
  }

  /** Keeps a server off where it was off when it moves from one place to another. */
  async follow(name: string, from: ConfigPlace, to: ConfigPlace): Promise<void> {
    const old = keyIn(name, from);
    const key = keyIn(name, to);
    for (const list of Object.values(this.off))
      if (list.all.includes(old)) await list.put(key, (one) => one === key);
    this.tell();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private tell(): void {
    this.told = this.text;
    this.changed.fire();
  }

  private get text(): string {
    return JSON.stringify([this.off.here.all, this.off.everywhere.all]);
  }
}

/** A server with the same name in another place is a different one: it may be somebody else's. */
function keyOf({ definition, layer }: Placed): string {
  return keyIn(definition.name, layer);
}

function keyIn(name: string, place: ConfigPlace): string {
  return JSON.stringify([name, sourceKey(place)]);
}
