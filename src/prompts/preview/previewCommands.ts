import type * as vscode from 'vscode';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { Command } from '../../ui/ids';
import { promptActions } from '../promptAction';
import { actionText } from './actionTexts';

/** What can be chosen above a preview as commands, for the menus of its editor and the Command Palette. */
export function previewCommands(
  input: Pick<DocumentInput, 'choose'>,
): Record<string, (uri?: vscode.Uri) => Promise<void>> {
  const actions = promptActions.flatMap((action) => {
    const { command } = actionText(action);
    return command === undefined ? [] : [[command, action] as const];
  });
  const choices = [...actions, [Command.editPromptArguments, 'edit'] as const];
  return Object.fromEntries(
    choices.map(([command, choice]) => [command, (uri?: vscode.Uri) => input.choose(uri, choice)]),
  );
}
