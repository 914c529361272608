import * as vscode from 'vscode';
import { CancelledError } from '../../base/errors';
import type { ConnectionDeps } from '../../mcp/connection/connectionDeps';
import { fingerprint } from '../../mcp/fingerprint';
import type { Logs } from '../../ui/logs';
import type { Configuration } from '../configuration';
import type { ConfiguredServer } from '../mergeReadings';
import type { Trust } from '../trust/trust';
import type { Inputs } from './inputs';
import { launchIdentity } from './launch';
import { launchSecrets } from './launchSecrets';
import { resolveLaunch, UntrustedWorkspaceError, type Surroundings } from './resolveLaunch';

/** What stands before each start of a server. */
export interface Launches {
  /** Variables get their values, paths become absolute, and what comes out only runs if it is trusted. */
  readonly prepare: ConnectionDeps['prepare'];
  /** What decisions about a server are bound to: the fingerprint of its launch as it would be now. */
  readonly launchPrint: NonNullable<ConnectionDeps['launchPrint']>;
  /** True when a start of the server would not ask the user whether it may run. */
  readonly isTrusted: (id: string) => Promise<boolean>;
}

/** Makes the {@link Launches} of what is configured. */
export function createLaunches(deps: {
  readonly configuration: Configuration;
  readonly inputs: Inputs;
  readonly trust: Trust;
  readonly logs: Logs;
  readonly surroundings: () => Surroundings;
}): Launches {
  const { configuration, trust, surroundings } = deps;
  return {
    async prepare({ id }, signal) {
      const server = configuration.get(id);
      if (!server) return { refused: vscode.l10n.t('It is no longer configured.') };
      const foreign = trust.refusal(server);
      if (foreign !== undefined) return { refused: foreign };
      try {
        return await prepareTrusted(server, deps, signal);
      } catch (error) {
        if (error instanceof UntrustedWorkspaceError)
          return {
            refused: vscode.l10n.t(
              'It uses {0}, which is part of a workspace that is not trusted.',
              error.part,
            ),
          };
        if (error instanceof CancelledError)
          return { refused: vscode.l10n.t('A value that it needs was not given.') };
        throw error;
      }
    },
    async launchPrint({ id, config }) {
      const server = configuration.get(id);
      try {
        if (server && trust.refusal(server) === undefined) {
          const { launch } = await resolveLaunch(server, surroundings());
          return await fingerprint(launchIdentity(launch));
        }
      } catch {
        // What cannot be launched shares no decision with what can.
      }
      return fingerprint({ unresolved: id, config });
    },
    async isTrusted(id) {
      const server = configuration.get(id);
      if (!server || trust.refusal(server) !== undefined) return false;
      try {
        return await trust.isTrusted(server, (await resolveLaunch(server, surroundings())).launch);
      } catch {
        return false;
      }
    },
  };
}

async function prepareTrusted(
  server: ConfiguredServer,
  deps: Parameters<typeof createLaunches>[0],
  signal: AbortSignal,
): ReturnType<ConnectionDeps['prepare']> {
  const { inputs, trust, logs } = deps;
  const { reading, definition } = server;
  const read = (input: string) => inputs.read(reading, input, definition, signal);
  const surroundings = deps.surroundings();
  let resolved = await resolveLaunch(server, surroundings);
  let refused = await trust.check(server, resolved.launch, signal);
  if (refused === undefined && resolved.decisiveInputs.length > 0) {
    // Only now it is known what would run: that is asked about, too.
    const given = new Map<string, string>();
    for (const input of resolved.decisiveInputs) given.set(input, await read(input));
    resolved = await resolveLaunch(server, surroundings, given);
    refused = await trust.check(server, resolved.launch, signal);
  }
  if (refused !== undefined) return { refused };
  const config = await resolved.fill(read);
  logs.hide(launchSecrets(config, definition.config, process.env));
  return { config };
}
