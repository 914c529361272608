import { silentLogger } from '../../../src/base/log';
import type { ServerCapabilities } from '../../../src/mcp/protocol/types';
import { openSession, type SessionOptions } from '../../../src/mcp/session/openSession';
import type { Session } from '../../../src/mcp/session/session';
import {
  ScriptedError,
  ScriptedTransport,
  silence,
  type Script,
} from '../../support/fakes/scriptedTransport';

/** The newest revision, which has no handshake. */
export const modernRevision = '2026-07-28';

/** The properties of a scripted server. */
export interface ScriptedServer {
  readonly capabilities?: ServerCapabilities;
  readonly scripts?: Readonly<Record<string, Script>>;
  readonly instructions?: string;
}

const unknownMethod: Script = () => {
  throw new ScriptedError(-32601, 'Method not found');
};

const tooOld: Script = ({ protocolVersion }) => {
  const data = { supported: [modernRevision], requested: protocolVersion };
  throw new ScriptedError(-32022, 'Unsupported protocol version', data);
};

/** Creates a server of the revisions that begin with `initialize`. */
export function legacyServer(server: ScriptedServer = {}, hasStreams = false): ScriptedTransport {
  const { capabilities = {}, scripts = {}, instructions } = server;
  const initialize: Script = ({ protocolVersion }) => ({
    protocolVersion,
    capabilities,
    serverInfo: { name: 'scripted', version: '1.0.0' },
    ...(instructions !== undefined && { instructions }),
  });
  return new ScriptedTransport(
    { initialize, 'server/discover': unknownMethod, ping: () => ({}), ...scripts },
    hasStreams,
  );
}

/** Creates a server that only speaks the newest revision; each `listen` stream is acknowledged. */
export function modernServer(server: ScriptedServer = {}, hasStreams = false): ScriptedTransport {
  const { capabilities = {}, scripts = {}, instructions } = server;
  const discover: Script = () => ({
    resultType: 'complete',
    supportedVersions: [modernRevision],
    capabilities,
    ttlMs: 60_000,
    cacheScope: 'private',
    ...(instructions !== undefined && { instructions }),
  });
  const listen: Script = ({ notifications }, { id }) => {
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    const method = 'notifications/subscriptions/acknowledged';
    transport.receive({ method, params: { notifications, _meta } });
    return silence;
  };
  const transport = new ScriptedTransport(
    { initialize: tooOld, 'server/discover': discover, 'subscriptions/listen': listen, ...scripts },
    hasStreams,
  );
  return transport;
}

/** Opens a session with a scripted server like a connection. */
export function openScripted(
  transport: ScriptedTransport,
  options: Partial<SessionOptions> = {},
): Promise<Session> {
  return openSession({
    transport: { channel: transport, close: () => transport.close() },
    client: { name: 'unit-test', version: '1.0.0' },
    server: { id: 'scripted', name: 'Scripted' },
    requests: {},
    deadlines: { initialize: 1000, request: 1000, ceiling: 5000 },
    log: silentLogger,
    tracing: () => false,
    signal: new AbortController().signal,
    ...options,
  });
}
