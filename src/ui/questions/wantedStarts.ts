import type { QuestionKind, UserAction } from './question';

/** How long after the user's own action, or their last answer, a question about a start belongs to that action. */
const belongsMs = 60_000;

/** The kinds of questions that the client, never the server, asks on the way to a server's start. */
export const kindsOfStart: ReadonlySet<QuestionKind> = new Set(['trust', 'input', 'signIn']);

/** The servers that the user just started: what must be asked before they run may take the keyboard at once. */
export class WantedStarts {
  private readonly starts = new Map<
    string,
    { readonly action: UserAction; readonly until: number }
  >();
  private readonly now: () => number;
  private readonly workedElsewhere: (since: number) => boolean;

  /** `workedElsewhere` is true if the user has worked in an editor or the chat since then. */
  constructor(now: () => number, workedElsewhere: (since: number) => boolean) {
    this.now = now;
    this.workedElsewhere = workedElsewhere;
  }

  /** Notes that the user asked for the server, or answered what its start needs. */
  note(serverId: string, action: UserAction): void {
    this.starts.set(serverId, { action, until: this.now() + belongsMs });
  }

  /** Notes that the start has ended. */
  forget(serverId: string): void {
    this.starts.delete(serverId);
  }

  /** True if a question is part of a start that the user asked for. */
  isAsked(kind: QuestionKind, serverId: string): boolean {
    return this.find(kind, serverId) !== undefined;
  }

  /**
   * Returns the user's own action because of which a question may take the keyboard; `undefined` if there is none, or they
   * have worked elsewhere since: a server decides when its start comes to a question, and could choose the middle of a word.
   */
  actionFor(kind: QuestionKind, serverId: string): UserAction | undefined {
    const action = this.find(kind, serverId)?.action;
    return action && !this.workedElsewhere(action.at) ? action : undefined;
  }

  private find(kind: QuestionKind, serverId: string) {
    const start = kindsOfStart.has(kind) ? this.starts.get(serverId) : undefined;
    return start && this.now() <= start.until ? start : undefined;
  }
}
