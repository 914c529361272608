import * as vscode from 'vscode';
import { delay } from '../base/async';
import type { Disposable } from '../base/disposable';
import { errorMessage, UserError } from '../base/errors';
import { asRecord } from '../base/json';
import type { Platform } from '../mcp/platform';
import type { AgentDoor, AgentPort, HttpAgentListener } from '../mcp/serving/agentPort';
import type { AgentEntries } from './entries';

/** The port at which agents over HTTP reach this workspace. */
const httpPortKey = 'agentsHttpPort';

/** A window that was reloaded may have to wait for its port, until the one before it has ended: so often, and so long. */
const portTries = 10;
const portPauseMs = 500;

/** Returns what lets agents in; throws where nothing does. */
export function agentPortOf({ agents }: Pick<Platform, 'agents'>): AgentPort {
  if (agents) return agents;
  const { t } = vscode.l10n;
  throw new UserError(
    t('Agents cannot reach this window. Open the folder in a desktop or remote window.'),
  );
}

/** Answers agents over HTTP once that is wanted, at the same port whenever this workspace is open. */
export class HttpListening implements Disposable {
  private readonly deps: {
    readonly context: Pick<vscode.ExtensionContext, 'workspaceState'>;
    readonly platform: Pick<Platform, 'agents'>;
    readonly entries: Pick<AgentEntries, 'removeOfPort'>;
    readonly tell: (text: string) => void;
  };
  private readonly door: AgentDoor;
  private listener: Promise<HttpAgentListener> | undefined;

  constructor(deps: HttpListening['deps'], door: AgentDoor) {
    this.deps = deps;
    this.door = door;
  }

  /** Begins, or goes on; where another program has taken the port, at another, at which nobody is known. */
  begin(tries = portTries): Promise<HttpAgentListener> {
    const begun = (this.listener ??= this.listen(tries));
    begun.catch(() => {
      if (this.listener === begun) this.listener = undefined;
    });
    return begun;
  }

  end(): void {
    const ended = this.listener;
    this.listener = undefined;
    void ended?.then((one) => one.dispose()).catch(() => {});
  }

  dispose(): void {
    this.end();
  }

  private async listen(tries: number): Promise<HttpAgentListener> {
    const { workspaceState } = this.deps.context;
    const port = agentPortOf(this.deps.platform);
    const known = workspaceState.get(httpPortKey);
    const wanted = typeof known === 'number' ? known : undefined;
    for (let left = tries; ; left -= 1) {
      try {
        const listener = await port.listenHttp(wanted, this.door);
        await workspaceState.update(httpPortKey, listener.port);
        return listener;
      } catch (cause) {
        if (wanted === undefined || !isTaken(cause)) throw unreachable(cause);
        if (left <= 1) {
          await this.giveUp(wanted);
          return this.listen(tries);
        }
        await delay(portPauseMs);
      }
    }
  }

  /** Agents go on sending their secrets to a port, whoever listens there: nobody is let in with these any longer. */
  private async giveUp(port: number): Promise<void> {
    const { context, entries, tell } = this.deps;
    const removed = await entries.removeOfPort(port);
    await context.workspaceState.update(httpPortKey, undefined);
    if (removed.length === 0) return;
    const { t } = vscode.l10n;
    tell(
      t(
        'Another program listens at port {0}, where agents over HTTP expect this window, and may have got their secrets. They were disconnected: connect them again.',
        String(port),
      ),
    );
  }
}

/** A port that the system keeps for others is refused like one at which somebody listens. */
function isTaken(cause: unknown): boolean {
  return ['EADDRINUSE', 'EACCES'].includes(String(asRecord(cause)['code']));
}

function unreachable(cause: unknown): UserError {
  const { t } = vscode.l10n;
  const why = errorMessage(cause, t);
  return new UserError(t('Agents cannot reach this window over HTTP: {0}', why), { cause });
}
