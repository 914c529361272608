import type * as vscode from 'vscode';
import { Command } from '../ids';
import type { DocumentInput } from './documentInput';

/** Those of documents that several features ask with, or whose feature registers no others. */
const shared = [
  Command.trustAndStart,
  Command.backToQuestion,
  Command.useText,
  Command.useArguments,
  Command.runEdited,
  Command.sendReviewed,
  Command.returnReviewed,
  Command.useReviewedSkill,
  Command.saveReviewedSkill,
  Command.withdrawApproval,
] as const;

/** Handlers of commands that make the choice which names them, for the menus of its editor and the Command Palette. */
export function choiceCommands(
  input: Pick<DocumentInput, 'choose'>,
  commands: readonly string[] = shared,
): Record<string, (uri?: vscode.Uri) => Promise<void>> {
  return Object.fromEntries(
    commands.map((command) => [
      command,
      (uri?: vscode.Uri) => input.choose(uri, (choice) => choice.command === command),
    ]),
  );
}
