import { createLimiter } from '../../../src/base/async';
import { silentLogger, type Logger } from '../../../src/base/log';
import type { ConnectionDeps } from '../../../src/mcp/connection/connectionDeps';
import { noMemory } from '../../../src/mcp/lists/catalog';
import { createNodeTransports } from '../../../src/mcp/node/nodeTransports';
import type { Server } from '../../../src/mcp/server';
import {
  type ServerConfig,
  type ServerDefinition,
  type ServerLimits,
  defaultLimits,
} from '../../../src/mcp/serverConfig';
import type { OpenTransport } from '../../../src/mcp/transport/serverTransport';
import type { ScriptedTransport } from '../../support/fakes/scriptedTransport';

/** How long tests wait for a stubborn process, in milliseconds. */
export const quickTimeouts = { afterEnd: 150, afterTerm: 150, afterKill: 2000, afterExit: 50 };

/** Restarts with almost no delay. */
export const quickRestarts = {
  firstMs: 5,
  longestMs: 20,
  maxRestarts: 5,
  windowMs: 600_000,
};

const stdio: ServerConfig = { type: 'stdio', command: 'scripted', args: [], env: {} };

/** Creates a definition like one from a file. */
export function define(
  config: ServerConfig = stdio,
  more: Partial<ServerDefinition> = {},
): ServerDefinition {
  return {
    id: 'one',
    name: 'One',
    config,
    source: { label: 'test' },
    limits: defaultLimits,
    ...more,
  };
}

/** Returns the usual limits with some of them replaced. */
export function limits(
  deadlines: Partial<ServerLimits['deadlines']>,
  maxMessageBytes = defaultLimits.maxMessageBytes,
): ServerLimits {
  return { deadlines: { ...defaultLimits.deadlines, ...deadlines }, maxMessageBytes };
}

/** Returns what a connection needs, without anything that waits or asks. */
export function testDeps(overrides: Partial<ConnectionDeps> = {}): ConnectionDeps {
  return {
    client: { name: 'unit-test', version: '1.0.0' },
    requests: {},
    openTransport: createNodeTransports(undefined, { timeouts: quickTimeouts }),
    launches: { prepare: ({ config }) => Promise.resolve({ config }) },
    limiter: createLimiter(8),
    memory: noMemory,
    restarts: quickRestarts,
    log: silentLogger,
    tracing: () => false,
    ...overrides,
  };
}

/** Opens the scripted transports one after another, repeating the last one; each can describe how it ended. */
export function scriptedTransports(
  ...transports: readonly (ScriptedTransport & { ending?: string; stderrTail?: string })[]
) {
  const closes: ScriptedTransport[] = [];
  let opened = 0;
  const openTransport: OpenTransport = () =>
    Promise.resolve([
      () => {
        const transport = transports[Math.min(opened, transports.length - 1)];
        if (!transport) throw new Error('There is no transport.');
        opened += 1;
        return {
          channel: transport,
          close: () => {
            closes.push(transport);
            return transport.close();
          },
          ending: transport.ending,
          stderrTail: transport.stderrTail,
        };
      },
    ]);
  return { openTransport, closes, opened: () => opened };
}

/** Creates a logger that records the lines of each level. */
export function recordingLogger() {
  const lines = { trace: [], debug: [], info: [], warn: [], error: [] } as Record<
    keyof Logger,
    string[]
  >;
  const at = (level: keyof Logger) => (text: string) => void lines[level].push(text);
  const log: Logger = {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
  return { log, lines };
}

/** Returns the names in a server's list. */
export const names = (list: Server['tools'] | Server['prompts'] | Server['resources']) =>
  list.items.map(({ name }) => name);
