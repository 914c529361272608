import { asRecord } from '../../base/json';
import type { Memento } from '../../base/memento';
import { withoutSecrets } from '../../base/secretMask';
import { looksSecret, redacted } from '../../base/secrets';
import type { Json, JsonObject } from '../../mcp/protocol/types';
import type { ToolCall } from '../../contracts/toolCalls';
import type { HeldByForm } from '../../ui/steps/schemaForm';

const storeKey = 'lastToolArguments';
const leftKey = 'leftToolArguments';
const maxTools = 50;
const maxLength = 20_000;

/** What a form holds of a tool; `meta` is what was written into `_meta`, on its page alone. */
type LeftOfTool = HeldByForm & { readonly meta?: JsonObject };

/**
 * The arguments of each tool's last call, and the contents of forms whose call was not made: the latter are
 * complete in this window; beyond it, both lack secrets and very long values.
 */
export class LastArguments {
  private readonly store: Memento;
  private readonly left = new Map<string, LeftOfTool>();

  constructor(store: Memento) {
    this.store = store;
  }

  get(launchFingerprint: string, tool: string): JsonObject {
    return this.table<JsonObject>(storeKey)[keyOf(launchFingerprint, tool)] ?? {};
  }

  /** Keeps the arguments of a call as they are sent. */
  async keepOf({ server, tool, arguments: args }: ToolCall): Promise<void> {
    await this.keep(await server.launchFingerprint(), tool.name, args);
  }

  /** Keeps the arguments of a call; what was last written beside those of the tool stays for its page. */
  async keep(launchFingerprint: string, tool: string, args: JsonObject): Promise<void> {
    const key = keyOf(launchFingerprint, tool);
    const { meta } = this.getLeft(launchFingerprint, tool);
    this.left.delete(key);
    await this.put(storeKey, key, storable(args));
    await this.put(leftKey, key, meta && { values: {}, meta: storable(meta) });
    if (meta) this.left.set(key, { values: {}, meta });
  }

  getLeft(launchFingerprint: string, tool: string): LeftOfTool {
    const key = keyOf(launchFingerprint, tool);
    return this.left.get(key) ?? this.table<LeftOfTool>(leftKey)[key] ?? { values: {} };
  }

  /** Keeps what a form holds until its call is made. */
  async keepLeft(launchFingerprint: string, tool: string, held: LeftOfTool): Promise<void> {
    const key = keyOf(launchFingerprint, tool);
    const { meta = this.getLeft(launchFingerprint, tool).meta } = held;
    const kept = meta && Object.keys(meta).length > 0 ? { meta } : {};
    const { meta: _given, ...form } = held;
    this.left.set(key, { ...form, ...kept });
    // Nobody can tell what is secret in a text that cannot be parsed.
    const stored = kept.meta && { meta: storable(kept.meta) };
    await this.put(leftKey, key, { values: storable(held.values), ...stored });
  }

  private async put(at: string, key: string, value: object | undefined): Promise<void> {
    const { [key]: previous, ...others } = this.table<object>(at);
    if (!value && !previous) return;
    const entries = [...(value ? [[key, value] as const] : []), ...Object.entries(others)];
    await this.store.update(at, Object.fromEntries(entries.slice(0, maxTools)));
  }

  private table<T>(at: string): Readonly<Record<string, T>> {
    return asRecord(this.store.get(at)) as Readonly<Record<string, T>>;
  }
}

function storable(args: JsonObject): JsonObject {
  const kept = Object.entries(args).filter(
    ([name, value]) => value !== undefined && !looksSecret(name) && isStorable(value),
  );
  return Object.fromEntries(kept);
}

function isStorable(value: Json): boolean {
  return (
    JSON.stringify(value).length <= maxLength &&
    !JSON.stringify(withoutSecrets(value)).includes(redacted)
  );
}

function keyOf(launchFingerprint: string, tool: string): string {
  return JSON.stringify([launchFingerprint, tool]);
}
