import * as vscode from 'vscode';
import type { ConnectionDeps } from '../mcp/connection/connectionDeps';
import type { ServerDefinition } from '../mcp/serverConfig';
import { readAutostart } from '../ui/settings/readSetting';

/** What a person decided about the start of servers, in the settings and by hand. */
export class StartPolicy {
  private readonly asked = new Set<string>();
  private readonly stopped = new Set<string>();
  private readonly onStartByHand: () => void;

  /** @param onStartByHand is called whenever the user asks for a server. */
  constructor(onStartByHand: () => void) {
    this.onStartByHand = onStartByHand;
  }

  /** The person asked for the server, so that nothing but its trust stands in the way. */
  startedByHand(id: string): void {
    this.asked.add(id);
    this.stopped.delete(id);
    this.onStartByHand();
  }

  /** The server stays stopped until the person asks for it. */
  stoppedByHand(id: string): void {
    this.asked.delete(id);
    this.stopped.add(id);
  }

  /** True for a server that the user asked for since it was last stopped by hand. */
  isWanted(id: string): boolean {
    return this.asked.has(id);
  }

  /** True when the server shall be started without being used. */
  isAutomatic({ id, name }: ServerDefinition): boolean {
    return readAutostart(name) === 'always' && !this.stopped.has(id);
  }

  /** Puts the policy before the step that prepares each start. */
  guard(prepare: ConnectionDeps['prepare']): ConnectionDeps['prepare'] {
    return (definition, signal) => {
      const refused = this.refusal(definition);
      return refused === undefined ? prepare(definition, signal) : Promise.resolve({ refused });
    };
  }

  private refusal({ id, name }: ServerDefinition): string | undefined {
    if (this.asked.has(id)) return undefined;
    if (this.stopped.has(id)) return vscode.l10n.t('It was stopped by hand.');
    if (readAutostart(name) === 'never')
      return vscode.l10n.t('The settings say that it is only started by hand.');
    return undefined;
  }
}
