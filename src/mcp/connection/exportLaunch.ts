import type { Translate } from '../../base/translate';
import type { LaunchPreparer, Prepared } from './connectionDeps';
import type { Programs } from '../platform';
import { kindOf } from '../launch/launchKinds';
import type { ServerDefinition } from '../serverConfig';

/** Prepares servers that another client starts: the result is the configuration to give to that client. */
export function exportLaunch(
  prepare: LaunchPreparer['prepare'],
  programs: Pick<Programs, 'handOver'> | undefined,
  t: Translate,
): (definition: ServerDefinition, signal: AbortSignal) => Promise<Prepared> {
  return async (definition, signal) => {
    const prepared = await prepare(definition, signal, (answer) => answer);
    if ('refused' in prepared) return prepared;
    const { config } = prepared;
    return { config: await kindOf(config).handOver(config, programs, t) };
  };
}
