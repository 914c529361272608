import * as vscode from 'vscode';
import type { Limiter } from '../base/async';
import { revealHidden } from '../base/text';
import type { DocumentInput } from '../ui/documentInput';
import type { MemoryFiles, MemoryFolder } from '../ui/memoryFiles';
import type { Extent } from './approval';
import { confirmToolCall, type DefaultChoice } from './confirmToolCall';
import { editArguments } from './editArguments';
import type { Change } from './identityChanges';
import type { Answer, Question } from './question';
import type { Choice } from './questionItems';
import type { QuestionPlace } from './questionQueue';

/** What asking a person needs of the editor. */
export interface AskingParts {
  readonly input: DocumentInput;
  readonly files: MemoryFiles;
  readonly defaultChoice: () => DefaultChoice;
  /** Runs what takes the editor's quick input for itself when nothing else of ours does. */
  readonly quickInput: Limiter;
}

/** Asks a person about one call: in a quick pick, and from there in a document or for a reason. */
export async function askPerson(
  question: Question,
  signal: AbortSignal,
  place: QuestionPlace,
  { input, files, defaultChoice }: AskingParts,
): Promise<Answer> {
  const folder = files.createFolder();
  const look = (choice: Choice) => {
    if (choice.kind === 'showChanges') void showChanges(choice.changes, folder);
    else void showArguments(question, folder);
  };
  let extent: Extent = 'tool';
  try {
    for (;;) {
      const confirmed = await confirmToolCall(question, signal, place, {
        defaultChoice: defaultChoice(),
        extent,
        look,
      });
      const { choice } = confirmed;
      extent = confirmed.extent;
      switch (choice.kind) {
        case 'allow': {
          const { duration } = choice;
          return {
            kind: 'allow',
            arguments: question.call.arguments,
            ...(duration && { remember: { duration, extent } }),
          };
        }
        case 'edit':
          return await editArguments(question, extent, input, signal);
        case 'denyWhy': {
          const reason = await askReason();
          // Escape leads back to the choices, where a second one denies.
          if (reason === undefined && !signal.aborted) break;
          return { kind: 'deny', ...(reason && { reason }) };
        }
        case 'deny':
        case 'denyAll':
        case 'nextExtent':
        case 'showArguments':
        case 'showChanges':
          return { kind: 'deny' };
      }
    }
  } finally {
    folder.dispose();
  }
}

async function askReason(): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title: vscode.l10n.t('Deny'),
    prompt: vscode.l10n.t('What shall the model be told?'),
    ignoreFocusOut: true,
  });
}

async function showArguments({ call }: Question, folder: MemoryFolder): Promise<void> {
  const text = revealHidden(JSON.stringify(call.arguments, undefined, 2));
  await vscode.window.showTextDocument(folder.add('arguments.json', text), { preserveFocus: true });
}

async function showChanges(changes: readonly Change[], folder: MemoryFolder): Promise<void> {
  const side = (when: 'before' | 'after') =>
    changes.map((change) => `${change.part}:\n${revealHidden(change[when])}\n`).join('\n');
  await vscode.commands.executeCommand(
    'vscode.diff',
    folder.add('allowed.txt', side('before')),
    folder.add('now.txt', side('after')),
    vscode.l10n.t('Allowed ↔ Now'),
    { preserveFocus: true },
  );
}
