import { untilAborted, within } from '../base/async';
import { DisposableStore, toDisposable, type Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import type { Logger } from '../base/log';
import { LastMinute } from '../base/pace';
import { plainLabel } from '../base/text/text';
import type { CallOrigin } from '../contracts/toolCalls';
import { ErrorCode, RpcError } from '../mcp/protocol/rpcError';
import type { Implementation } from '../mcp/protocol/types';
import type { AgentChannel, AgentDoor, AgentHello } from '../mcp/serving/agentPort';
import { WindowOffer, type OfferParts } from './agentOffer';
import type { AgentTrust } from './agentTrust';
import type { AgentEntries, AgentEntry } from './entries';

/** An agent makes at most this many calls at once, and in a minute. */
export const maxAgentCalls = 20;
export const maxAgentCallsPerMinute = 300;

/** The longest name and version of an agent that are kept, in UTF-16 units. */
const maxClaim = 100;

/** Starts the servers whose offer is not known yet, as far as nothing has to be asked; resolves soon in any case. */
export type StartUnknown = () => Promise<void>;

interface Deps extends Pick<OfferParts, 'servers' | 'gate' | 'tools' | 'resources'> {
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
  /** The calls of the last minute, by entry: a new connection does not begin anew. */
  private readonly calls = new Map<string, LastMinute>();

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
    const ofMinute = this.calls.get(entry.id) ?? new LastMinute(Date.now);
    this.calls.set(entry.id, ofMinute);
    const session = new AgentSession({ ...this.deps, entry, hello, channel, ofMinute });
    this.open.add(session);
    this.deps.log.info(`${entry.label} has connected from ${plainLabel(hello.folder)}`);
    channel.onDidClose(() => {
      this.open.delete(session);
      session.dispose();
      this.deps.log.info(`${entry.label} has disconnected`);
    });
    session.begin();
  }

  /** Ends the connections of an entry, which may have no right to them any longer. */
  close(id: string): void {
    for (const session of this.all) if (session.entry.id === id) session.close();
  }

  dispose(): void {
    for (const session of this.all) session.close();
  }
}

/** One connection of one agent. */
export class AgentSession implements Disposable {
  readonly entry: AgentEntry;
  private readonly hello: AgentHello;
  private readonly parts: Deps & {
    readonly channel: AgentChannel;
    readonly ofMinute: LastMinute;
  };
  private readonly store = new DisposableStore();
  private readonly closed = new AbortController();
  private readonly offer: WindowOffer;
  /** What it calls itself; `undefined` if it has not said so yet. */
  private client: Implementation | undefined;
  private decision: Promise<boolean> | undefined;
  private running = 0;

  constructor({
    entry,
    hello,
    ...parts
  }: AgentSession['parts'] & { readonly entry: AgentEntry; readonly hello: AgentHello }) {
    this.entry = entry;
    this.hello = hello;
    this.parts = parts;
    const origin: CallOrigin = {
      kind: 'agent',
      entry: entry.id,
      label: entry.label,
      conversation: crypto.randomUUID(),
    };
    this.offer = this.store.add(
      new WindowOffer({
        ...parts,
        origin,
        allowed: (how) => this.allowed(how),
        isAllowed: () => this.isAllowed,
        begin: () => this.beginCall(),
        onAsk: () => parts.onWait(entry.label),
        noteClient: (client) => this.noteClient(client),
      }),
    );
  }

  private get isAllowed(): boolean {
    return !this.closed.signal.aborted && this.parts.trust.isTrusted(this.entry);
  }

  /** Serves the agent, once the part of the SDK that does so is loaded. */
  begin(): void {
    const { channel, info, log } = this.parts;
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
    this.parts.channel.dispose();
  }

  dispose(): void {
    this.closed.abort();
    this.store.dispose();
  }

  private async allowed({
    signal,
    patienceMs,
  }: Parameters<OfferParts['allowed']>[0]): Promise<boolean> {
    if (this.isAllowed) return true;
    this.decision ??= this.ask();
    const decided = signal ? untilAborted(this.decision, signal) : this.decision;
    const isDecided = patienceMs === undefined || (await within(decided, patienceMs));
    return isDecided && (await decided) && this.isAllowed;
  }

  private async ask(): Promise<boolean> {
    const { trust, onWait, startUnknown } = this.parts;
    const { entry, hello, client } = this;
    onWait(entry.label);
    if (!(await trust.ask({ entry, hello, client }, this.closed.signal))) return false;
    await startUnknown();
    // Whoever did not wait for the answer got empty lists.
    this.offer.announceAll();
    return true;
  }

  private noteClient({ name, version }: Implementation): void {
    this.client ??= { name: name.slice(0, maxClaim), version: version.slice(0, maxClaim) };
  }

  private beginCall(): Disposable {
    const { ofMinute } = this.parts;
    if (this.running >= maxAgentCalls)
      throw new RpcError(ErrorCode.internal, `At most ${maxAgentCalls} calls at once.`);
    if (!ofMinute.take(maxAgentCallsPerMinute))
      throw new RpcError(ErrorCode.internal, `At most ${maxAgentCallsPerMinute} calls a minute.`);
    this.running += 1;
    return toDisposable(() => {
      this.running -= 1;
    });
  }
}
