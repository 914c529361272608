import type { DebugType, StdioServerConfig } from '../../serverConfig';
import { DeadlineHold } from '../../session/lane/deadlineHold';
import {
  DebuggerMissingError,
  type ReadyDebugger,
  type ReadyDebuggerFor,
  type ServerTransport,
  type TransportContext,
} from '../../session/serverTransport';
import { debugArguments } from './debugCommand';
import { findFreePort, waitBefore, type Gate } from './debugPort';

type Ways = readonly (() => ServerTransport)[];

/**
 * Returns the ways to open a process that waits for a debugger, followed by those without one, in case none
 * attaches. Rejects with a `UserError` if the process cannot be debugged.
 */
export async function openDebugged(
  config: StdioServerConfig,
  type: DebugType,
  { definition, t }: Pick<TransportContext, 'definition' | 't'>,
  debuggerFor: ReadyDebuggerFor,
  open: (config: StdioServerConfig) => Promise<Ways>,
): Promise<Ways> {
  const port = await findFreePort();
  const args = debugArguments(config, type, port, t);
  const [debugged, plain] = await Promise.all([open({ ...config, args }), open(config)]);
  const hold = new DeadlineHold();
  const ready = await debuggerFor(definition, type, hold);
  if (!ready) return plain;
  return [
    ...debugged.map((way) => () => withDebugger(way(), { ready, hold, type, port })),
    ...plain,
  ];
}

interface Debugging {
  readonly ready: ReadyDebugger;
  readonly hold: DeadlineHold;
  readonly type: DebugType;
  readonly port: number;
}

/** Changes a transport so that its start ends when the debugger is attached, and its end detaches the debugger. */
function withDebugger(
  transport: ServerTransport,
  { ready, hold, type, port }: Debugging,
): ServerTransport {
  const { channel } = transport;
  const start = channel.start.bind(channel);
  const close = transport.close.bind(transport);
  let gate: Gate | undefined;
  channel.start = async () => {
    await start();
    // The debugger of type `node` waits for its port by itself.
    if (type === 'debugpy') gate = await waitBefore(port);
    if (!(await ready.attach(gate?.port ?? port))) throw new DebuggerMissingError();
  };
  return Object.assign(transport, {
    hold,
    close() {
      ready.detach();
      void gate?.close();
      return close();
    },
  });
}
