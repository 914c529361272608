import type { Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import { Emitter } from '../base/event';
import { LastMinute } from '../base/pace';
import { plainLabel } from '../base/text/text';
import { toRpcError } from '../mcp/protocol/rpcError';
import {
  type AgentChannel,
  type AgentDoor,
  type AgentHello,
  type AgentRequest,
  maxRefusedPerMinute,
} from '../mcp/serving/agentPort';
import type { AgentEndpoint } from '../mcp/serving/serveAgent';
import {
  AgentSession,
  loadServing,
  type AgentLink,
  type AgentPace,
  type AgentSessionDeps,
} from './agentSession';
import type { AgentEntry } from './entries';

/** All agents that are connected to this window. */
export class AgentSessions implements AgentDoor, Disposable {
  private readonly deps: AgentSessionDeps;
  private readonly open = new Set<AgentSession>();
  /** What answers over HTTP, by entry. */
  private readonly endpoints = new Map<string, Promise<AgentEndpoint>>();
  private readonly entries = new WeakMap<AgentHello, AgentEntry>();
  /** What was done in the last minute, by entry: a new connection does not begin anew. */
  private readonly paces = new Map<string, AgentPace>();
  private readonly refusals = new LastMinute(Date.now);
  private readonly changed = new Emitter<void>();
  /** Fires when an agent comes or goes, and when what one does or may do changes. */
  readonly onDidChange = this.changed.event;

  constructor(deps: AgentSessionDeps) {
    this.deps = deps;
  }

  get all(): readonly AgentSession[] {
    return [...this.open];
  }

  async admits(hello: AgentHello): Promise<boolean> {
    const entry = await this.deps.entries.admitted(hello);
    if (!entry) {
      const program = plainLabel(`${hello.program} (${hello.pid})`);
      // Whoever tries on and on does not fill the log.
      if (this.refusals.take(maxRefusedPerMinute))
        this.deps.log.warn(`Refused an agent without a valid entry: ${program}`);
      return false;
    }
    this.entries.set(hello, entry);
    return true;
  }

  serve(hello: AgentHello, channel: AgentChannel): void {
    const entry = this.entries.get(hello);
    if (!entry) return channel.dispose();
    this.begin(entry, hello, channel).serve(channel);
  }

  async respond(hello: AgentHello, asked: AgentRequest): Promise<Response> {
    const entry = this.entries.get(hello);
    if (!entry) return new Response(null, { status: 401 });
    try {
      const endpoint = await this.endpointOf(entry);
      return await endpoint.respond(asked, () => this.begin(entry, hello, new HttpLink()));
    } catch (error) {
      this.deps.log.error(errorDetail(error));
      return new Response(null, { status: 500 });
    }
  }

  private endpointOf({ id }: AgentEntry): Promise<AgentEndpoint> {
    const { info, log } = this.deps;
    const known =
      this.endpoints.get(id) ??
      loadServing().then((serving) => new serving.AgentEndpoint({ info, log, toRpcError }));
    this.endpoints.set(id, known);
    known.catch(() => this.endpoints.delete(id));
    return known;
  }

  private begin(entry: AgentEntry, hello: AgentHello, link: AgentLink): AgentSession {
    const pace = this.paceOf(entry);
    const onChange = () => this.changed.fire();
    const onAllowed = () => {
      for (const one of this.all) if (one.entry.id === entry.id) one.tellAllowed();
    };
    const session = new AgentSession({
      ...this.deps,
      entry,
      hello,
      link,
      pace,
      onChange,
      onAllowed,
    });
    this.open.add(session);
    onChange();
    const from = plainLabel(hello.isHttp ? 'HTTP' : hello.folder);
    this.deps.log.info(`${entry.label} has connected from ${from}`);
    link.onDidClose(() => {
      this.open.delete(session);
      session.dispose();
      onChange();
      this.deps.log.info(`${entry.label} has disconnected`);
    });
    return session;
  }

  /** What all connections of an entry have done in the last minute. */
  paceOf({ id }: Pick<AgentEntry, 'id'>): AgentPace {
    const pace = this.paces.get(id) ?? {
      calls: new LastMinute(Date.now),
      requests: new LastMinute(Date.now),
    };
    this.paces.set(id, pace);
    return pace;
  }

  /** Ends the connections of an entry, which may have no right to them any longer. */
  close(id: string): void {
    for (const session of this.all) if (session.entry.id === id) session.close();
    this.endpoints.delete(id);
  }

  /** Ends the connections over HTTP, which nobody can use any longer. */
  closeHttp(): void {
    for (const session of this.all) if (session.hello.isHttp) session.close();
  }

  /** Has all agents ask for their lists again. */
  announceAll(): void {
    for (const session of this.all) session.announceAll();
  }

  /** Ends the calls of an entry that the user lets use the servers no longer; it is offered nothing from now on. */
  withdraw(id: string): void {
    for (const session of this.all) if (session.entry.id === id) session.withdraw();
  }

  dispose(): void {
    for (const session of this.all) session.close();
  }
}

/** The connection of an agent over HTTP, which is one as long as its conversation goes on. */
class HttpLink implements AgentLink {
  private readonly closed = new Emitter<void>();
  readonly onDidClose = this.closed.event;
  private isOpen = true;

  dispose(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.closed.fire();
  }
}
