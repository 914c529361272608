/** One thing that a diagnosis found. */
export interface Finding {
  /** `bad` keeps the server from working, `note` may matter, and `good` is as it should be. */
  readonly verdict: 'good' | 'note' | 'bad';
  /** One line: what was checked, and the result. */
  readonly title: string;
  /** More lines, as found. */
  readonly detail?: string | undefined;
  /** What the user can do about it. */
  readonly next?: string | undefined;
}
