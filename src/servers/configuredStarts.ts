import * as vscode from 'vscode';
import { plainLabel, plainMessage } from '../base/text/text';
import type { Configuration } from '../config/configuration';
import { type BesideStart, type Starts, startError } from '../contracts/starts';
import type { OwnedServers, ServerBeside } from '../mcp/createServers';
import type { Server, Servers } from '../mcp/server';
import type { StartOutcome } from '../mcp/serverState';
import { manageWorkspaceTrustCommand } from '../ui/editorCommands';
import { runWithKeyboard } from '../ui/keyboard';
import { showMessage } from '../ui/messages';
import { namesOf } from '../ui/rows/labels';
import { CancelledError, UserError } from '../base/errors';
import type { Launches } from '../config/launch/prepare';
import type { StartPolicy } from '../config/launch/startPolicy';
import { shownState } from '../tree/shownState';
import { sameText } from '../tree/unusedNodes';
import { pairText } from '../base/translate';
import type { UserAction } from '../ui/questions/question';

/** The {@link Starts} of the configured servers. They wait until the configuration has been read. */
export class ConfiguredStarts implements Starts {
  private readonly servers: Servers & Pick<OwnedServers, 'beside'>;
  private readonly config: {
    readonly configuration: Configuration;
    readonly launches: Pick<Launches, 'readiness'>;
  };
  private readonly policy: StartPolicy;

  constructor(
    servers: ConfiguredStarts['servers'],
    config: ConfiguredStarts['config'],
    policy: StartPolicy,
  ) {
    this.servers = servers;
    this.config = config;
    this.policy = policy;
  }

  /** Only a start by the user is one by hand. */
  async start(id: string, action: UserAction | undefined): Promise<readonly StartOutcome[]> {
    const { servers, policy } = this;
    const { configuration } = this.config;
    await configuration.ready;
    if (id !== '*' && !servers.get(id)) throw unknownServer(id, configuration);
    const start = () => servers.start(id);
    if (!action) return start();
    const ids = id === '*' ? servers.all.map((server) => server.id) : [id];
    return policy.startByHand(ids, action, start);
  }

  /** A start for the user shows its questions at once, and any other leaves the keyboard alone. */
  async startBeside(id: string, { asked, signal, watch }: BesideStart): Promise<ServerBeside> {
    const { servers, policy } = this;
    const { configuration } = this.config;
    await configuration.ready;
    const beside = servers.beside(id, watch);
    if (!beside) throw unknownServer(id, configuration);
    const { server } = beside;
    const start = () => server.start(signal);
    const outcome = await (asked ? policy.besideByHand([id], asked, start) : start());
    if (outcome.kind === 'running') return beside;
    const { lastAttempt } = server;
    await beside.end();
    if (signal.aborted) throw new CancelledError();
    throw startError(server, outcome, lastAttempt);
  }

  async startAndTell(
    servers: readonly Server[],
    action: UserAction,
  ): Promise<readonly StartOutcome[]> {
    const starting = servers.map(({ id }) => this.start(id, action));
    const outcomes = (await Promise.all(starting)).flat();
    await this.tellRefusals(servers, outcomes);
    return outcomes;
  }

  /**
   * Reports refused starts of servers that are still there: a failure shows on the server's row, but a refusal does not.
   * What the user has just answered themselves is not told back to them.
   */
  async tellRefusals(servers: readonly Server[], outcomes: readonly StartOutcome[]): Promise<void> {
    const { configuration, launches } = this.config;
    const { t } = vscode.l10n;
    const refused = servers.flatMap((server, index) => {
      const outcome = outcomes[index];
      return outcome?.kind === 'refused' && !outcome.byUser && configuration.get(server.id)
        ? [{ server, message: outcome.message }]
        : [];
    });
    for (const message of new Set(refused.map((one) => one.message))) {
      const those = refused.flatMap((one) => (one.message === message ? [one.server] : []));
      const names = namesOf(those);
      const reason = plainMessage(message);
      const text =
        those.length === 1
          ? t('"{0}" was not started. {1}', names, reason)
          : t(
              '{0} servers were not started: {1}. The reason for each: {2}',
              those.length,
              names,
              reason,
            );
      const found = await Promise.all(those.map(({ id }) => launches.readiness(id)));
      const manage = t('Manage Workspace Trust');
      void showMessage('warning', text, ...(found.includes('restricted') ? [manage] : [])).then(
        (pressed) => pressed && runWithKeyboard(pressed.action, manageWorkspaceTrustCommand),
      );
    }
  }
}

/** Returns an error that says why no server has an id: it is disabled, a duplicate of another, unusable, or not configured. */
export function unknownServer(id: string, { current }: Configuration): UserError {
  const problem = current.problems.find((one) => one.id === id);
  const off = current.disabled.find(({ server }) => server.definition.id === id);
  if (off) return new UserError(pairText(plainLabel(id), shownState(off.why).label, vscode.l10n.t));
  const duplicate = current.duplicates.find(({ server }) => server.definition.id === id);
  if (duplicate) return new UserError(plainLabel(pairText(id, sameText(duplicate), vscode.l10n.t)));
  return new UserError(
    problem
      ? vscode.l10n.t('{0} cannot be used: {1}', plainLabel(id), problem.message)
      : vscode.l10n.t('No MCP server has the id {0}.', plainLabel(id)),
  );
}
