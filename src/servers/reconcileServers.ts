import type { Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import type { Configuration, CurrentConfiguration } from '../config/configuration';
import type { Servers } from '../mcp/server';
import type { Logs } from '../ui/logs';

/** Keeps the servers in line with the configuration. */
export function reconcileServers(
  servers: Servers,
  configuration: Configuration,
  logs: Logs,
): Disposable {
  const reconcile = ({ servers: configured, disabled }: CurrentConfiguration) => {
    const definitions = configured.map(({ definition }) => definition);
    servers
      .reconcile(definitions, disabled.length)
      .catch((error: unknown) => logs.extension.error(errorDetail(error)));
  };
  // If the first reading fails, there are no servers, and no change is reported.
  void configuration.ready.then(() => reconcile(configuration.current));
  return configuration.onDidChange(reconcile);
}
