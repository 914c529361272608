import type { ReadResourceResult } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';

/** The largest resource that an app is given, in UTF-16 units. */
export const maxResourceLength = 20_000_000;

/** Reads a resource from an app's own server; rejects with an error whose message the app may see. */
export async function readOwn(
  server: Server,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const result = await server.readResource(uri, { signal });
  const length = result.contents.reduce(
    (sum, { text = '', blob = '' }) => sum + text.length + blob.length,
    0,
  );
  if (length > maxResourceLength)
    throw new Error(`The resource is larger than ${maxResourceLength} characters.`);
  return result;
}
