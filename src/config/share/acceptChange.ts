import * as vscode from 'vscode';
import { shownPath } from '../../base/uri/fileAddress';
import { UserError } from '../../base/errors';
import { extensionOf, fileName } from '../../base/text/fileName';
import { backToQuestion } from '../../ui/documents/choiceCommands';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import type { QuestionContext } from '../../ui/questions/question';
import { separator, wrappedRows, type PickLook } from '../../ui/rows/picks';
import { askRow } from '../../ui/steps/pickRows';
import { readTargetText } from './exportTarget';

/** A change to a file that the user is asked about. */
export interface FileChange {
  readonly uri: vscode.Uri;
  readonly before: string;
  readonly after: string;
  readonly title: string;
  /** The label of the row that accepts it. */
  readonly yes: string;
  /** What the user should know about it, in whole sentences. */
  readonly notes: readonly string[];
}

/** Asks the user to accept a change, which is possible only after viewing the difference; false if dismissed. */
export async function acceptChange(
  { uri, before, after, title, yes, notes }: FileChange,
  input: DocumentInput,
  context: QuestionContext,
): Promise<boolean> {
  const { t } = vscode.l10n;
  // Applications allow comments in their JSON files; the editor allows them in files with this extension.
  const name = fileName({ uri: uri.toString() }).replace(/\.json$/i, '.jsonc');
  const agree = { label: yes, iconPath: new vscode.ThemeIcon('check'), isYes: true };
  const show = {
    label: t('Show Changes…'),
    description: t('nothing is written yet'),
    iconPath: new vscode.ThemeIcon('diff'),
  };
  const heading = t('Worth knowing');
  const told = notes.flatMap((note, at) => wrappedRows('info', note, at === 0 ? heading : ''));
  for (let seen = false; ; seen = true) {
    const picked = await askRow<PickLook & { readonly isYes?: boolean }>({
      frame: { title, actions: [], context },
      items: [
        // The first row is what Enter takes.
        show,
        ...(seen ? [agree] : []),
        ...(told.length > 0 ? [separator(heading)] : []),
        ...told,
      ],
    });
    if (!picked) return false;
    if (picked.isYes) return true;
    const beforeName = `before.${extensionOf(name)}`;
    await context.setAside(() =>
      input.ask({
        name,
        text: after,
        files: [{ name: beforeName, content: before }],
        comparedWith: beforeName,
        readOnly: true,
        choices: [backToQuestion()],
        permit: context.wanted,
        signal: context.signal,
      }),
    );
  }
}

/** Rejects with a `UserError` if a file has unsaved changes, or no longer has the text that the user was shown. */
export async function checkUnchanged({
  uri,
  before,
}: Pick<FileChange, 'uri' | 'before'>): Promise<void> {
  const { t } = vscode.l10n;
  const key = uri.toString();
  if (vscode.workspace.textDocuments.some((one) => one.isDirty && one.uri.toString() === key))
    throw new UserError(t('{0} has unsaved changes. Save it and try again.', shownPath(uri)));
  // What another program has written in the meantime must not be overwritten.
  if (((await readTargetText(uri)) ?? '') !== before)
    throw new UserError(t('{0} has changed in the meantime. Try again.', shownPath(uri)));
}

/** Writes a change that the user accepted; rejects with a `UserError` if the file has changed or cannot be written. */
export async function writeChange(
  change: Pick<FileChange, 'uri' | 'before' | 'after'>,
  writer: WorkspaceWriter,
): Promise<void> {
  await checkUnchanged(change);
  const { uri, after } = change;
  try {
    await writer.write(uri, after, { isOfUser: true });
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(vscode.l10n.t('{0} could not be written.', shownPath(uri)), { cause });
  }
}
