import { asRecord } from '../../base/json';
import type { Memento } from '../../base/memento';
import { looksSecret, redacted, redactSecrets } from '../../base/secrets/secrets';
import type { JsonObject } from '../../mcp/protocol/types';
import type { ToolCall } from '../../contracts/toolCalls';
import type { FormAnswer } from '../../ui/steps/schemaForm';

const storeKey = 'lastToolArguments';
const maxTools = 50;
const maxLength = 20_000;

/** What a form held when it was left: values, and a document that was no object yet. */
type LeftForm = Pick<FormAnswer, 'values' | 'unfinished'>;

/**
 * The arguments of the last call of a tool, without secrets and very long values; and in this session
 * what the form of a call holds that was not made.
 */
export class LastArguments {
  private readonly store: Memento;
  private readonly left = new Map<string, LeftForm>();

  constructor(store: Memento) {
    this.store = store;
  }

  get(launchFingerprint: string, tool: string): JsonObject {
    return this.read()[keyOf(launchFingerprint, tool)] ?? {};
  }

  /** Keeps the arguments of a call that is made, as they are sent. */
  async keepOf({ server, tool, arguments: args }: ToolCall): Promise<void> {
    await this.keep(await server.launchFingerprint(), tool.name, args);
  }

  async keep(launchFingerprint: string, tool: string, args: JsonObject): Promise<void> {
    const key = keyOf(launchFingerprint, tool);
    this.left.delete(key);
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

  getLeft(launchFingerprint: string, tool: string): LeftForm {
    return this.left.get(keyOf(launchFingerprint, tool)) ?? { values: {} };
  }

  /** Keeps what a form holds until its call is made. */
  keepLeft(launchFingerprint: string, tool: string, form: LeftForm): void {
    this.left.set(keyOf(launchFingerprint, tool), form);
  }

  private read(): Readonly<Record<string, JsonObject>> {
    const value = this.store.get(storeKey);
    return asRecord(value) as Readonly<Record<string, JsonObject>>;
  }
}

function keyOf(launchFingerprint: string, tool: string): string {
  return JSON.stringify([launchFingerprint, tool]);
}
