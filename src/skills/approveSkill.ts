import * as vscode from 'vscode';
import { CancelledError } from '../base/errors';
import { plainLabel } from '../base/text/text';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { DocumentChoice } from '../ui/documents/choiceCommands';
import type { RecentFolders } from '../ui/documents/recentFolders';
import { Command } from '../ui/ids';
import { showDiff } from '../ui/keyboard';
import { toResourceUri } from '../ui/resourceUri';
import type { SkillApprovals } from './skillApprovals';
import type { SkillNode } from './skillSection';
import { skillText } from './skillText';
import type { UserAction } from '../ui/questions/question';
import type { Questions } from '../ui/questions/questions';

const beforeName = 'before.mcp-review';

/**
 * Asks the user to approve a skill, in a document that shows everything its server says about it and what has
 * changed since the last approval; asks nothing if it was approved as it is. Rejects with a `CancelledError` if
 * the user declines.
 */
export async function approveSkill(
  { server, skill }: Pick<SkillNode, 'server' | 'skill'>,
  parts: {
    readonly input: DocumentInput;
    readonly approvals: SkillApprovals;
    /** The user's action that wants it used. */
    readonly action: UserAction;
    readonly questions: Pick<Questions, 'stillBy'>;
    /** Keeps the texts that are compared. */
    readonly kept: RecentFolders;
  },
): Promise<void> {
  const { input, approvals, action } = parts;
  const standing = await approvals.standing(server, skill);
  if (standing.kind === 'approved') return;
  const { choice } = await input.ask({
    name: `${plainLabel(skill.frontmatter.name, 60)}.mcp-review`,
    text: skillText(server, skill),
    leave: action,
    readOnly: true,
    ...(standing.kind === 'changed' && {
      files: [{ name: beforeName, content: standing.before }],
      comparedWith: beforeName,
    }),
    choices: [
      {
        id: 'use',
        title: `$(check) ${vscode.l10n.t('Use This Skill')}`,
        command: Command.useReviewedSkill,
      },
      ...(standing.kind === 'changed' && standing.instructions !== undefined
        ? [compareChoice({ server, skill }, standing.instructions, parts)]
        : []),
      { id: 'cancel', title: vscode.l10n.t('Cancel') },
    ],
  });
  if (choice !== 'use') throw new CancelledError();
  await approvals.approve(server, skill);
}

/** Shows what has changed in the instructions, which are read only if the user wants to know. */
function compareChoice(
  { server, skill }: Pick<SkillNode, 'server' | 'skill'>,
  instructions: string,
  {
    kept,
    questions,
  }: { readonly kept: RecentFolders; readonly questions: Pick<Questions, 'stillBy'> },
): DocumentChoice {
  const title = vscode.l10n.t('Compare Instructions');
  return {
    id: 'compare',
    title: `$(diff) ${title}`,
    act: async (pressed) => {
      await server.readResource(skill.uri);
      const before = kept.add([instructions]).add('SKILL.md', instructions);
      const now = toResourceUri({ serverId: server.id, uri: skill.uri }, 'SKILL.md');
      const name = plainLabel(skill.frontmatter.name, 60);
      await showDiff([before, now], `${name}: ${title}`, questions.stillBy(pressed, server.id));
    },
  };
}
