import * as vscode from 'vscode';
import { errorMessage, UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { showPick } from '../rows/picks';

/** The part of the built-in Git extension's interface (version 1) that is used here. */
interface GitApi {
  readonly repositories: readonly GitRepository[];
}

interface GitRepository {
  readonly rootUri: vscode.Uri;
  diff(cached?: boolean): Promise<string>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

const gitExtension = 'vscode.git';

/** True if the editor's Git extension is there, whether or not a folder has a repository. */
export function hasGit(): boolean {
  return vscode.extensions.getExtension(gitExtension) !== undefined;
}

/**
 * Returns the uncommitted changes, including staged ones; lets the user pick a repository if there are several, and
 * returns `undefined` if they dismissed the list; throws a `UserError` if there are no changes or no repository.
 */
export async function readGitDiff(): Promise<string | undefined> {
  const repository = await pickRepository(await repositories());
  if (!repository) return undefined;
  const diffs = await Promise.all([repository.diff(true), repository.diff(false)]);
  const text = diffs.filter(Boolean).join('\n');
  if (!text)
    throw new UserError(
      vscode.l10n.t('{0} has no uncommitted changes.', nameOf(repository.rootUri)),
    );
  return text;
}

async function repositories(): Promise<readonly GitRepository[]> {
  const git = await activateGit();
  const found = git?.enabled ? git.getAPI(1).repositories : [];
  if (found.length === 0)
    throw new UserError(vscode.l10n.t('There is no Git repository in this workspace.'));
  return found;
}

async function activateGit(): Promise<GitExtension | undefined> {
  try {
    return await vscode.extensions.getExtension<GitExtension>(gitExtension)?.activate();
  } catch (error) {
    const why = plainLabel(errorMessage(error, vscode.l10n.t), 200);
    throw new UserError(vscode.l10n.t('The Git extension of the editor cannot be used: {0}', why), {
      cause: error,
    });
  }
}

async function pickRepository(all: readonly GitRepository[]): Promise<GitRepository | undefined> {
  if (all.length <= 1) return all[0];
  const items = all.map((repository) => ({
    label: nameOf(repository.rootUri),
    description: repository.rootUri.fsPath,
    repository,
  }));
  const picked = await showPick(items, {
    title: vscode.l10n.t('Git Repository'),
  });
  return picked?.repository;
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split('/').findLast(Boolean) ?? uri.path;
}
