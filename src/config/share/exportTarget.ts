import * as vscode from 'vscode';
import { errorMessage, UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { shownPath } from '../../base/uri/fileAddress';
import { filesOf, type Application, type Machine } from '../applications/application';
import { applications } from '../applications/applications';
import { thisDisk } from '../applications/machine';
import { readFileText } from '../fileText';
import type { PickLook } from '../../ui/rows/picks';
import { askRow } from '../../ui/steps/pickRows';
import type { StepFrame } from '../../ui/steps/stepFrame';

/** A file of an application and its current text, which is empty if the file does not exist. */
export interface ExportTarget {
  readonly application: Application;
  readonly uri: vscode.Uri;
  readonly text: string;
}

interface Row extends PickLook {
  readonly target?: ExportTarget;
  /** Why the file cannot be read. */
  readonly problem?: string;
}

/**
 * Asks for the file of an application: existing ones first, then where other applications would have theirs;
 * `undefined` if the user dismissed the list. Rejects with a `UserError` if the chosen file cannot be read.
 */
export async function askTargetFile(
  frame: StepFrame,
  machine: Machine,
): Promise<ExportTarget | undefined> {
  const { t } = vscode.l10n;
  const found = await Promise.all(
    applications.map(async (application) => {
      const files = await filesOf(application, machine, thisDisk);
      // What the application does not read, nobody wants written.
      const read = files.filter(({ isUnread }) => !isUnread);
      return Promise.all(
        read.map(async ({ path, note = '', isOffered = false }, index) => {
          const uri = vscode.Uri.file(path);
          const place = { application, note, uri, isUsual: index === 0, isOffered };
          return { ...place, ...(await tryRead(uri)) };
        }),
      );
    }),
  );
  const all = found.flat();
  const rows = all.map(({ application, uri, text = '', note, problem }) => ({
    label: application.label,
    description: [...(note === '' ? [] : [note]), shownPath(uri)]
      .map((one) => plainLabel(one))
      .join(' · '),
    target: { application, uri, text },
    ...(problem !== undefined && { detail: problem, problem }),
  }));
  const there = rows.filter((_, index) => !all[index]?.isMissing);
  const has = new Set(there.map(({ target }) => target.application));
  const others = rows.filter(
    ({ target }, index) =>
      all[index]?.isMissing &&
      (all[index].isOffered || (all[index].isUsual && !has.has(target.application))),
  );
  const heading = { label: t('New file'), kind: vscode.QuickPickItemKind.Separator };
  const items: Row[] = [...there, ...(others.length > 0 ? [heading, ...others] : [])];
  const placeholder = t('Select the application to export to');
  const picked = await askRow<Row>({ frame, items, placeholder });
  if (picked?.problem !== undefined) throw new UserError(picked.problem);
  return picked?.target;
}

/** Reads a file, or says why it cannot be read: that must not keep the user from the others. */
async function tryRead(uri: vscode.Uri) {
  try {
    const text = await readTargetText(uri);
    return { text, isMissing: text === undefined };
  } catch (error) {
    const why = errorMessage(error, vscode.l10n.t);
    return { problem: vscode.l10n.t('{0} cannot be read: {1}', shownPath(uri), why) };
  }
}

/** Returns the text of a file, with unsaved changes if it is open; `undefined` if there is none. */
export async function readTargetText(uri: vscode.Uri): Promise<string | undefined> {
  const key = uri.toString();
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === key);
  if (open?.isDirty) return open.getText();
  return readFileText(uri);
}
