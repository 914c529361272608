import { untilAborted, within } from '../base/async';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import { Emitter } from '../base/event';
import type { Logger } from '../base/log';
import { LastMinute } from '../base/pace';
import { plainLabel } from '../base/text/text';
import type { CallOrigin } from '../contracts/toolCalls';
import { ErrorCode, RpcError } from '../mcp/protocol/rpcError';
import type { Implementation, Tool } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { AgentChannel, AgentDoor, AgentHello } from '../mcp/serving/agentPort';
import { notAllowed, WindowOffer, type AgentCallPlace, type AgentOfferDeps } from './agentOffer';
import type { AgentTrust } from './agentTrust';
import type { AgentEntries, AgentEntry } from './entries';

/** An agent makes at most this many calls at once, and in a minute. */
export const maxAgentCalls = 20;
export const maxAgentCallsPerMinute = 300;

/** An agent makes at most this many requests in a minute, whatever they are. */
export const maxAgentRequestsPerMinute = 3000;

/** The longest name and version of an agent that are kept, in UTF-16 units. */
const maxClaim = 100;

/** Starts the servers whose offer is not known yet, as far as nothing has to be asked; resolves soon in any case. */
export type StartUnknown = () => Promise<void>;

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
interface AgentPace {
  readonly calls: LastMinute;
  readonly requests: LastMinute;
}

interface Deps extends Pick<AgentOfferDeps, 'servers' | 'gate' | 'resources'> {
  /** The tools that the agent of an entry is offered. */
  readonly toolsOf: (entry: AgentEntry) => AgentOfferDeps['tools'];
  /** How many tools the agent of an entry is offered before it gets a search in their place. */
  readonly maxToolsOf: (entry: AgentEntry) => number;
  readonly entries: AgentEntries;
  readonly trust: AgentTrust;
  readonly startUnknown: StartUnknown;
  /** Called when the user is asked about something that this agent waits for. */
  readonly onWait: (label: string) => void;
  readonly log: Logger;
  /** This product, as agents are told. */
  readonly info: Implementation;
}

/** All agents that are connected to this window. */
export class AgentSessions implements AgentDoor, Disposable {
  private readonly deps: Deps;
  private readonly open = new Set<AgentSession>();
  private readonly entries = new WeakMap<AgentHello, AgentEntry>();
  /** What was done in the last minute, by entry: a new connection does not begin anew. */
  private readonly paces = new Map<string, AgentPace>();
  private readonly changed = new Emitter<void>();
  /** Fires when an agent comes or goes, and when what one does or may do changes. */
  readonly onDidChange = this.changed.event;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  get all(): readonly AgentSession[] {
    return [...this.open];
  }

  async admits(hello: AgentHello): Promise<boolean> {
    const entry = await this.deps.entries.admitted(hello);
    if (!entry) {
      const program = plainLabel(`${hello.program} (${hello.pid})`);
      this.deps.log.warn(`Refused an agent without a valid entry: ${program}`);
      return false;
    }
    this.entries.set(hello, entry);
    return true;
  }

  serve(hello: AgentHello, channel: AgentChannel): void {
    const entry = this.entries.get(hello);
    if (!entry) return channel.dispose();
    const pace = this.paceOf(entry);
    const onChange = () => this.changed.fire();
    const onAllowed = () => {
      for (const one of this.all) if (one.entry.id === entry.id) one.tellAllowed();
    };
    const session = new AgentSession({
      ...this.deps,
      entry,
      hello,
      channel,
      pace,
      onChange,
      onAllowed,
    });
    this.open.add(session);
    onChange();
    this.deps.log.info(`${entry.label} has connected from ${plainLabel(hello.folder)}`);
    channel.onDidClose(() => {
      this.open.delete(session);
      session.dispose();
      onChange();
      this.deps.log.info(`${entry.label} has disconnected`);
    });
    session.begin();
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

/** One connection of one agent. */
export class AgentSession implements Disposable {
  readonly id = crypto.randomUUID();
  readonly entry: AgentEntry;
  /** How it introduced itself. */
  readonly hello: AgentHello;
  /** When it connected, in epoch milliseconds. */
  readonly since = Date.now();
  private readonly deps: Deps & {
    readonly channel: AgentChannel;
    readonly pace: AgentPace;
    readonly onChange: () => void;
    /** Called when the user lets its entry use the servers, as they were asked for this connection. */
    readonly onAllowed: () => void;
  };
  private readonly store = new DisposableStore();
  private readonly closed = new AbortController();
  private readonly offer: WindowOffer;
  private claim: Implementation | undefined;
  private decision: Promise<boolean> | undefined;
  private isAsking = false;
  /** Whether it was told of the lists since the user last allowed it. */
  private isTold = false;
  private withdrawn = new AbortController();
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
    const origin: CallOrigin = {
      kind: 'agent',
      entry: entry.id,
      label: entry.label,
      conversation: this.id,
    };
    this.offer = this.store.add(
      new WindowOffer({
        ...deps,
        tools: deps.toolsOf(entry),
        origin,
        allowed: (how) => this.allowed(how),
        isAllowed: () => this.isAllowed,
        withdrawn: () => this.withdrawn.signal,
        maxTools: () => deps.maxToolsOf(entry),
        count: () => this.countRequest(),
        countCall: () => this.countCall(),
        begin: (server, tool) => this.beginCall(server, tool),
        noteClient: (client) => this.noteClient(client),
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

  /** Whether the user lets it use the servers, or is asked that now. */
  get access(): 'allowed' | 'asked' | 'none' {
    if (this.isAllowed) return 'allowed';
    return this.isAsking ? 'asked' : 'none';
  }

  private get isAllowed(): boolean {
    return !this.closed.signal.aborted && this.deps.trust.isTrusted(this.entry);
  }

  /** Serves the agent, once the part of the SDK that does so is loaded. */
  begin(): void {
    const { channel, info, log } = this.deps;
    const early: string[] = [];
    const waiting = channel.onLine((line) => early.push(line));
    const serve = async () => {
      const { serveAgent } = await import('../mcp/serving/serveAgent');
      if (this.closed.signal.aborted) return;
      waiting.dispose();
      this.store.add(serveAgent(channel, this.offer, { info, log, early }));
    };
    serve().catch((error: unknown) => {
      log.error(errorDetail(error));
      this.close();
    });
  }

  close(): void {
    this.deps.channel.dispose();
  }

  announceAll(): void {
    this.offer.announceAll();
  }

  /** Has the agent ask for its lists, which it got empty while it was not allowed; once for each time it is. */
  tellAllowed(): void {
    if (this.isTold || !this.isAllowed) return;
    this.isTold = true;
    this.offer.announceAll();
  }

  /** Ends its calls, as the user does not let it use the servers any longer; they are asked again when it connects again. */
  withdraw(): void {
    this.decision = Promise.resolve(false);
    this.isTold = false;
    this.withdrawn.abort();
    this.withdrawn = new AbortController();
    this.offer.withdraw();
    this.deps.onChange();
  }

  dispose(): void {
    this.closed.abort();
    this.store.dispose();
  }

  private async allowed({
    signal,
    patienceMs,
  }: Parameters<AgentOfferDeps['allowed']>[0]): Promise<boolean> {
    if (this.isAllowed) return true;
    this.decision ??= this.ask();
    const decided = signal ? untilAborted(this.decision, signal) : this.decision;
    const isDecided = patienceMs === undefined || (await within(decided, patienceMs));
    return isDecided && (await decided) && this.isAllowed;
  }

  private async ask(): Promise<boolean> {
    const { trust, onWait, startUnknown } = this.deps;
    const { entry, hello, client } = this;
    onWait(entry.label);
    this.noteAsking(true);
    const isAllowed = await trust
      .ask({ entry, hello, client }, this.closed.signal)
      .finally(() => this.noteAsking(false));
    if (!isAllowed) return false;
    await startUnknown();
    // Whoever did not wait for the answer got empty lists, through whichever connection.
    this.deps.onAllowed();
    return true;
  }

  private noteAsking(isAsking: boolean): void {
    this.isAsking = isAsking;
    this.deps.onChange();
  }

  private noteClient({ name, version }: Implementation): void {
    if (this.claim) return;
    this.claim = { name: name.slice(0, maxClaim), version: version.slice(0, maxClaim) };
    this.deps.onChange();
  }

  private countRequest(): void {
    if (this.deps.pace.requests.take(maxAgentRequestsPerMinute)) return;
    const text = `At most ${maxAgentRequestsPerMinute} requests a minute.`;
    throw new RpcError(ErrorCode.internal, text);
  }

  private countCall(): void {
    if (this.deps.pace.calls.take(maxAgentCallsPerMinute)) return;
    throw new RpcError(ErrorCode.internal, `At most ${maxAgentCallsPerMinute} calls a minute.`);
  }

  private beginCall(server: Server, tool: Tool): AgentCallPlace {
    const { onWait, onChange } = this.deps;
    if (!this.isAllowed) throw new RpcError(ErrorCode.internal, notAllowed);
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
        if (isAsked) onWait(this.entry.label);
        onChange();
      },
      dispose: () => {
        this.running.delete(call);
        onChange();
      },
    };
  }
}
