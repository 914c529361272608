import * as vscode from 'vscode';
import type { ServerDefinition } from '../../mcp/serverConfig';
import type { StartRefusal } from '../../mcp/serverState';
import { readAutostart } from '../../ui/settings/readSetting';

/** The callbacks for starts that the user asks for: when one begins, and when it has ended. */
export interface StartsByHand {
  readonly begun: (id: string) => void;
  readonly ended: (id: string) => void;
}

/** What the user decided about starting servers, in the settings and by hand. */
export class StartPolicy {
  private readonly asked = new Set<string>();
  private readonly stopped = new Set<string>();
  private readonly byHand: StartsByHand;

  constructor(byHand: StartsByHand) {
    this.byHand = byHand;
  }

  /** Runs `start` for servers that the user asked for, so that nothing but trust stands in its way. */
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

  /** Runs `start` for a server beside the one that the user may have stopped, which stays as it is. */
  async besideByHand<T>(id: string, start: () => Promise<T>): Promise<T> {
    this.byHand.begun(id);
    try {
      return await start();
    } finally {
      this.byHand.ended(id);
    }
  }

  /** Keeps a server stopped until the user asks for it. */
  stoppedByHand(id: string): void {
    this.asked.delete(id);
    this.stopped.add(id);
  }

  /** Notes that the user was asked about a server's launch and did not want it after all. */
  declined(id: string): void {
    this.asked.delete(id);
  }

  /** True for a server that the user asked for and has neither stopped nor declined since. */
  isWanted(id: string): boolean {
    return this.asked.has(id);
  }

  /** True if the server is to be started before anything uses it. */
  isAutomatic({ id, name }: ServerDefinition): boolean {
    return readAutostart(name) === 'always' && !this.stopped.has(id);
  }

  /** Says why a server is not to start now, unless the user asked for it. */
  refusal({ id, name }: ServerDefinition): StartRefusal | undefined {
    if (this.asked.has(id)) return undefined;
    if (this.stopped.has(id))
      return { refused: vscode.l10n.t('You stopped it.'), why: 'stoppedByUser' };
    if (readAutostart(name) === 'never')
      return {
        refused: vscode.l10n.t('The settings allow only a manual start.'),
        why: 'manualOnly',
      };
    return undefined;
  }
}
