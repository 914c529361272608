import type { QuestionKind } from './question';

/** How long after the user's own action, or their last answer, a question about a start belongs to that action. */
const belongsMs = 60_000;

/** The kinds of questions that the client, never the server, asks on the way to a server's start. */
export const kindsOfStart: ReadonlySet<QuestionKind> = new Set(['trust', 'input', 'signIn']);

/** The servers that the user just started: what must be asked before they run may take the keyboard at once. */
export class WantedStarts {
  private readonly until = new Map<string, number>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Notes that the user asked for the server, or answered what its start needs. */
  note(serverId: string): void {
    this.until.set(serverId, this.now() + belongsMs);
  }

  /** Notes that the start has ended. */
  forget(serverId: string): void {
    this.until.delete(serverId);
  }

  /** True if a question is asked because of the user's own action. */
  isAsked(kind: QuestionKind, serverId: string): boolean {
    return kindsOfStart.has(kind) && this.now() <= (this.until.get(serverId) ?? -Infinity);
  }
}
