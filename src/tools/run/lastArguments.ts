import { asRecord } from '../../base/json';
import type { Memento } from '../../base/memento';
import { looksSecret, redacted, redactSecrets } from '../../base/secrets/secrets';
import type { JsonObject } from '../../mcp/protocol/types';

const storeKey = 'lastToolArguments';
const maxTools = 50;
const maxLength = 20_000;

/** The arguments that a user gave a tool the last time, without secrets and very long values. */
export class LastArguments {
  private readonly store: Memento;
  private readonly unfinished = new Map<string, string>();

  constructor(store: Memento) {
    this.store = store;
  }

  get(launchFingerprint: string, tool: string): JsonObject {
    return this.read()[keyOf(launchFingerprint, tool)] ?? {};
  }

  async keep(launchFingerprint: string, tool: string, args: JsonObject): Promise<void> {
    const key = keyOf(launchFingerprint, tool);
    const kept = Object.entries(args).filter(
      ([name, value]) =>
        !looksSecret(name) &&
        JSON.stringify(value).length <= maxLength &&
        !JSON.stringify(redactSecrets(value)).includes(redacted),
    );
    const others = Object.entries(this.read()).filter(([other]) => other !== key);
    const entries = [[key, Object.fromEntries(kept)] as const, ...others].slice(0, maxTools);
    await this.store.update(storeKey, Object.fromEntries(entries));
  }

  /** A document of arguments that was no object yet when it was closed, in this session. */
  getUnfinished(launchFingerprint: string, tool: string): string | undefined {
    return this.unfinished.get(keyOf(launchFingerprint, tool));
  }

  keepUnfinished(launchFingerprint: string, tool: string, text: string | undefined): void {
    const key = keyOf(launchFingerprint, tool);
    if (text === undefined) this.unfinished.delete(key);
    else this.unfinished.set(key, text);
  }

  private read(): Readonly<Record<string, JsonObject>> {
    const value = this.store.get(storeKey);
    return asRecord(value) as Readonly<Record<string, JsonObject>>;
  }
}

function keyOf(launchFingerprint: string, tool: string): string {
  return JSON.stringify([launchFingerprint, tool]);
}
