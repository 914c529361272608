import * as vscode from 'vscode';
import { neverAborted } from '../base/async';
import { type Disposable, DisposableStore } from '../base/disposable';
import { plainLabel } from '../base/text/text';
import type { Server, Servers } from '../mcp/server';
import { offersNow } from '../mcp/serverState';
import { registerCommands } from '../ui/commands';
import type { DocumentInput } from '../ui/documents/documentInput';
import { RecentFolders } from '../ui/documents/recentFolders';
import { attachToChat, openChat, showInstead } from '../ui/editorChat';
import type { UserAction } from '../ui/questions/question';
import { Command } from '../ui/ids';
import { askOwn } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import { showPick } from '../ui/rows/picks';
import { askLine } from '../ui/steps/askLine';
import type { TreeSection } from '../ui/tree';
import { saveSkill } from './saveSkill';
import { SkillApprovals } from './skillApprovals';
import { type SkillEntry, currentSkill, readSkillFile } from './skillFiles';
import { type SkillNode, isSkillNode, skillSection } from './skillSection';
import { fileListText, skillText } from './skillText';
import { CancelledError, UserError } from '../base/errors';
import type { DocumentChoice } from '../ui/documents/choiceCommands';
import { showDiff } from '../ui/keyboard';
import type { WorkbenchWindow } from '../ui/window';
import { isRecord } from '../base/json';
import { listSpecs } from '../mcp/lists/listSpecs';
import { asideText, pairText } from '../base/translate';

/**
 * Returns the skill of a row, or the one that `{ server, uri }` names, as its server defines it now; rejects with
 * a `UserError` for any other target.
 */
async function findSkill(target: unknown, servers: Servers): Promise<SkillEntry> {
  if (isSkillNode(target)) return currentSkill(target);
  const { server: id, uri } = isRecord(target) ? target : {};
  const server = servers.all.find((each) => each.id === id || each.name === id);
  if (server && typeof uri === 'string') return { server, skill: await server.getSkill(uri) };
  throw new UserError(vscode.l10n.t('Choose a skill in the MCP Workbench view.'));
}

/**
 * Asks for the URI of a skill, which need not be listed, and gets the skill from its server; `undefined` if the
 * user dismissed the question.
 */
async function askSkill(
  action: UserAction,
  target: unknown,
  { servers, questions }: { readonly servers: Servers; readonly questions: Questions },
): Promise<SkillEntry | undefined> {
  const server = await chooseServer(action, target, servers);
  if (!server) return undefined;
  const title = vscode.l10n.t('Use Skill by URI');
  const uri = await askOwn(questions, { server, what: title, asked: action }, (context) =>
    askLine({
      frame: {
        title: asideText(title, plainLabel(server.name, 60), vscode.l10n.t),
        actions: [],
        context,
      },
      prompt: vscode.l10n.t('The address of its SKILL.md'),
      placeholder: 'skill://…/SKILL.md',
      validate: (text) =>
        /^\S+\/SKILL\.md$/.test(text.trim())
          ? undefined
          : vscode.l10n.t('Enter the URI of a SKILL.md.'),
    }),
  );
  return uri === undefined ? undefined : { server, skill: await server.getSkill(uri.trim()) };
}

async function chooseServer(
  action: UserAction,
  target: unknown,
  servers: Servers,
): Promise<Server | undefined> {
  if (isRecord(target) && 'server' in target) return target['server'] as Server;
  const able = servers.all.filter(({ state }) => offersNow(state, listSpecs.skills));
  if (able.length === 0) throw new UserError(vscode.l10n.t('No running server has skills.'));
  const items = able.map((server) => ({ label: plainLabel(server.name), server }));
  const title = vscode.l10n.t('Use Skill by URI');
  return items.length === 1 ? able[0] : (await showPick(action, items, { title }))?.server;
}

const beforeName = 'before.mcp-review';

/**
 * Asks the user to approve a skill, in a document that shows everything its server says about it and what has
 * changed since the last approval; asks nothing if it was approved as it is. Rejects with a `CancelledError` if
 * the user declines.
 */
async function approveSkill(
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
  const status = await approvals.statusOf(server, skill);
  if (status.kind === 'approved') return;
  const { choice } = await input.ask({
    name: `${plainLabel(skill.frontmatter.name, 60)}.mcp-review`,
    text: skillText(server, skill),
    permit: action,
    readOnly: true,
    ...(status.kind === 'changed' && {
      files: [{ name: beforeName, content: status.before }],
      comparedWith: beforeName,
    }),
    choices: [
      {
        id: 'use',
        title: `$(check) ${vscode.l10n.t('Use This Skill')}`,
        command: Command.useReviewedSkill,
      },
      ...(status.kind === 'changed' && status.instructions !== undefined
        ? [compareChoice({ server, skill }, status.instructions, parts)]
        : []),
      { id: 'cancel', title: vscode.l10n.t('Cancel') },
    ],
  });
  if (choice !== 'use') throw new CancelledError();
  await approvals.approve(server, skill);
}

/** Reads the `SKILL.md` of a skill; rejects if it does not match what this entry lists. */
async function readInstructions({ server, skill }: SkillEntry): Promise<string> {
  const { bytes } = await readSkillFile({ server, skill }, skill.uri, neverAborted());
  return new TextDecoder().decode(bytes);
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
      const text = await readInstructions({ server, skill });
      const folder = kept.add([instructions, text]);
      const before = folder.add('SKILL.before.md', instructions);
      const now = folder.add('SKILL.md', text);
      const name = plainLabel(skill.frontmatter.name, 60);
      const heading = pairText(name, title, vscode.l10n.t);
      await showDiff([before, now], heading, questions.stillBy(pressed, server.id));
    },
  };
}

/** Registers the skills of servers as rows, in the chat and in the workspace. */
export function register(
  deps: WorkbenchWindow & {
    readonly servers: Servers;
  },
): Disposable & { readonly section: TreeSection } {
  const { context, servers, logs, input, files, writer, questions } = deps;
  const store = new DisposableStore();
  const kept = store.add(new RecentFolders(files, 'skill'));
  const approvals = new SkillApprovals(context.globalState);

  /** The permit to open the chat after what may have taken a server long: by the user's action, or in the next pause. */
  const permitAfter = async (action: UserAction) =>
    questions.workedElsewhere(action.at) ? questions.untilPermitted(neverAborted()) : action;

  /**
   * Returns what the chat gets of a skill: its instructions, which were just checked, and a list of where its
   * files are.
   */
  const documentsOf = async (
    { server, skill }: SkillEntry,
    action: UserAction,
  ): Promise<readonly vscode.Uri[]> => {
    await approveSkill({ server, skill }, { input, approvals, kept, action, questions });
    const instructions = await readInstructions({ server, skill });
    await approvals.used(server, skill, instructions);
    const list = fileListText(server, skill);
    const folder = kept.add([instructions, list]);
    return [
      // The chat reads it when the user sends, by when the server may say anything else.
      folder.add('SKILL.md', instructions),
      folder.add(`${skill.frontmatter.name}-files.md`, list),
    ];
  };
  const save = (isUpdate: boolean) => (entry: SkillEntry, action: UserAction) =>
    saveSkill(entry, { input, writer, approvals, isUpdate, action, questions });
  const attach = async (entry: SkillEntry, action: UserAction) =>
    attachToChat(await documentsOf(entry, action), await permitAfter(action));
  const runWith = async (entry: SkillEntry, action: UserAction) => {
    const task = await askTask(entry, questions, action);
    if (!task) return;
    const attachFiles = await documentsOf(entry, action);
    const why = await openChat({
      query: `@mcp ${task}`,
      submit: true,
      attachFiles,
      permit: await permitAfter(action),
    });
    if (why !== undefined) await showInstead(why, task, action);
  };
  const onSkill =
    (run: (entry: SkillEntry, action: UserAction) => Promise<void>) =>
    async (action: UserAction, target: unknown) =>
      run(await findSkill(target, servers), action);
  store.add(
    registerCommands(logs, {
      [Command.attachSkill]: onSkill(attach),
      [Command.runSkill]: onSkill(runWith),
      [Command.saveSkill]: onSkill(save(false)),
      [Command.updateSkill]: onSkill(save(true)),
      [Command.useSkill]: async (action: UserAction, target: unknown) => {
        const entry = await askSkill(action, target, { servers, questions });
        if (!entry) return;
        const items = [
          { label: vscode.l10n.t('Attach to Chat'), run: attach },
          { label: vscode.l10n.t('Run with Skill…'), run: runWith },
          { label: vscode.l10n.t('Save as Workspace Skill…'), run: save(false) },
        ];
        const title = plainLabel(entry.skill.frontmatter.name, 60);
        await (await showPick(action, items, { title }))?.run(entry, action);
      },
    }),
  );
  return { section: skillSection, dispose: () => store.dispose() };
}

/** Asks what the user wants done with a skill. */
function askTask(
  { server, skill }: SkillEntry,
  questions: Questions,
  action: UserAction,
): Promise<string | undefined> {
  const title = vscode.l10n.t('Run with Skill: {0}', skill.frontmatter.name);
  return askOwn(questions, { server, what: title, asked: action }, (question) =>
    askLine({
      frame: { title, actions: [], context: question },
      prompt: vscode.l10n.t('What should be done with it?'),
    }),
  );
}
