import { DisposableStore, type Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import type { LastMinute } from '../base/pace';
import type { CallOrigin } from '../contracts/toolCalls';
import { ErrorCode, RpcError, toRpcError } from '../mcp/protocol/rpcError';
import type { Implementation, Tool } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { AgentChannel, AgentHello } from '../mcp/serving/agentPort';
import type { HttpConversation } from '../mcp/serving/serveAgent';
import type { TrafficNotes, TrafficRecords } from '../mcp/traffic/trafficRecorder';
import {
  WindowOffer,
  type AgentCallPlace,
  type AgentOfferDeps,
  type OfferedConnection,
} from './agentOffer';
import { AgentAccess, notAllowed, type AgentAccessDeps } from './agentAccess';
import type { AgentEntries, AgentEntry } from './entries';

/** Loads what serves agents, which nobody needs before one comes. */
export const loadServing = async () => (await import('../mcp/sdk')).importServing();

/** An agent makes at most this many calls at once, and in a minute. */
export const maxAgentCalls = 20;
export const maxAgentCallsPerMinute = 300;

/** An agent makes at most this many requests in a minute, whatever they are. */
export const maxAgentRequestsPerMinute = 3000;

/** The longest name and version of an agent that are kept, in UTF-16 units. */
const maxClaim = 100;

/** A call of an agent that is under way. */
export interface AgentCall {
  readonly server: Server;
  readonly tool: Tool;
  /** Epoch ms. */
  readonly since: number;
  /** True while the user is asked about it. */
  readonly isAsked: boolean;
}

/** What an agent has done in the last minute. */
export interface AgentPace {
  readonly calls: LastMinute;
  readonly requests: LastMinute;
}

/** What sessions of agents need of their window. */
export interface AgentSessionDeps
  extends
    Pick<AgentOfferDeps, 'servers' | 'gate' | 'resources'>,
    Omit<AgentAccessDeps, 'onChange' | 'onAllowed'> {
  /** The tools that the agent of an entry is offered. */
  readonly toolsOf: (entry: AgentEntry) => AgentOfferDeps['tools'];
  /** How many tools the agent of an entry is offered before it gets a search in their place. */
  readonly maxToolsOf: (entry: AgentEntry) => number;
  readonly entries: AgentEntries;
  readonly records: Pick<TrafficRecords, 'ofAgent'>;
  /** This product, as agents are told. */
  readonly info: Implementation;
}

/** What ends with the connection of an agent, and ends it. */
export type AgentLink = Pick<AgentChannel, 'onDidClose' | 'dispose'>;

/** One connection of one agent, from its introduction until either side ends it. */
export class AgentSession implements OfferedConnection, Disposable, HttpConversation {
  readonly id = crypto.randomUUID();
  readonly entry: AgentEntry;
  /** How it introduced itself. */
  readonly hello: AgentHello;
  /** When it connected, in epoch milliseconds. */
  readonly since = Date.now();
  private readonly deps: AgentSessionDeps &
    AgentAccessDeps & {
      readonly link: AgentLink;
      readonly pace: AgentPace;
    };
  private readonly store = new DisposableStore();
  private readonly closed = new AbortController();
  readonly access: AgentAccess;
  readonly offer: WindowOffer;
  readonly traffic: TrafficNotes;
  readonly onDidClose: HttpConversation['onDidClose'];
  private claim: Implementation | undefined;
  /** Whether it was told of the lists since the user last allowed it. */
  private isTold = false;
  private readonly running = new Set<AgentCall>();
  private begun = 0;

  constructor({
    entry,
    hello,
    ...deps
  }: AgentSession['deps'] & { readonly entry: AgentEntry; readonly hello: AgentHello }) {
    this.entry = entry;
    this.hello = hello;
    this.deps = deps;
    this.onDidClose = deps.link.onDidClose;
    this.traffic = deps.records.ofAgent(entry.id).beside();
    const origin: CallOrigin = {
      kind: 'agent',
      entry: entry.id,
      label: entry.label,
      conversation: this.id,
    };
    this.access = new AgentAccess(this, deps, this.closed.signal);
    this.offer = this.store.add(
      new WindowOffer({
        ...deps,
        tools: deps.toolsOf(entry),
        origin,
        access: this.access,
        connection: this,
        maxTools: () => deps.maxToolsOf(entry),
      }),
    );
  }

  /** What it calls itself; `undefined` if it has not said so yet. */
  get client(): Implementation | undefined {
    return this.claim;
  }

  /** How many calls it has made since it connected. */
  get callCount(): number {
    return this.begun;
  }

  /** Its calls that are under way, the oldest first. */
  get calls(): readonly AgentCall[] {
    return [...this.running];
  }

  /** Serves an agent that writes lines, once the part of the SDK that does so is loaded. */
  serve(channel: AgentChannel): void {
    const { info, log } = this.deps;
    const early: string[] = [];
    const waiting = channel.onLine((line) => early.push(line));
    const serve = async () => {
      const { serveAgent } = await loadServing();
      if (this.closed.signal.aborted) return;
      waiting.dispose();
      const { offer, traffic } = this;
      this.store.add(serveAgent(channel, offer, { info, log, toRpcError, traffic, early }));
    };
    serve().catch((error: unknown) => {
      log.error(errorDetail(error));
      this.close();
    });
  }

  begunAgain(): void {
    this.access.begunAgain();
  }

  close(): void {
    this.deps.link.dispose();
  }

  announceAll(): void {
    this.offer.announceAll();
  }

  /** Has the agent ask for its lists, which it got empty while it was not allowed; once for each time it is. */
  tellAllowed(): void {
    if (this.isTold || !this.access.isAllowed) return;
    this.isTold = true;
    this.offer.announceAll();
  }

  /** Ends its calls, as the user does not let it use the servers any longer; they are asked again when it connects again. */
  withdraw(): void {
    this.isTold = false;
    this.access.withdraw();
    this.offer.withdraw();
    this.deps.onChange();
  }

  dispose(): void {
    this.closed.abort();
    this.store.dispose();
  }

  noteClient({ name, version }: Implementation): void {
    if (this.claim) return;
    this.claim = { name: name.slice(0, maxClaim), version: version.slice(0, maxClaim) };
    this.deps.onChange();
  }

  countRequest(): void {
    if (this.deps.pace.requests.take(maxAgentRequestsPerMinute)) return;
    const text = `At most ${maxAgentRequestsPerMinute} requests a minute.`;
    throw new RpcError(ErrorCode.internal, text);
  }

  countCall(): void {
    if (this.deps.pace.calls.take(maxAgentCallsPerMinute)) return;
    throw new RpcError(ErrorCode.internal, `At most ${maxAgentCallsPerMinute} calls a minute.`);
  }

  beginCall(server: Server, tool: Tool): AgentCallPlace {
    const { alertUser, onChange } = this.deps;
    if (!this.access.isAllowed) throw new RpcError(ErrorCode.internal, notAllowed);
    if (this.running.size >= maxAgentCalls)
      throw new RpcError(ErrorCode.internal, `At most ${maxAgentCalls} calls at once.`);
    this.countCall();
    const call = { server, tool, since: Date.now(), isAsked: false };
    this.running.add(call);
    this.begun += 1;
    onChange();
    return {
      asks: (isAsked) => {
        call.isAsked = isAsked;
        if (isAsked) alertUser(this.entry.label);
        onChange();
      },
      dispose: () => {
        this.running.delete(call);
        onChange();
      },
    };
  }
}
