import { delay } from '../../../base/async';
import { fingerprint } from '../../../base/bytes';
import type { Credentials } from './credentials';

/** How long tokens stored by another window may take to appear here. */
const arrivalMs = 5000;
const lookMs = 100;

/** A text that outlasts a lock, for its next holder; empty if there is none. */
export interface LockNote {
  readonly read: () => Promise<string>;
  readonly write: (text: string) => Promise<void>;
}

/** Runs `work` while no other window does the same for this key. */
export type RunExclusively = <T>(key: string, work: (note: LockNote) => Promise<T>) => Promise<T>;

/** How a renewal ended: with new tokens, with none, or with the old ones. */
export type Renewal = 'renewed' | 'void' | 'later';

type StoredGrant = Awaited<ReturnType<Credentials['current']>>;

/**
 * Renews the stored tokens, one window at a time: sending a refresh token twice may revoke everything issued for it
 * (RFC 9700, section 4.14.2). Tokens that another window obtained meanwhile are used instead. Resolves to true if
 * there are new tokens.
 */
export async function renewInTurn(
  credentials: Credentials,
  exclusively: RunExclusively | undefined,
  renew: (grant: StoredGrant) => Promise<Renewal>,
): Promise<boolean> {
  const before = (await credentials.current())?.tokens?.access_token;
  const isNew = (grant: StoredGrant) =>
    grant?.tokens !== undefined && grant.tokens.access_token !== before;
  if (!exclusively) {
    const grant = await credentials.reload();
    return isNew(grant) || (await renew(grant)) === 'renewed';
  }
  return exclusively(credentials.key, async (spent) => {
    let grant = await credentials.reload();
    if (isNew(grant)) return true;
    const refreshToken = grant?.tokens?.refresh_token;
    const mark = refreshToken === undefined ? '' : await fingerprint([refreshToken]);
    if (mark !== '' && (await spent.read()) === mark)
      for (let waited = 0; waited < arrivalMs; waited += lookMs) {
        await delay(lookMs);
        grant = await credentials.reload();
        if (isNew(grant)) return true;
      }
    await spent.write(mark);
    try {
      const renewal = await renew(grant);
      if (renewal === 'later') await spent.write('');
      return renewal === 'renewed';
    } catch (error) {
      await spent.write('');
      throw error;
    }
  });
}
