import * as vscode from 'vscode';
import type { ServerDefinition } from '../../mcp/serverConfig';
import type { StartRefusal } from '../../mcp/serverState';
import type { Questions } from '../../ui/questions/questions';
import type { UserAction } from '../../ui/questions/question';
import { readAutostart } from '../../ui/settings/readSetting';

/** What the user decided about starting servers, in the settings and by hand. */
export class StartPolicy {
  /** What the user wanted last of each server, by hand. */
  private readonly byHand = new Map<string, 'started' | 'stopped'>();
  private readonly questions: Pick<Questions, 'noteAction' | 'noteStarted'>;

  constructor(questions: StartPolicy['questions']) {
    this.questions = questions;
  }

  /** Runs `start` for servers that the user asked for, so that nothing but trust stands in its way. */
  startByHand<T>(ids: readonly string[], action: UserAction, start: () => Promise<T>): Promise<T> {
    for (const id of ids) this.byHand.set(id, 'started');
    return this.besideByHand(ids, action, start);
  }

  /** Runs `start` for servers beside those that the user may have stopped, which stay as they are. */
  async besideByHand<T>(
    ids: readonly string[],
    action: UserAction,
    start: () => Promise<T>,
  ): Promise<T> {
    for (const id of ids) this.questions.noteAction(id, action);
    try {
      return await start();
    } finally {
      for (const id of ids) this.questions.noteStarted(id);
    }
  }

  /** Keeps a server stopped until the user asks for it. */
  stoppedByHand(id: string): void {
    this.byHand.set(id, 'stopped');
  }

  /** Notes that the user was asked about a server's launch and did not want it after all. */
  declined(id: string): void {
    if (this.isWanted(id)) this.byHand.delete(id);
  }

  /** True for a server that the user asked for and has neither stopped nor declined since. */
  isWanted(id: string): boolean {
    return this.byHand.get(id) === 'started';
  }

  /** True if the server is to be started before anything uses it. */
  isAutomatic({ id, name }: ServerDefinition): boolean {
    return readAutostart(name) === 'always' && this.byHand.get(id) !== 'stopped';
  }

  /** Says why a server is not to start now, unless the user asked for it. */
  refusal({ id, name }: ServerDefinition): StartRefusal | undefined {
    const wanted = this.byHand.get(id);
    if (wanted === 'started') return undefined;
    if (wanted === 'stopped')
      return {
        refused: vscode.l10n.t('It was stopped by hand. Start it to use it again.'),
        why: 'stoppedByUser',
      };
    if (readAutostart(name) === 'never')
      return {
        refused: vscode.l10n.t('The settings allow only a manual start.'),
        why: 'manualOnly',
      };
    return undefined;
  }
}
