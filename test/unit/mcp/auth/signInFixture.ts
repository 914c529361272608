import { createLimiter } from '../../../../src/base/async';
import type { Disposable } from '../../../../src/base/disposable';
import { silentLogger } from '../../../../src/base/log';
import { Authorization } from '../../../../src/mcp/auth/authorization';
import type { FindIdentity } from '../../../../src/mcp/auth/identity/identity';
import { notedVisits } from '../../../../src/mcp/auth/authorizationUi';
import { createServers } from '../../../../src/mcp/createServers';
import { type SentExchange, notedSignIn } from '../../../../src/mcp/traffic/httpExchange';
import { TrafficRecorder } from '../../../../src/mcp/traffic/trafficRecorder';
import { createSignInNetwork } from '../../../../src/mcp/node/signInNetwork';
import { createNodeTransports } from '../../../../src/mcp/node/nodeTransports';
import type { Server } from '../../../../src/mcp/server';
import { type ServerMemory, noMemory } from '../../../../src/mcp/lists/catalog';
import { type HttpServerConfig, defaultLimits } from '../../../../src/mcp/serverConfig';
import { AuthServer } from '../../../fixtures/authServer/authServer';
import { ProtectedServer } from '../../../fixtures/authServer/protectedServer';
import { recordingLogger } from '../testServers';
import { createMemoryStore, createUser } from '../../../support/workbench/signIn';

/** The configuration of a client in addition to the address. */
export interface ClientOptions extends Partial<HttpServerConfig> {
  readonly id?: string;
  readonly metadataUrl?: string;
}

/** The core from its sources. */
const sources = { Authorization, createNodeTransports, createServers };

/** An authorization server, a server behind it, a user, and clients that share one store. */
export class SignInFixture implements AsyncDisposable {
  readonly user = createUser();
  readonly store = createMemoryStore();
  /** The traffic of all clients. */
  readonly traffic = new TrafficRecorder((text) => text);
  /** What all clients keep of lists. */
  memory: ServerMemory = noMemory;
  /** The servers of which a client has forgotten all that the product keeps, in order. */
  readonly forgotten: string[] = [];
  /** The log of sign-ins. */
  readonly log = recordingLogger();
  /** The identity providers that the user configured. */
  findIdentity: FindIdentity = async () => undefined;
  readonly authServer: AuthServer;
  readonly server: ProtectedServer;
  private readonly clients: (Disposable & { stop(): Promise<void> })[] = [];

  private readonly core: typeof sources;

  private constructor(authServer: AuthServer, server: ProtectedServer, core: typeof sources) {
    this.authServer = authServer;
    this.server = server;
    this.core = core;
  }

  /** @param core a build of the core can be used in place of its sources. */
  static async start(core: typeof sources = sources): Promise<SignInFixture> {
    const authServer = await AuthServer.start();
    return new SignInFixture(authServer, await ProtectedServer.start(authServer), core);
  }

  /** Creates a client like the one in a window of the editor. */
  async client({ id = 'one', metadataUrl, ...config }: ClientOptions = {}): Promise<Server> {
    const definition = {
      id,
      name: id,
      source: { label: 'test' },
      limits: defaultLimits,
      config: { type: 'http' as const, url: this.server.url, headers: {}, ...config },
    };
    const { core, traffic } = this;
    const network = createSignInNetwork();
    const note = (exchange: SentExchange) => traffic.noteHttp(exchange, undefined);
    const servers = core.createServers((one) => ({
      client: { name: 'test', version: '1.0.0' },
      requests: {},
      openTransport: core.createNodeTransports(),
      launches: { prepare: async (prepared) => ({ config: prepared.config }) },
      limiter: createLimiter(1),
      memory: this.memory,
      forget: async (serverId) => void this.forgotten.push(serverId),
      log: silentLogger,
      tracing: () => false,
      authorization: new core.Authorization(one, {
        store: this.store,
        ui: notedVisits(this.user, note),
        network: {
          locate: (hostname) => network.locate(hostname),
          send: (url, init, route) =>
            notedSignIn(() => network.send(url, init, route), note)(url, init),
        },
        identity: { name: 'Test Client', metadataUrl },
        findIdentity: (name) => this.findIdentity(name),
        log: this.log.log,
      }),
    }));
    await servers.reconcile([definition]);
    const server = servers.get(id);
    if (!server) throw new Error('There is no server.');
    this.clients.push({ stop: () => server.stop(), dispose: () => servers.dispose() });
    return server;
  }

  /** Creates a client that has signed in. */
  async signedIn(options: ClientOptions = {}): Promise<Server> {
    const server = await this.client(options);
    const outcome = await server.signIn();
    if (outcome.kind !== 'running') throw new Error(JSON.stringify(outcome));
    return server;
  }

  /** Makes the stored tokens due for their renewal, for clients that are made from now on. */
  ageTokens(): void {
    for (const [key, text] of this.store.texts)
      this.store.texts.set(key, text.replace(/"renewAt":\d+/, '"renewAt":0'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.clients) {
      await client.stop();
      client.dispose();
    }
    await this.server[Symbol.asyncDispose]();
    await this.authServer[Symbol.asyncDispose]();
  }
}
