import type { DebugType, StdioServerConfig } from '../serverConfig';
import {
  DeadlineHold,
  DebuggerMissingError,
  type DebugPlace,
  type ReadyDebugger,
  type ReadyDebuggerFor,
  type ServerTransport,
  type TransportContext,
} from '../transport/serverTransport';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { delay } from '../../base/async';
import { debugHost, debuggedLaunch } from '../launch/debuggees';

/** How long to wait before another attempt to connect to a port, in milliseconds. */
const retryMs = 50;

/** Finds a port of this machine at which nothing listens now. */
export async function findFreePort(): Promise<number> {
  const gate = await openGate(() => {});
  await gate.close();
  return gate.port;
}

/** A port of this machine at which this process listens until it is closed. */
interface Gate {
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

type Ways = readonly (() => ServerTransport)[];

/**
 * Returns the ways to open a process that waits for a debugger, followed by those without one, in case none
 * attaches; `nodeOptions` are those that may be inherited. Rejects with a `UserError` if the process cannot be debugged.
 */
export async function openDebugged(
  config: StdioServerConfig,
  type: DebugType,
  { definition, t }: Pick<TransportContext, 'definition' | 't'>,
  {
    debuggerFor,
    nodeOptions,
  }: { readonly debuggerFor: ReadyDebuggerFor; readonly nodeOptions: string | undefined },
  open: (config: StdioServerConfig) => Promise<Ways>,
): Promise<Ways> {
  const place = { port: await findFreePort(), path: crypto.randomUUID() };
  const inherited = config.inheritEnvironment === 'all' ? nodeOptions : undefined;
  const waiting = debuggedLaunch(config, type, place, { t, nodeOptions: inherited });
  const [debugged, plain] = await Promise.all([open(waiting), open(config)]);
  const hold = new DeadlineHold();
  const getReady = async () => debuggerFor(definition, type, hold);
  const ready = await getReady();
  if (!ready) return plain;
  return [
    ...debugged.map((way) => () => withDebugger(way(), ready, { getReady, hold, type, place })),
    ...plain,
  ];
}

interface Debugging {
  readonly getReady: () => Promise<ReadyDebugger | undefined>;
  readonly hold: DeadlineHold;
  readonly type: DebugType;
  readonly place: DebugPlace;
}

/** Changes a transport so that its start ends when the debugger is attached, and its end detaches the debugger. */
function withDebugger(
  transport: ServerTransport,
  ready: ReadyDebugger,
  debugging: Debugging,
): ServerTransport {
  const { channel, again } = transport;
  const { hold, type, place } = debugging;
  const start = channel.start.bind(channel);
  const close = transport.close.bind(transport);
  let gate: Gate | undefined;
  channel.start = async () => {
    await start();
    // The debugger of type `node` waits for its port by itself.
    if (type !== 'node') gate = await waitBefore(place.port);
    if (!(await ready.attach({ ...place, port: gate?.port ?? place.port })))
      throw new DebuggerMissingError();
  };
  return Object.assign(transport, {
    hold,
    async again() {
      const other = await again?.();
      if (!other) return undefined;
      // The debugger was ready for this one.
      const next = await debugging.getReady();
      if (next) return withDebugger(other, next, debugging);
      await other.close();
      throw new DebuggerMissingError();
    },
    close() {
      ready.detach();
      void gate?.close();
      return close();
    },
  });
}
