import type { JsonObject, JsonSchema } from '../../mcp/protocol/types';
import { canonicalJson } from '../../mcp/serverConfig';

const maxKept = 50;

/** What was filled into forms that were not sent, for when the server asks the same again. */
export class FormDrafts {
  private readonly drafts = new Map<string, JsonObject>();

  get(serverId: string, schema: JsonSchema): JsonObject {
    return this.drafts.get(keyOf(serverId, schema)) ?? {};
  }

  /** Keeps values; the oldest form makes room. */
  keep(serverId: string, schema: JsonSchema, values: JsonObject): void {
    const key = keyOf(serverId, schema);
    this.drafts.delete(key);
    this.drafts.set(key, values);
    for (const oldest of this.drafts.keys()) {
      if (this.drafts.size <= maxKept) break;
      this.drafts.delete(oldest);
    }
  }

  forget(serverId: string, schema: JsonSchema): void {
    this.drafts.delete(keyOf(serverId, schema));
  }
}

function keyOf(serverId: string, schema: JsonSchema): string {
  return canonicalJson([serverId, schema]);
}
