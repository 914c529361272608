import * as vscode from 'vscode';
import { delay } from '../base/async';
import type { Launches } from '../config/launch/prepare';
import type { Starts } from '../contracts/starts';
import { type Server, type Servers, isUnseen } from '../mcp/server';
import type { Readiness } from '../mcp/serverState';
import type { UserAction } from '../ui/questions/question';
import { sayProgress } from '../ui/rows/chatText';
import { namesOf } from '../ui/rows/labels';

/** A server that takes longer than this to start is available for the next question. */
const maxWaitMs = 5000;

/** The servers whose tools an answer has to do without. */
export interface UnreadyServers {
  readonly starting: readonly Server[];
  /** They start once the user has reviewed them. */
  readonly untrusted: readonly Server[];
  /** They start once the user has given a value that their configuration asks for. */
  readonly needValue: readonly Server[];
  /** They start once the user trusts the workspace. */
  readonly restricted: readonly Server[];
  /** They never start in this window. */
  readonly needsProcess: readonly Server[];
  /** True if one of them was not among those of an earlier answer. */
  readonly isNews: boolean;
}

/** Starts servers for the chat whose tools were never seen, so that the first question has these tools. */
export class ChatStarts {
  private readonly deps: {
    readonly servers: Servers;
    readonly launches: Pick<Launches, 'readiness'>;
    readonly starts: Pick<Starts, 'startAndTell'>;
  };
  /** Servers that a rule, the user or the window keeps from starting: they are not mentioned again. */
  private readonly leftOut = new WeakSet<Server>();
  /** Servers that an answer said something about, by what was said. */
  private readonly told = new WeakMap<Server, string>();

  constructor(deps: ChatStarts['deps']) {
    this.deps = deps;
  }

  /**
   * Starts the servers that need no question, waits briefly and resolves with those that are not ready; aborting
   * `signal` cancels the starts.
   */
  async begin(stream: vscode.ChatResponseStream, signal: AbortSignal): Promise<UnreadyServers> {
    const { servers, launches } = this.deps;
    const unknown = servers.all.filter((server) => isUnknown(server) && !this.leftOut.has(server));
    const found = await Promise.all(unknown.map(({ id }) => launches.readiness(id)));
    const those = (wanted: Readiness) => unknown.filter((_, index) => found[index] === wanted);
    // Once a broken server has been tried, its row says what is wrong.
    const unasked = [...those('ready'), ...those('broken')];
    if (unasked.length > 0) await this.startAll(unasked, stream, signal);
    const needsProcess = those('needsProcess');
    for (const server of needsProcess) this.leftOut.add(server);
    const notReady = {
      starting: unasked.filter(({ state }) => state.kind === 'starting'),
      untrusted: those('untrusted'),
      needValue: those('needsValue'),
      restricted: those('restricted'),
      needsProcess,
    };
    return { ...notReady, isNews: this.noteTold(notReady) };
  }

  private noteTold(notReady: Omit<UnreadyServers, 'isNews'>): boolean {
    const news = Object.entries(notReady).flatMap(([kind, some]) =>
      some.filter((server) => this.told.get(server) !== kind).map((server) => ({ server, kind })),
    );
    for (const { server, kind } of news) this.told.set(server, kind);
    return news.length > 0;
  }

  /**
   * Asks the user, who wants to decide now, about servers; those that stay out are not mentioned again. Resolves to
   * true if one runs now.
   */
  async review(ids: readonly string[], action: UserAction): Promise<boolean> {
    const { servers, starts, launches } = this.deps;
    const wanted = ids.flatMap((id) => servers.get(id) ?? []);
    const outcomes = await starts.startAndTell(wanted, action);
    for (const [index, server] of wanted.entries()) {
      if (outcomes[index]?.kind !== 'refused') continue;
      // A refusal is stored elsewhere, where the user can revoke it.
      if ((await launches.readiness(server.id)) !== 'declined') this.leftOut.add(server);
    }
    return outcomes.some(({ kind }) => kind === 'running');
  }

  private async startAll(
    servers: readonly Server[],
    stream: vscode.ChatResponseStream,
    signal: AbortSignal,
  ): Promise<void> {
    sayProgress(stream, vscode.l10n.t('Starting {0}', namesOf(servers)));
    const start = async (server: Server) => {
      const { kind } = await server.start(signal);
      if (kind === 'refused' && !signal.aborted) this.leftOut.add(server);
    };
    const started = Promise.all(servers.map(start));
    await Promise.race([started, delay(maxWaitMs, signal).catch(() => {})]);
  }
}

function isUnknown(server: Server): boolean {
  return server.state.kind === 'starting' || isUnseen(server);
}
