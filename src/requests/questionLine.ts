import { deferred } from '../base/async';
import { Emitter, type Event } from '../base/event';
import type { AskingServer } from '../mcp/protocol/clientRequests';

/** Where a question stands among those that wait for the person. */
export interface QuestionPlace {
  /** How many wait, this one included. */
  readonly waiting: number;
  /** How many of them are of the same server. */
  readonly waitingOfServer: number;
  readonly onDidChange: Event<void>;
  /** Declines this one and all that wait of its server. */
  declineAll(): void;
}

/** How a question left the line without an answer: the person declined it, or it was taken back. */
export type Unanswered = 'decline' | 'cancel';

/** Shows one question; `signal` aborts when it is to be closed, whatever it then gives. */
export type Show<T> = (place: QuestionPlace, signal: AbortSignal) => Promise<T>;

interface Waiting {
  readonly server: AskingServer;
  readonly declined: AbortController;
  readonly begin: () => void;
}

/** Lets the questions of all servers wait for one another, so that a person sees one at a time. */
export class QuestionLine {
  private readonly changed = new Emitter<void>();
  private line: readonly Waiting[] = [];

  /** Resolves with what `show` gave, when it was the question's turn. */
  async ask<T extends object | string>(
    server: AskingServer,
    signal: AbortSignal,
    show: Show<T>,
  ): Promise<T | Unanswered> {
    const declined = new AbortController();
    const closed = AbortSignal.any([signal, declined.signal]);
    const turn = deferred<void>();
    const waiting: Waiting = { server, declined, begin: () => turn.resolve() };
    closed.addEventListener('abort', waiting.begin, { once: true });
    this.enter(waiting);
    try {
      await turn.promise;
      const answer = closed.aborted ? undefined : await show(this.placeOf(server), closed);
      if (answer !== undefined && !closed.aborted) return answer;
    } catch (error) {
      if (!closed.aborted) throw error;
    } finally {
      this.leave(waiting);
    }
    return declined.signal.aborted ? 'decline' : 'cancel';
  }

  /** Declines what is shown and what waits of a server. */
  declineAll(serverId: string): void {
    for (const { server, declined } of this.line) if (server.id === serverId) declined.abort();
  }

  private enter(waiting: Waiting): void {
    this.line = [...this.line, waiting];
    if (this.line.length === 1) waiting.begin();
    this.changed.fire();
  }

  private leave(waiting: Waiting): void {
    const wasShown = this.line[0] === waiting;
    this.line = this.line.filter((other) => other !== waiting);
    if (wasShown) this.line[0]?.begin();
    this.changed.fire();
  }

  private placeOf({ id }: AskingServer): QuestionPlace {
    const line = () => this.line;
    return {
      get waiting() {
        return line().length;
      },
      get waitingOfServer() {
        return line().filter(({ server }) => server.id === id).length;
      },
      onDidChange: this.changed.event,
      declineAll: () => this.declineAll(id),
    };
  }
}
