import { UserError } from '../../base/errors';
import type { Json } from '../../mcp/protocol/types';

/** Returns the values at a JSON path (RFC 9535); rejects with a `UserError` if `path` is not one. */
export async function queryPath(value: unknown, path: string): Promise<readonly Json[]> {
  const { query } = await import('jsonpath-rfc9535');
  try {
    return query(value as Parameters<typeof query>[0], path);
  } catch (cause) {
    throw new UserError(`${JSON.stringify(path)} is not a JSON path.`, { cause });
  }
}
