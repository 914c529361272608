/** The latest revision that opens with `initialize`. */
export const latestInitialized = '2025-11-25';

/** The revisions that open with `initialize`, from the oldest. */
export const initializedRevisions = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  latestInitialized,
] as const;

/** The latest revision that this client speaks without a handshake. */
export const modernRevision = '2026-07-28';

/** The revisions without a handshake, from the oldest. */
export const modernRevisions = [modernRevision] as const;

/** Every revision that this client speaks, from the oldest. */
export const spokenRevisions = [...initializedRevisions, ...modernRevisions] as const;

/** One of {@link spokenRevisions}. */
export type Revision = (typeof spokenRevisions)[number];

/** `legacy` is every revision that begins with `initialize`; `modern` is 2026-07-28 and later. */
export type Era = 'legacy' | 'modern';

/** What holds for all revisions of an era; a session knows its era alone. */
interface EraTraits {
  /** Each request is complete: what `initialize` tells once is in its metadata, and what its header names in headers. */
  readonly isStateless: boolean;
  /** Changes come over a stream that is asked for, in place of `resources/subscribe`. */
  readonly listens: boolean;
  /** A tool may be called as a task in the form of 2025-11-25, and such tasks are listed. */
  readonly hasCoreTasks: boolean;
  /** Clients declare which extensions they know. */
  readonly declaresExtensions: boolean;
  /** Clients tell that their roots changed. */
  readonly announcesRoots: boolean;
  /** The request that any server of the era answers. */
  readonly probe: 'ping' | 'server/discover';
}

/**
 * What each era can do: another era is another line. Only the handshake, and what remembers its outcome, ask which one
 * it is.
 */
export const eras: Readonly<Record<Era, EraTraits>> = {
  legacy: {
    isStateless: false,
    listens: false,
    hasCoreTasks: true,
    declaresExtensions: false,
    announcesRoots: true,
    probe: 'ping',
  },
  modern: {
    isStateless: true,
    listens: true,
    hasCoreTasks: false,
    declaresExtensions: true,
    announcesRoots: false,
    probe: 'server/discover',
  },
};

/** Returns the era of a revision that was agreed. */
export function eraOf(revision: string): Era {
  return modernRevisions.some((one) => one === revision) ? 'modern' : 'legacy';
}

/** True for the name of an era. */
export function isEra(value: unknown): value is Era {
  return typeof value === 'string' && Object.hasOwn(eras, value);
}

/** The revision in which something first was. */
const introduced = {
  /** An answer to a request for sampling may have several blocks of content. */
  severalSampled: '2025-11-25',
  /** Requests need no session. */
  statelessRequests: modernRevision,
} as const;

/** True if a server that speaks `revision` knows something that was introduced at some time. */
export function knows(revision: string | undefined, what: keyof typeof introduced): boolean {
  return revision !== undefined && revision >= introduced[what];
}
