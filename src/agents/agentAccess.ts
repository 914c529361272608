import { untilAborted, within } from '../base/async';
import { errorDetail } from '../base/errors';
import type { Logger } from '../base/log';
import { ErrorCode, RpcError } from '../mcp/protocol/rpcError';
import type { OfferedRequest } from '../mcp/serving/agentPort';
import type { AgentTrust, AskingAgent } from './agentTrust';

/** How long the first lists of an agent wait, all together, while the user is asked about it, in milliseconds. */
export const listTimeoutMs = 8000;

/** What an agent is told that may not use the servers. */
export const notAllowed =
  'The user has not allowed this agent to use the servers of this VS Code window. Ask them to answer the question there, and to start the agent again.';

/** What an agent is told in place of a result that comes after the user has withdrawn its trust. */
export const noLongerAllowed =
  'The user does not let this agent use the servers of this VS Code window any longer, so it is not told what came back.';

/** Starts the servers whose offer is not known yet, as far as nothing has to be asked; resolves soon in any case. */
export type StartUnknown = () => Promise<void>;

/** What the access of a connection needs to know and to tell. */
export interface AgentAccessDeps {
  readonly trust: Pick<AgentTrust, 'isTrusted' | 'ask'>;
  readonly startUnknown: StartUnknown;
  /** Has a user who looks elsewhere see that they are asked about something that an agent waits for. */
  readonly alertUser: (label: string) => void;
  readonly onChange: () => void;
  /** Called when the user lets its entry use the servers, as they were asked for this connection. */
  readonly onAllowed: () => void;
  readonly log: Logger;
}

/** Whether one connection of an agent may use the servers, which the user is asked once it wants something of them. */
export class AgentAccess {
  private readonly agent: AskingAgent;
  private readonly deps: AgentAccessDeps;
  private readonly closed: AbortSignal;
  private decision: Promise<boolean> | undefined;
  /** Whether that was made in time for its lists: agents give up a server whose lists do not come. */
  private inTime: Promise<boolean> | undefined;
  private isAsking = false;
  private withdrawal = new AbortController();

  constructor(agent: AskingAgent, deps: AgentAccessDeps, closed: AbortSignal) {
    this.agent = agent;
    this.deps = deps;
    this.closed = closed;
  }

  get isAllowed(): boolean {
    return !this.closed.aborted && this.deps.trust.isTrusted(this.agent.entry);
  }

  /** Whether the user lets the agent use the servers, or is asked that now. */
  get state(): 'allowed' | 'asked' | 'none' {
    if (this.isAllowed) return 'allowed';
    return this.isAsking ? 'asked' : 'none';
  }

  /** Aborts when the user lets the agent use the servers no longer; another one from then on. */
  get withdrawn(): AbortSignal {
    return this.withdrawal.signal;
  }

  /** Asks the user about the agent, unless they have decided. */
  askAbout(): void {
    if (this.isAllowed) return;
    this.decision ??= this.ask();
    this.decision.catch((error: unknown) => this.deps.log.error(errorDetail(error)));
  }

  /**
   * Does so, and resolves with true if they let it use the servers; with false, too, once its lists have waited so
   * long.
   */
  async isLetIn({ signal, onWait }: OfferedRequest, isForList: boolean): Promise<boolean> {
    if (this.isAllowed) return true;
    const decision = (this.decision ??= this.ask());
    if (this.isAsking) onWait('The user is asked about this agent in VS Code.');
    if (isForList) {
      this.inTime ??= within(decision, listTimeoutMs);
      if (!(await untilAborted(this.inTime, signal))) return false;
    }
    return (await untilAborted(decision, signal)) && this.isAllowed;
  }

  /** Ends `run`, and gives nothing of what comes back, once the user lets the agent use the servers no longer. */
  whileAllowed<T>(how: OfferedRequest, run: (how: OfferedRequest) => Promise<T>): Promise<T> {
    const { withdrawn } = this;
    const signal = AbortSignal.any([how.signal, withdrawn]);
    return this.unlessWithdrawn(run({ ...how, signal }), withdrawn, () => {
      throw new RpcError(ErrorCode.internal, noLongerAllowed);
    });
  }

  /** Settles as `work` does, or as `otherwise` if the trust of the agent was withdrawn since it began. */
  async unlessWithdrawn<T>(
    work: Promise<T>,
    withdrawn: AbortSignal,
    otherwise: () => T,
  ): Promise<T> {
    // What it rejects with is looked at below, if the agent may know it.
    await untilAborted(work, AbortSignal.any([withdrawn])).catch(() => {});
    return withdrawn.aborted || !this.isAllowed ? otherwise() : work;
  }

  /** Has the user asked again, if they have not let the agent use the servers: another conversation begins. */
  begunAgain(): void {
    if (this.isAsking || this.isAllowed) return;
    this.decision = undefined;
    this.inTime = undefined;
  }

  /** The user lets the agent use the servers no longer; they are asked again when it connects again. */
  withdraw(): void {
    this.decision = Promise.resolve(false);
    this.withdrawal.abort();
    this.withdrawal = new AbortController();
  }

  private async ask(): Promise<boolean> {
    const { trust, alertUser, onAllowed, startUnknown } = this.deps;
    const { entry, hello, client } = this.agent;
    alertUser(entry.label);
    this.noteAsking(true);
    const isAllowed = await trust
      .ask({ entry, hello, client }, this.closed)
      .finally(() => this.noteAsking(false));
    if (!isAllowed) return false;
    await startUnknown();
    // Whoever did not wait for the answer got empty lists, through whichever connection.
    onAllowed();
    return true;
  }

  private noteAsking(isAsking: boolean): void {
    this.isAsking = isAsking;
    this.deps.onChange();
  }
}
