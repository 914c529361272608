import type { Translate } from '../../base/translate';
import type { Programs } from '../platform';
import { kindOf } from '../launch/launchKinds';
import type { Server } from '../server';
import { checkAddress } from './checkAddress';
import { checkAttempt, checkEarlier } from './checkAttempt';
import { checkSession } from './checkSession';
import type { Finding } from './finding';

/** The dependencies of a diagnosis. */
export interface DiagnosisParts {
  /** Tries to start the server if it is not running. */
  readonly start: () => Promise<unknown>;
  readonly programs: Pick<Programs, 'check' | 'fetchOverSocket'> | undefined;
  readonly t: Translate;
}

/**
 * Looks for what is wrong with a server: how it last failed, how a start goes, how it is launched
 * or reached, and what it offers. The texts may contain secrets.
 */
export async function diagnose(
  server: Server,
  { start, programs, t }: DiagnosisParts,
): Promise<readonly Finding[]> {
  // The start discards it, and may succeed even if the server fails a moment later.
  const { lastFailure } = server;
  if (server.state.kind !== 'running') await start();
  const { state, lastAttempt } = server;
  const { config } = lastAttempt;
  const isUp = state.kind === 'running';
  const isRepeated = state.kind === 'failed' && state.message === lastFailure?.message;
  return [
    ...(lastFailure && !isRepeated ? [checkEarlier(lastFailure, t)] : []),
    ...(isUp ? checkSession(server, state, t) : checkAttempt(server, t)),
    ...(config ? await kindOf(config).diagnose(config, { programs, checkAddress, isUp, t }) : []),
  ];
}
