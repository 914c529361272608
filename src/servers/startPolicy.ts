import * as vscode from 'vscode';
import type { ConnectionDeps } from '../mcp/connection/connectionDeps';
import type { ServerDefinition } from '../mcp/serverConfig';
import { readAutostart } from '../ui/settings/readSetting';

/** Is told of each server that the user asks for, and when that start has come to its end. */
export interface StartsByHand {
  readonly begun: (id: string) => void;
  readonly ended: (id: string) => void;
}

/** What a user decided about the start of servers, in the settings and by hand. */
export class StartPolicy {
  private readonly asked = new Set<string>();
  private readonly stopped = new Set<string>();
  private readonly byHand: StartsByHand;

  constructor(byHand: StartsByHand) {
    this.byHand = byHand;
  }

  /** The user asked for servers, so that nothing but their trust stands in the way of `start`. */
  async startByHand<T>(ids: readonly string[], start: () => Promise<T>): Promise<T> {
    for (const id of ids) {
      this.asked.add(id);
      this.stopped.delete(id);
      this.byHand.begun(id);
    }
    try {
      return await start();
    } finally {
      for (const id of ids) this.byHand.ended(id);
    }
  }

  /** The server stays stopped until the user asks for it. */
  stoppedByHand(id: string): void {
    this.asked.delete(id);
    this.stopped.add(id);
  }

  /** The user was asked about its launch and did not want it after all. */
  declined(id: string): void {
    this.asked.delete(id);
  }

  /** True for a server that the user asked for, and neither stopped nor declined since. */
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
    if (this.stopped.has(id)) return vscode.l10n.t('You stopped it.');
    if (readAutostart(name) === 'never')
      return vscode.l10n.t('The settings allow only a manual start.');
    return undefined;
  }
}
