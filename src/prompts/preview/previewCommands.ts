import { Command } from '../../ui/ids';
import { promptActions } from '../promptAction';
import { actionText } from './actionTexts';

/** Returns the commands that make a choice above a preview. */
export function previewCommands(): readonly string[] {
  return [
    ...promptActions.flatMap((action) => actionText(action).command ?? []),
    Command.editPromptArguments,
  ];
}
