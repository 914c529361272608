import type { Translate } from '../../base/translate';
import type { Programs } from '../platform';
import { kindOf } from '../launch/launchKinds';
import type { Server } from '../server';
import { checkAddress } from './checkAddress';
import { checkAttempt } from './checkAttempt';
import { checkSession } from './checkSession';
import type { Finding } from './finding';

/**
 * Looks for what is wrong with a server that was just tried to start: what became of it, how it is
 * launched or reached, and what it offers. Its texts may hold secrets.
 */
export async function diagnose(
  server: Server,
  programs: Pick<Programs, 'check'> | undefined,
  t: Translate,
): Promise<readonly Finding[]> {
  const { state, lastAttempt } = server;
  const { config } = lastAttempt;
  const isUp = state.kind === 'running';
  return [
    ...(isUp ? checkSession(server, state.info, t) : checkAttempt(server, t)),
    ...(config ? await kindOf(config).diagnose(config, { programs, checkAddress, isUp, t }) : []),
  ];
}
