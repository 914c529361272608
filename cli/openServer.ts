import { createLimiter } from '../src/base/async';
import { UserError } from '../src/base/errors';
import { silentLogger, type Logger } from '../src/base/log';
import { revealHidden } from '../src/base/text/text';
import type { CallsSession } from '../src/calls/session';
import { ConfiguredServer } from '../src/mcp/configuredServer';
import { defaultRestarts } from '../src/mcp/connection/restartPolicy';
import { noMemory } from '../src/mcp/lists/serverMemory';
import { createNodeTransports } from '../src/mcp/node/nodeTransports';
import type { Launch } from './launch';
import { version } from '../package.json';

/** The options of a start. */
interface Opening {
  readonly verbose: boolean;
  /** Cancels the start. */
  readonly signal: AbortSignal;
}

/** Starts a server for one session only; rejects with a `UserError` that says why it is not running. */
export async function openServer(
  { name, config, limits }: Launch,
  { verbose, signal }: Opening,
): Promise<CallsSession> {
  const definition = { id: name, name, config, limits, source: { label: 'command line' } };
  const server = new ConfiguredServer(definition, {
    client: { name: 'mcp-workbench', version },
    requests: { listRoots: () => Promise.resolve([]) },
    openTransport: createNodeTransports(),
    prepare: () => Promise.resolve({ config }),
    limiter: createLimiter(1),
    restarts: { ...defaultRestarts, maxRestarts: 0 },
    memory: noMemory,
    log: verbose ? terminalLogger(name) : silentLogger,
    tracing: () => false,
  });
  const end = async () => {
    await server.stop();
    server.dispose();
  };
  const outcome = await server.start(signal);
  if (outcome.kind === 'running')
    return {
      server,
      call: (tool, args, stop) => server.callTool(tool, args, { signal: stop }),
      end,
    };
  const { state } = server;
  const detail = state.kind === 'failed' && state.detail ? `\n${state.detail}` : '';
  await end();
  const reason = 'message' in outcome ? outcome.message : 'It needs a sign-in.';
  throw new UserError(`The server "${name}" does not run: ${reason}${detail}`);
}

function terminalLogger(name: string): Logger {
  const write = (message: string) =>
    void process.stderr.write(`${revealHidden(`[${name}] ${message}`)}\n`);
  return { trace() {}, debug() {}, info: write, warn: write, error: write };
}
