/* The least that a client can cost, and the interface that all clients are measured through. */
import { spawn } from 'node:child_process';

/** One server reached through one of the clients. */
export interface Peer {
  /** Returns all entries of the list that `method` names, from all pages. */
  list(method: string, field: string): Promise<readonly unknown[]>;
  call(): Promise<unknown>;
  read(): Promise<unknown>;
  close(): Promise<void>;
}

/** Returns all entries of a list, from all pages. */
export async function allPages(
  request: (cursor: string | undefined) => Promise<Readonly<Record<string, unknown>>>,
  field: string,
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for (let cursor: string | undefined; ;) {
    const result = await request(cursor);
    for (const item of result[field] as unknown[]) items.push(item);
    cursor = result['nextCursor'] as string | undefined;
    if (cursor === undefined) return items;
  }
}

/** Connects with raw JSON-RPC over a pipe: no checks, no time-outs, nothing else that a client has to do. */
export async function connectRaw(command: string, args: readonly string[]): Promise<Peer> {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const pending = new Map<number, (result: unknown) => void>();
  let parts: Buffer[] = [];
  let nextId = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      const message = JSON.parse(Buffer.concat(parts).toString()) as {
        id: number;
        result: unknown;
      };
      parts = [];
      pending.get(message.id)?.(message.result);
      pending.delete(message.id);
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
  const request = (method: string, params: object) =>
    new Promise<Readonly<Record<string, unknown>>>((resolve) => {
      const id = nextId++;
      pending.set(id, resolve as (result: unknown) => void);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    list: (method, field) =>
      allPages((cursor) => request(method, cursor === undefined ? {} : { cursor }), field),
    call: () => request('tools/call', { name: 'tool_0', arguments: { text: 'x' } }),
    read: () => request('resources/read', { uri: 'bench://blob' }),
    close: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve());
        child.kill();
      }),
  };
}
