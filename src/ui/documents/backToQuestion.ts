import * as vscode from 'vscode';
import { Command } from '../ids';
import type { DocumentChoice } from './choiceCommands';

/** Makes the choice that leads from a read-only document back to the question that it belongs to. */
export function backToQuestion(): DocumentChoice {
  return {
    id: 'close',
    title: vscode.l10n.t('Back to the Question'),
    command: Command.backToQuestion,
    leadsBack: true,
  };
}
