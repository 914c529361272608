import * as vscode from 'vscode';
import { delay } from '../../base/async';
import type { Readiness } from '../../config/launch/prepare';
import type { StartAndTell } from '../../contracts/startServer';
import type { Server } from '../../mcp/server';
import type { Servers } from '../../mcp/servers';
import { sayProgress } from '../../ui/rows/chatText';
import { namesOf } from '../../ui/rows/serverNames';

/** A server that takes longer than this is at hand for the next question. */
const maxWaitMs = 5000;

/** The servers whose tools an answer has to do without. */
export interface NotReady {
  readonly starting: readonly Server[];
  /** They start when the user has looked at them. */
  readonly untrusted: readonly Server[];
  /** They start when the user has given a value that their configuration asks for. */
  readonly needValue: readonly Server[];
  /** They start when the user trusts the workspace. */
  readonly restricted: readonly Server[];
  /** They never start in this window. */
  readonly elsewhere: readonly Server[];
}

/** Starts servers for the chat: those whose tools were never seen, so that the first question has them. */
export class ServerStarts {
  private readonly deps: {
    readonly servers: Servers;
    readonly readiness: (id: string) => Promise<Readiness>;
    readonly startAndTell: StartAndTell;
  };
  /** A rule, the user or the window keeps them from being started: they are not brought up again. */
  private readonly leftOut = new WeakSet<Server>();

  constructor(deps: ServerStarts['deps']) {
    this.deps = deps;
  }

  /** Starts what starts without a question and waits a little; an abort of `signal` calls the starts off. */
  async begin(stream: vscode.ChatResponseStream, signal: AbortSignal): Promise<NotReady> {
    const { servers, readiness } = this.deps;
    const unknown = servers.all.filter((server) => isUnknown(server) && !this.leftOut.has(server));
    const found = await Promise.all(unknown.map(({ id }) => readiness(id)));
    const those = (wanted: Readiness) => unknown.filter((_, index) => found[index] === wanted);
    // The row of one that is broken says why, once it has been tried.
    const unasked = [...those('trusted'), ...those('broken')];
    if (unasked.length > 0) await this.startAll(unasked, stream, signal);
    const elsewhere = those('elsewhere');
    for (const server of elsewhere) this.leftOut.add(server);
    return {
      starting: unasked.filter(({ state }) => state.kind === 'starting'),
      untrusted: those('untrusted'),
      needValue: those('needsValue'),
      restricted: those('restricted'),
      elsewhere,
    };
  }

  /** Asks the user about servers, because they want to decide now; those that stay out are not named again. */
  async review(ids: readonly string[]): Promise<void> {
    const { servers, startAndTell, readiness } = this.deps;
    const wanted = ids.flatMap((id) => servers.get(id) ?? []);
    const outcomes = await startAndTell(wanted);
    for (const [index, server] of wanted.entries()) {
      if (outcomes[index]?.kind !== 'refused') continue;
      // A no is kept elsewhere, where the user can take it back.
      if ((await readiness(server.id)) !== 'declined') this.leftOut.add(server);
    }
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

function isUnknown({ state, tools }: Server): boolean {
  return state.kind === 'starting' || (state.kind === 'stopped' && tools.status === 'empty');
}
