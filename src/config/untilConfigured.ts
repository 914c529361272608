import { once } from '../base/event';
import type { Configuration } from './configuration';
import type { LocatedDefinition } from './mergeReadings';

/** The longest that what was just written may take to be read. */
const readMs = 10_000;

/** A server that was just configured, once the configuration was read again; undefined where it is switched off. */
export async function untilConfigured(
  configuration: Configuration,
  isMeant: (server: LocatedDefinition) => boolean,
): Promise<LocatedDefinition | undefined> {
  const find = () => configuration.current.servers.find(isMeant);
  const isThere = () =>
    find() !== undefined || configuration.current.disabled.some(({ server }) => isMeant(server));
  if (!isThere()) await once(configuration.onDidChange, isThere, AbortSignal.timeout(readMs));
  return find();
}
