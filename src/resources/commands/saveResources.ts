import * as vscode from 'vscode';
import { distinctNames, sanitize } from '../../base/text/fileName';
import { CancelledError, UserError } from '../../base/errors';
import { fileExists } from '../../ui/documents/fileExists';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import { openDocument } from '../documents/openDocument';
import type { FoundDocument } from '../readTarget';

/**
 * Makes sure that documents end up where their paths say and that hidden ones are wanted: throws a `UserError` for a
 * link out of `folder`, and asks about names that begin with a dot, with a `CancelledError` if the user declines.
 */
async function checkTargets(
  folder: vscode.Uri,
  paths: readonly (readonly string[])[],
  writer: WorkspaceWriter,
): Promise<void> {
  for (const path of paths) await writer.check(vscode.Uri.joinPath(folder, ...path), folder);
  const hidden = paths.filter((path) => path.some((segment) => segment.startsWith('.')));
  if (hidden.length === 0) return;
  const saveAnyway = vscode.l10n.t('Save');
  const question = vscode.l10n.t(
    'Save hidden files? The editor and other programs may read them as settings.',
  );
  const detail = hidden.map((path) => path.join('/')).join('\n');
  const options = { modal: true, detail };
  if ((await vscode.window.showWarningMessage(question, options, saveAnyway)) !== saveAnyway)
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

/** Saves documents below a workspace folder, at a relative path that the user confirms. */
export async function saveToWorkspace(
  found: readonly FoundDocument[],
  writer: WorkspaceWriter,
): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0)
    throw new UserError(vscode.l10n.t('No folder is open to save to. Use “Save As…” instead.'));
  const folder = folders.length === 1 ? folders[0] : await vscode.window.showWorkspaceFolderPick();
  if (!folder) return;
  const [first] = found;
  const single = found.length === 1 && first ? first.document.name : undefined;
  const path = await vscode.window.showInputBox({
    title: vscode.l10n.t('Save to {0}', folder.name),
    prompt: single
      ? vscode.l10n.t('A path inside the folder')
      : vscode.l10n.t('A folder for {0} documents', String(found.length)),
    value: single ?? 'resources',
    ...(single && { valueSelection: [0, Math.max(0, single.lastIndexOf('.'))] as const }),
    validateInput: (value) =>
      pathInside(value) ? undefined : vscode.l10n.t('The path must stay inside {0}.', folder.name),
  });
  const segments = path === undefined ? undefined : pathInside(path);
  if (!segments) return;
  if (single) await saveAt(folder.uri, found, [segments], writer);
  else await saveInto(folder.uri, found, writer, segments);
}

/** Saves documents where the user chooses: one as a file, several in a folder. */
export async function saveAs(
  found: readonly FoundDocument[],
  writer: WorkspaceWriter,
): Promise<void> {
  const [first] = found;
  const start = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (found.length === 1 && first) {
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Save Resource As'),
      ...(start && { defaultUri: vscode.Uri.joinPath(start, first.document.name) }),
    });
    // The dialog has already asked whether to replace an existing file.
    if (target) await write(found, [target], writer);
    return;
  }
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Save {0} Documents', String(found.length)),
      openLabel: vscode.l10n.t('Save Here'),
      canSelectFiles: false,
      canSelectFolders: true,
      ...(start && { defaultUri: start }),
    })) ?? [];
  if (folder) await saveInto(folder, found, writer);
}

/** Saves documents in a folder under their own names; throws a `UserError` for a name that is not one path segment. */
export async function saveInto(
  folder: vscode.Uri,
  found: readonly FoundDocument[],
  writer: WorkspaceWriter,
  below: readonly string[] = [],
): Promise<void> {
  const names = distinctNames(found.map(({ document }) => document.name));
  const paths = names.map((name) => {
    const segments = pathInside(name);
    if (segments?.length !== 1) throw new UserError(vscode.l10n.t('{0} is not a file name.', name));
    return [...below, ...segments];
  });
  await saveAt(folder, found, paths, writer);
}

/** Saves documents at paths below a folder; throws a `UserError` if a link leads out of it. */
async function saveAt(
  folder: vscode.Uri,
  found: readonly FoundDocument[],
  paths: readonly (readonly string[])[],
  writer: WorkspaceWriter,
): Promise<void> {
  await checkTargets(folder, paths, writer);
  await save(
    found,
    paths.map((path) => vscode.Uri.joinPath(folder, ...path)),
    folder,
    writer,
  );
}

async function save(
  found: readonly FoundDocument[],
  targets: readonly vscode.Uri[],
  folder: vscode.Uri,
  writer: WorkspaceWriter,
): Promise<void> {
  const states = await Promise.all(targets.map(fileExists));
  const taken = targets.filter((_, i) => states[i]);
  if (taken.length > 0) {
    const names = taken.map((uri) => vscode.workspace.asRelativePath(uri)).join(', ');
    const replace = vscode.l10n.t('Replace');
    const question = vscode.l10n.t('{0} already exists. Replace it?', names);
    if ((await vscode.window.showWarningMessage(question, { modal: true }, replace)) !== replace)
      throw new CancelledError();
  }
  await write(found, targets, writer, folder);
}

async function write(
  found: readonly FoundDocument[],
  targets: readonly vscode.Uri[],
  writer: WorkspaceWriter,
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
  void vscode.window.showInformationMessage(message, ...actions).then((choice) => {
    if (choice === open && document) void openDocument(first, document);
  });
}
