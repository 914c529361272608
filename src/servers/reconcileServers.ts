import type { Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import type { Configuration } from '../config/configuration';
import type { Servers } from '../mcp/servers';
import type { Logs } from '../ui/logs';

/** Keeps the servers at what is configured. */
export function reconcileServers(
  servers: Servers,
  configuration: Configuration,
  logs: Logs,
): Disposable {
  return configuration.onDidChange(({ servers: configured }) => {
    servers
      .reconcile(configured.map(({ definition }) => definition))
      .catch((error: unknown) => logs.extension.error(errorDetail(error)));
  });
}
