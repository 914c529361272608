import * as vscode from 'vscode';
import { distinctNames, sanitize } from '../../base/text/fileName';
import { CancelledError, UserError } from '../../base/errors';
import { fileExists } from '../../ui/documents/readTextFile';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import { plainLabel } from '../../base/text/text';
import { askFile, askSaveAs, askWorkspaceFolder } from '../../ui/keyboard';
import { showMessage } from '../../ui/messages';
import { askOwn, noServer } from '../../ui/questions/askOwn';
import type { Questions } from '../../ui/questions/questions';
import { askLine } from '../../ui/steps/askLine';
import { confirm } from '../../ui/steps/confirm';
import { openDocument } from '../documents/openDocument';
import type { FoundDocument } from '../documents/resourceDocument';
import type { UserAction } from '../../ui/questions/question';

/**
 * Makes sure that documents end up where their paths say and that hidden ones are wanted: throws a `UserError` for a
 * link out of `folder`, and asks about names that begin with a dot, with a `CancelledError` if the user declines.
 */
async function checkTargets(
  folder: vscode.Uri,
  paths: readonly (readonly string[])[],
  { writer, questions, action }: SavingDeps,
): Promise<void> {
  for (const path of paths) await writer.check(vscode.Uri.joinPath(folder, ...path), folder);
  const hidden = paths.filter((path) => path.some((segment) => segment.startsWith('.')));
  if (hidden.length === 0) return;
  const question = vscode.l10n.t(
    'Save hidden files? The editor and other programs may read them as settings.',
  );
  const about = hidden.map((path) => path.join('/'));
  if (!(await confirm(questions, action, { question, about, yes: vscode.l10n.t('Save') })))
    throw new CancelledError();
}

/**
 * Returns the segments of a relative path that stays inside the folder that it starts from; `undefined` for one that
 * leads elsewhere or that a file system would reject.
 */
export function pathInside(path: string): readonly string[] | undefined {
  if (/^\s*(?:[A-Za-z]:|[\\/]|~[\\/]|$)/.test(path)) return undefined;
  const segments = path.trim().split(/[\\/]+/);
  if (segments.at(-1) === '') segments.pop();
  return segments.every((segment) => segment === sanitize(segment)) ? segments : undefined;
}

/** What saving needs, and the user's action that it follows. */
export interface SavingDeps {
  readonly writer: WorkspaceWriter;
  readonly questions: Pick<Questions, 'ask' | 'untilFree'>;
  readonly action: UserAction;
}

/** Saves documents below a workspace folder, at a relative path that the user confirms. */
export async function saveToWorkspace(
  found: readonly FoundDocument[],
  deps: SavingDeps,
): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0)
    throw new UserError(vscode.l10n.t('No folder is open to save to. Use “Save As…” instead.'));
  const action = await deps.questions.untilFree(deps.action);
  const folder = await askWorkspaceFolder(action);
  if (!folder) return;
  const [first] = found;
  const single = found.length === 1 && first ? first.document.name : undefined;
  const title = vscode.l10n.t('Save to {0}', folder.name);
  const own = { server: noServer, what: title, asked: action };
  const path = await askOwn(deps.questions, own, (context) =>
    askLine({
      frame: { title, actions: [], context },
      prompt: single
        ? vscode.l10n.t('A path inside the folder')
        : vscode.l10n.t('A folder for {0} documents', String(found.length)),
      value: single ?? 'resources',
      ...(single && { selected: [0, Math.max(0, single.lastIndexOf('.'))] as const }),
      validate: (value) =>
        pathInside(value)
          ? undefined
          : vscode.l10n.t('The path must stay inside {0}.', folder.name),
    }),
  );
  const segments = path === undefined ? undefined : pathInside(path);
  if (!segments) return;
  if (single) await saveAt(folder.uri, found, [segments], deps);
  else await saveInto(folder.uri, found, deps, segments);
}

/** Saves documents where the user chooses: one as a file, several in a folder. */
export async function saveAs(found: readonly FoundDocument[], deps: SavingDeps): Promise<void> {
  const [first] = found;
  const start = vscode.workspace.workspaceFolders?.[0]?.uri;
  const action = await deps.questions.untilFree(deps.action);
  if (found.length === 1 && first) {
    const target = await askSaveAs(action, {
      title: vscode.l10n.t('Save Resource As'),
      ...(start && { defaultUri: vscode.Uri.joinPath(start, first.document.name) }),
    });
    // The dialog has already asked whether to replace an existing file.
    if (target) await write(found, [target], deps);
    return;
  }
  const folder = await askFile(action, {
    title: vscode.l10n.t('Save {0} Documents', String(found.length)),
    openLabel: vscode.l10n.t('Save Here'),
    canSelectFiles: false,
    canSelectFolders: true,
    ...(start && { defaultUri: start }),
  });
  if (folder) await saveInto(folder, found, deps);
}

/** Saves documents in a folder under their own names; throws a `UserError` for a name that is not one path segment. */
export async function saveInto(
  folder: vscode.Uri,
  found: readonly FoundDocument[],
  deps: SavingDeps,
  below: readonly string[] = [],
): Promise<void> {
  const names = distinctNames(found.map(({ document }) => document.name));
  const paths = names.map((name) => {
    const segments = pathInside(name);
    if (segments?.length !== 1) throw new UserError(vscode.l10n.t('{0} is not a file name.', name));
    return [...below, ...segments];
  });
  await saveAt(folder, found, paths, deps);
}

/** Saves documents at paths below a folder; throws a `UserError` if a link leads out of it. */
async function saveAt(
  folder: vscode.Uri,
  found: readonly FoundDocument[],
  paths: readonly (readonly string[])[],
  deps: SavingDeps,
): Promise<void> {
  await checkTargets(folder, paths, deps);
  await save(
    found,
    paths.map((path) => vscode.Uri.joinPath(folder, ...path)),
    folder,
    deps,
  );
}

async function save(
  found: readonly FoundDocument[],
  targets: readonly vscode.Uri[],
  folder: vscode.Uri,
  deps: SavingDeps,
): Promise<void> {
  const states = await Promise.all(targets.map(fileExists));
  const taken = targets.filter((_, i) => states[i]);
  if (taken.length > 0) {
    const about = taken.map((uri) => vscode.workspace.asRelativePath(uri));
    const [only = ''] = about;
    const question =
      about.length === 1
        ? vscode.l10n.t('{0} already exists. Replace it?', plainLabel(only, 80))
        : vscode.l10n.t('{0} files already exist. Replace them?', String(about.length));
    const yes = vscode.l10n.t('Replace');
    if (!(await confirm(deps.questions, deps.action, { question, about, yes })))
      throw new CancelledError();
  }
  await write(found, targets, deps, folder);
}

async function write(
  found: readonly FoundDocument[],
  targets: readonly vscode.Uri[],
  { writer }: SavingDeps,
  folder?: vscode.Uri,
): Promise<void> {
  for (const [i, target] of targets.entries()) {
    const document = found[i]?.document;
    if (document) await writer.write(target, document.bytes, folder);
  }
  const [first] = targets;
  const document = found[0]?.document;
  if (!first) return;
  const open = vscode.l10n.t('Open');
  const message =
    targets.length === 1
      ? vscode.l10n.t('Saved {0}.', vscode.workspace.asRelativePath(first))
      : vscode.l10n.t('Saved {0} documents.', String(targets.length));
  const actions = targets.length === 1 ? [open] : [];
  void showMessage('info', message, ...actions).then(
    (pressed) => pressed && document && openDocument(first, document, pressed.action),
  );
}
