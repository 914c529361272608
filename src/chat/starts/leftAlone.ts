import type { Memento } from '../../base/memento';
import { fingerprint } from '../../mcp/fingerprint';
import type { Server } from '../../mcp/server';

const storeKey = 'serversLeftAlone';
const maxKept = 500;

/** The servers that the user reviewed for the chat and did not let start: nobody is asked again until they change. */
export class LeftAlone {
  private readonly store: Memento;

  constructor(store: Memento) {
    this.store = store;
  }

  async has(server: Server): Promise<boolean> {
    return this.read().includes(await printOf(server));
  }

  async add(server: Server): Promise<void> {
    const print = await printOf(server);
    const others = this.read().filter((other) => other !== print);
    await this.store.update(storeKey, [...others, print].slice(-maxKept));
  }

  private read(): readonly string[] {
    const value = this.store.get(storeKey);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }
}

function printOf({ id, definition: { config } }: Server): Promise<string> {
  return fingerprint({ id, config });
}
