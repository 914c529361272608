import type { Event } from '../../base/event';

/** `cached` was read from disk; `stale` is a good list whose last refresh failed. */
export type ListStatus = 'empty' | 'cached' | 'loading' | 'loaded' | 'stale' | 'failed';

/** A list of a server as the features see it: it announces every change and keeps its last good state. */
export interface LiveList<T> {
  readonly items: readonly T[];
  readonly status: ListStatus;
  /** Why the last load failed, in one sentence. */
  readonly error: string | undefined;
  /** What was discarded or cut while reading, one sentence each. */
  readonly problems: readonly string[];
  readonly onDidChange: Event<void>;
  /** Reloads all pages; calls during a load share it, and one more load follows. */
  refresh(): Promise<void>;
}
