import * as vscode from 'vscode';
import { comparedPath, shownPath } from '../../base/uri/fileAddress';
import { UserError, errorMessage } from '../../base/errors';
import type { DocumentInput } from '../documents/documentInput';
import { Command } from '../ids';
import { askWorkspaceFolder } from '../keyboard';
import { readTerminalSelection } from '../editorCommands';
import { readClipboard } from './pastedLines';
import { type FileForm, readWorkspaceFile } from '../documents/readTextFile';
import type { TextReading, TextSource } from '../steps/textStep';
import type { UserAction } from '../questions/question';
import { plainLabel, wordsLabel } from '../../base/text/text';
import { showPick } from '../rows/picks';

/** The part of the built-in Git extension's interface (version 1) that is used here. */
interface GitApi {
  readonly repositories: readonly GitRepository[];
}

interface GitRepository {
  readonly rootUri: vscode.Uri;
  diff(cached?: boolean): Promise<string>;
  /** Branches and tags, from the remote ones, too. */
  getRefs(query: object): Promise<readonly { readonly name?: string }[]>;
  /** Rejects if there is no such file in it. */
  show(ref: string, path: string): Promise<string>;
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
export async function readGitDiff(action: UserAction): Promise<string | undefined> {
  const repository = await pickRepository(action, await repositories());
  if (!repository) return undefined;
  const diffs = await Promise.all([repository.diff(true), repository.diff(false)]);
  const text = diffs.filter(Boolean).join('\n');
  if (!text)
    throw new UserError(
      vscode.l10n.t('{0} has no uncommitted changes.', nameOf(repository.rootUri)),
    );
  return text;
}

/** At most this many branches and tags of a repository are offered. */
export const maxOfferedRefs = 1000;

/**
 * Returns the text of a file at a branch or tag that the user picks, and its name; `undefined` if they dismissed the list.
 * Throws a `UserError` if no repository of the workspace has the file, or not there.
 */
export async function readAtRef(
  action: UserAction,
  file: vscode.Uri,
): Promise<{ readonly text: string; readonly ref: string } | undefined> {
  const { t } = vscode.l10n;
  const comparedFile = comparedPath(file.fsPath);
  const within = ({ rootUri }: GitRepository) =>
    comparedFile.startsWith(`${comparedPath(rootUri.fsPath)}/`);
  const repository = (await repositories())
    .filter(within)
    .toSorted((a, b) => b.rootUri.path.length - a.rootUri.path.length)[0];
  const shown = plainLabel(file.path.split('/').at(-1) ?? file.path, 100);
  if (!repository) throw new UserError(t('{0} is in no Git repository of this workspace.', shown));
  // Git would take a name that begins like this for an option, and write files.
  const isOption = (name: string) => name.startsWith('-');
  const names = (await repository.getRefs({})).flatMap(({ name }) => name ?? []);
  const refs = names.filter((name) => !isOption(name));
  const items = [...new Set(refs)].slice(0, maxOfferedRefs).map((label) => ({ label, ref: label }));
  if (items.length === 0) throw new UserError(t('The repository has no branch or tag yet.'));
  const picked = await showPick(action, items, { title: t('{0} at a Branch or Tag', shown) });
  if (!picked) return undefined;
  const { ref } = picked;
  try {
    return { text: await repository.show(ref, file.fsPath), ref };
  } catch (error) {
    const why = wordsLabel(errorMessage(error, t), 200);
    throw new UserError(t('{0} was not read at {1}: {2}', shown, plainLabel(ref, 100), why), {
      cause: error,
    });
  }
}

async function repositories(): Promise<readonly GitRepository[]> {
  const git = await activateGit();
  if (git && !git.enabled)
    throw new UserError(
      vscode.l10n.t('The editor found no Git: install it, or turn on the setting "git.enabled".'),
    );
  const found = git?.getAPI(1).repositories ?? [];
  if (found.length === 0)
    throw new UserError(vscode.l10n.t('There is no Git repository in this workspace.'));
  return found;
}

async function activateGit(): Promise<GitExtension | undefined> {
  try {
    return await vscode.extensions.getExtension<GitExtension>(gitExtension)?.activate();
  } catch (error) {
    const why = wordsLabel(errorMessage(error, vscode.l10n.t), 200);
    throw new UserError(vscode.l10n.t('The Git extension of the editor cannot be used: {0}', why), {
      cause: error,
    });
  }
}

async function pickRepository(
  action: UserAction,
  all: readonly GitRepository[],
): Promise<GitRepository | undefined> {
  if (all.length <= 1) return all[0];
  const items = all.map((repository) => ({
    label: nameOf(repository.rootUri),
    description: shownPath(repository.rootUri),
    repository,
  }));
  const picked = await showPick(action, items, { title: vscode.l10n.t('Git Repository') });
  return picked?.repository;
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split('/').findLast(Boolean) ?? uri.path;
}

/** Appends a text to the current one as if it were pasted at its end; a text of several lines begins on a new line. */
export function withInserted(current: string, text: string): string {
  const isApart = current === '' || /\s$/.test(current) || !text.trimEnd().includes('\n');
  return isApart ? current + text : `${current}\n${text}`;
}

/**
 * Returns where a text may come from right now, the likeliest first; `editor` is the one that was active before the
 * question. An inserted text comes after what was typed, and replaces `standard`, which is there without being typed.
 * A text that is no prose comes from a `file` in another form, or, such as a date, from none.
 */
export function textSources(
  name: string,
  editor: vscode.TextEditor | undefined,
  input: DocumentInput,
  {
    standard = '',
    file = 'text',
  }: { readonly standard?: string; readonly file?: FileForm | 'none' } = {},
): readonly TextSource[] {
  const sources: TextSource[] = [];
  const insert = (
    icon: string,
    label: string,
    read: (action: UserAction) => string | Promise<string | undefined>,
  ): void => {
    sources.push({
      icon: new vscode.ThemeIcon(icon),
      label,
      isMinor: true,
      read: async (current, { action }) => {
        const text = await read(action);
        if (text === undefined) return undefined;
        return withInserted(current === standard ? '' : current, text);
      },
    });
  };
  if (editor && !editor.selection.isEmpty)
    insert('selection', vscode.l10n.t('Insert Selection'), () => selection(editor));
  const hasFolder = vscode.workspace.workspaceFolders?.length;
  if (file !== 'text') {
    if (hasFolder && file !== 'none')
      sources.unshift({
        icon: new vscode.ThemeIcon('file-add'),
        label: {
          base64: vscode.l10n.t('Insert a File as Base64…'),
          dataUrl: vscode.l10n.t('Insert a File as Data URL…'),
        }[file],
        isMinor: true,
        read: (_current, { action }) => readWorkspaceFile(action, file),
      });
    insert('clippy', vscode.l10n.t('Paste from Clipboard'), clipboard);
    return sources;
  }
  sources.push({
    icon: new vscode.ThemeIcon('edit'),
    label: vscode.l10n.t('Edit in an Editor'),
    isMinor: true,
    inEditor: true,
    read: (text, reading) => editText(name, text, { input, ...reading }),
  });
  if (editor)
    insert('file-code', vscode.l10n.t('Insert Active File'), () => editor.document.getText());
  if (hasFolder) {
    insert('file-add', vscode.l10n.t('Insert a File…'), (action) => readWorkspaceFile(action));
    insert('root-folder', vscode.l10n.t('Insert Workspace Folder'), workspaceFolder);
  }
  insert('clippy', vscode.l10n.t('Paste from Clipboard'), clipboard);
  if (vscode.window.activeTerminal)
    insert('terminal', vscode.l10n.t('Insert Terminal Selection'), terminal);
  if (hasGit()) insert('git-compare', vscode.l10n.t('Insert Uncommitted Changes'), readGitDiff);
  return sources;
}

function selection({ document, selections }: vscode.TextEditor): string {
  return selections.map((range) => document.getText(range)).join('\n');
}

/**
 * Returns a folder's path where the servers run, which is where this extension runs; `undefined` if none was picked.
 */
async function workspaceFolder(action: UserAction): Promise<string | undefined> {
  return (await askWorkspaceFolder(action))?.uri.fsPath;
}

async function clipboard(): Promise<string | undefined> {
  const text = await readClipboard();
  if (text === '') throw new UserError(vscode.l10n.t('The clipboard contains no text.'));
  return text;
}

async function terminal(): Promise<string> {
  const text = await readTerminalSelection();
  if (!text) throw new UserError(vscode.l10n.t('Nothing is selected in the terminal.'));
  return text;
}

async function editText(
  name: string,
  text: string,
  { input, action, signal, keep }: TextReading & { readonly input: DocumentInput },
): Promise<string> {
  const answer = await input.ask({
    name: `${name}.txt`,
    text,
    choices: [
      {
        id: 'use',
        title: `$(check) ${vscode.l10n.t('Use This Text')}`,
        command: Command.useText,
      },
      { id: 'back', title: vscode.l10n.t('Cancel') },
    ],
    onSave: keep,
    permit: action,
    ...(signal && { signal }),
  });
  return answer.choice === 'back' ? text : answer.text;
}
