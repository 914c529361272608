import type { QuestionKind } from './stage';

/** For how long after the user's own act, or their last answer, a question about a start belongs to that act. */
const belongsMs = 60_000;

/** What is asked on a server's way to its start, by the client and never by the server. */
export const kindsOfStart: ReadonlySet<QuestionKind> = new Set(['trust', 'input', 'signIn']);

/** The servers that the user just started: what must be asked before they run may take the keyboard at once. */
export class WantedStarts {
  private readonly until = new Map<string, number>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** The user asked for the server, or answered what its start needs. */
  note(serverId: string): void {
    this.until.set(serverId, this.now() + belongsMs);
  }

  /** The start has come to its end. */
  forget(serverId: string): void {
    this.until.delete(serverId);
  }

  /** True where the user's own act is what a question is asked for. */
  isAsked(kind: QuestionKind, serverId: string): boolean {
    return kindsOfStart.has(kind) && this.now() <= (this.until.get(serverId) ?? -Infinity);
  }
}
