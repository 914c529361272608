/** How a person answered a confirmation. */
export type Answer =
  { readonly kind: 'allow'; readonly remember?: 'session' } | { readonly kind: 'deny' };

/** What was allowed before and still holds, by the fingerprint of what was allowed. */
export class Approvals {
  private readonly session = new Set<string>();

  /** True when a tool of this fingerprint was allowed for the session. */
  allows(fingerprint: string): boolean {
    return this.session.has(fingerprint);
  }

  /** Keeps the allowance until the window closes. */
  remember(fingerprint: string): void {
    this.session.add(fingerprint);
  }
}
