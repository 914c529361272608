import type { Event } from '../../base/event';

/** `cached` was read from disk; `stale` is a good list whose last refresh failed. */
export type ListStatus = 'empty' | 'cached' | 'loading' | 'loaded' | 'stale' | 'failed';

/** A list of a server as the features see it: it announces every change and keeps its last good state. */
export interface LiveList<T> {
  readonly items: readonly T[];
  readonly status: ListStatus;
  /** Why the last load failed: one sentence. */
  readonly error: string | undefined;
  /** What was dropped or cut while reading, a sentence each. */
  readonly problems: readonly string[];
  readonly onDidChange: Event<void>;
  /** Loads all pages anew; calls while one is under way share it, and one more follows. */
  refresh(): Promise<void>;
}
