import * as vscode from 'vscode';
import { signalOf } from '../base/async';
import { sameBytes } from '../base/bytes';
import { CancelledError, UserError } from '../base/errors';
import { jsonText } from '../base/text/jsonText';
import { plainLabel, revealHidden } from '../base/text/text';
import type { Server } from '../mcp/server';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command } from '../ui/ids';
import { askWorkspaceFolder } from '../ui/keyboard';
import { type ReadFile, type StaticSkill, isOfSkill, isStatic, readSkillFiles } from './skillFiles';
import {
  type WorkspaceSkill,
  changedByHand,
  filesText,
  findWorkspaceSkill,
  writeWorkspaceSkill,
} from './workspaceSkill';
import type { SkillApprovals } from './skillApprovals';
import type { SkillNode } from './skillSection';
import type { Permit } from '../ui/keyboard';
import type { UserAction } from '../ui/questions/question';
import type { Questions } from '../ui/questions/questions';
import { showMessage, withProgress } from '../ui/messages';
import { listText } from '../base/translate';

const beforeName = 'before.mcp-review';

/**
 * Saves a skill where agents look for it in a workspace, or updates the saved one; shows every file first, and
 * never loses what the user changed.
 */
export async function saveSkill(
  node: Pick<SkillNode, 'server' | 'skill'>,
  parts: {
    readonly input: DocumentInput;
    readonly writer: WorkspaceWriter;
    readonly approvals: SkillApprovals;
    readonly action: UserAction;
    readonly questions: Pick<Questions, 'stillBy'>;
    /** True if the skill must already be saved there. */
    readonly isUpdate: boolean;
  },
): Promise<void> {
  const { t } = vscode.l10n;
  const { server, skill } = node;
  const { input, writer, approvals, isUpdate, action, questions } = parts;
  const { name } = skill.frontmatter;
  const root = await pickFolder(action);
  const before = await findWorkspaceSkill(root, skill, writer);
  checkPlace(node, before, isUpdate);
  if (!isStatic(skill))
    throw new UserError(
      t(
        'The files of {0} are generated each time, so there is nothing to save that could be checked.',
        name,
      ),
    );
  const read = await readWithProgress(server, skill);
  if (isSame(before, read)) {
    void showMessage('info', t('The skill {0} is up to date.', name));
    return;
  }
  const byHand = await changedByHand(before);
  const choice = await askHow(
    node,
    { before, read, byHand },
    { input, permit: questions.stillBy(action, server.id) },
  );
  if (choice !== 'keep' && choice !== 'replace') throw new CancelledError();
  // The user decided on what was shown, and the files may have changed in the meantime: look again.
  const now = await findWorkspaceSkill(root, skill, writer);
  if ((await changedByHand(now)).some((path) => !byHand.includes(path)))
    throw new UserError(
      t(
        'Nothing was saved: files in {0} changed meanwhile.',
        vscode.workspace.asRelativePath(now.folder),
      ),
    );
  const kept = await writeWorkspaceSkill(
    root,
    now,
    { ...node, read, keepsChanges: choice === 'keep' },
    writer,
  );
  await approvals.approve(server, skill);
  const folder = vscode.workspace.asRelativePath(before.folder);
  void showMessage(
    'info',
    kept.length > 0
      ? t('Saved {0}. Your versions were kept: {1}', folder, listText(kept, t))
      : t('Saved {0}.', folder),
  );
}

/** Shows all files and what has changed in them, and asks how to save them, if at all. */
async function askHow(
  node: Pick<SkillNode, 'server' | 'skill'>,
  what: {
    readonly before: WorkspaceSkill;
    readonly read: readonly ReadFile[];
    readonly byHand: readonly string[];
  },
  { input, permit }: { readonly input: DocumentInput; readonly permit: Permit },
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const { before, read, byHand } = what;
  const header = reviewHeader(node);
  const { choice } = await input.ask({
    name: `${plainLabel(node.skill.frontmatter.name, 60)}.mcp-review`,
    text:
      header +
      filesText(
        read.map(({ path, bytes }) => [path, bytes] as const),
        t,
      ),
    permit,
    readOnly: true,
    ...(before.origin && {
      files: [{ name: beforeName, content: header + filesText(before.files, t) }],
      comparedWith: beforeName,
    }),
    choices: [
      ...(byHand.length > 0
        ? [
            {
              id: 'keep',
              title: `$(save) ${t('Save, Keeping Your Changes')}`,
              tooltip: byHand.join('\n'),
              command: Command.saveReviewedSkill,
            },
            {
              id: 'replace',
              title: t('Save, Replacing Your Changes'),
              tooltip: t('Your versions are kept beside them: {0}', listText(byHand, t)),
            },
          ]
        : [
            {
              id: 'replace',
              title: `$(save) ${t('Save {0} Files', read.length)}`,
              command: Command.saveReviewedSkill,
            },
          ]),
      { id: 'cancel', title: t('Cancel') },
    ],
  });
  return choice;
}

/** Says whose files these are, and which tools they may make agents allow without asking the user. */
function reviewHeader({ server, skill }: Pick<SkillNode, 'server' | 'skill'>): string {
  const { t } = vscode.l10n;
  const { 'allowed-tools': tools } = skill.frontmatter;
  const grants =
    tools === undefined
      ? ''
      : `${t('Agents that read skills of the workspace may allow what it asks for: {0}', jsonText(tools))}\n`;
  const of = [t('Server: {0}', server.name), t('Skill: {0}', revealHidden(skill.uri))];
  return `${of.join('\n')}\n${revealHidden(grants)}\n`;
}

function checkPlace(
  { server, skill }: Pick<SkillNode, 'server' | 'skill'>,
  { origin, exists, folder }: WorkspaceSkill,
  isUpdate: boolean,
): void {
  const { t } = vscode.l10n;
  const path = vscode.workspace.asRelativePath(folder);
  if (exists && !(origin && isOfSkill(origin, server, skill)))
    throw new UserError(
      t('Nothing was saved: {0} already has a skill that is not from "{1}".', path, server.name),
    );
  if (isUpdate && !exists)
    throw new UserError(t('{0} is not there. Save the skill to the workspace first.', path));
}

async function pickFolder(action: UserAction): Promise<vscode.Uri> {
  if (!vscode.workspace.workspaceFolders?.length)
    throw new UserError(vscode.l10n.t('No folder is open to save the skill to.'));
  const folder = await askWorkspaceFolder(action);
  if (!folder) throw new CancelledError();
  return folder.uri;
}

function readWithProgress(server: Server, skill: StaticSkill): Thenable<readonly ReadFile[]> {
  const title = vscode.l10n.t(
    'Reading {0} from {1}',
    skill.frontmatter.name,
    plainLabel(server.name),
  );
  return withProgress(
    { location: vscode.ProgressLocation.Notification, cancellable: true, title },
    (_progress, token) => readSkillFiles(server, skill, signalOf(token)),
  );
}

function isSame({ origin, files }: WorkspaceSkill, read: readonly ReadFile[]): boolean {
  return (
    origin !== undefined &&
    files.size === read.length &&
    read.every(({ path, bytes }) => {
      const now = files.get(path);
      return now !== undefined && sameBytes(now, bytes);
    })
  );
}
