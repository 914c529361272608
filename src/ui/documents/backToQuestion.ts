import * as vscode from 'vscode';
import { Command } from '../ids';
import type { DocumentChoice } from './documentInput';

/** The choice of a document that is only read, beside the question that it belongs to. */
export function backToQuestion(): DocumentChoice {
  return {
    id: 'close',
    title: vscode.l10n.t('Back to the Question'),
    command: Command.backToQuestion,
    leadsBack: true,
  };
}
