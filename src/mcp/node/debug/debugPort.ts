import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { delay } from '../../../base/async';
import { debugHost } from './debugCommand';

/** How long to wait before another attempt to connect to a port, in milliseconds. */
const retryMs = 50;

/** Finds a port of this machine at which nothing listens now. */
export async function findFreePort(): Promise<number> {
  const gate = await openGate(() => {});
  await gate.close();
  return gate.port;
}

/** A port of this machine at which this process listens until it is closed. */
export interface Gate {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens in place of `port`, at which something will listen later: a client that connects too early is kept
 * waiting. A trial connection instead would be mistaken for the one debugger that is expected.
 */
export async function waitBefore(port: number): Promise<Gate> {
  const over = new AbortController();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
  };
  const gate = await openGate((client) => {
    keep(client);
    void connectTo(port, over.signal).then((server) => {
      if (!server) return client.destroy();
      keep(server).once('close', () => client.destroy());
      client.once('close', () => server.destroy());
      client.pipe(server).pipe(client);
      return undefined;
    });
  });
  return {
    port: gate.port,
    close() {
      over.abort();
      for (const socket of sockets) socket.destroy();
      return gate.close();
    },
  };
}

async function openGate(onConnection: (client: Socket) => void): Promise<Gate> {
  const server = createServer(onConnection);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, debugHost, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function connectTo(port: number, signal: AbortSignal): Promise<Socket | undefined> {
  while (!signal.aborted) {
    const socket = connect(port, debugHost);
    const connected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    if (connected) return socket;
    await delay(retryMs, signal).catch(() => {});
  }
  return undefined;
}
