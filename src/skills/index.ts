import * as vscode from 'vscode';
import { neverAborted } from '../base/async';
import { DisposableStore, type Disposable } from '../base/disposable';
import { plainLabel } from '../base/text/text';
import { contentBytes } from '../mcp/protocol/content';
import type { Servers } from '../mcp/server';
import { registerCommands } from '../ui/commands';
import type { DocumentInput } from '../ui/documents/documentInput';
import { RecentFolders } from '../ui/documents/recentFolders';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import { attachToChat, openChat, showInstead } from '../ui/editorChat';
import type { UserAction } from '../ui/questions/question';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { askOwn } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import { showPick } from '../ui/rows/picks';
import { toResourceUri } from '../ui/resourceUri';
import { askLine } from '../ui/steps/askLine';
import type { TreeSection } from '../ui/tree';
import { approveSkill } from './approveSkill';
import { askSkill, findSkill, type SkillEntry } from './findSkill';
import { saveSkill } from './saveSkill';
import { SkillApprovals } from './skillApprovals';
import { skillSection } from './skillSection';
import { fileListText } from './skillText';

/** Registers the skills of servers as rows, in the chat and in the workspace. */
export function register(deps: {
  readonly context: vscode.ExtensionContext;
  readonly servers: Servers;
  readonly logs: Logs;
  readonly input: DocumentInput;
  readonly questions: Questions;
  readonly files: MemoryFiles;
  readonly writer: WorkspaceWriter;
}): Disposable & { readonly section: TreeSection } {
  const { context, servers, logs, input, files, writer, questions } = deps;
  const store = new DisposableStore();
  const kept = store.add(new RecentFolders(files, 'skill'));
  const approvals = new SkillApprovals(context.globalState);

  /** Leave to open the chat after what may have taken a server long: by the user's action, or in the next pause. */
  const leaveAfter = async (action: UserAction) =>
    questions.workedElsewhere(action.at) ? questions.untilLeave(neverAborted()) : action;

  /**
   * Returns what the chat gets of a skill: its instructions, which were just checked, and a list of where its
   * files are.
   */
  const documentsOf = async (
    { server, skill }: SkillEntry,
    action: UserAction,
  ): Promise<readonly vscode.Uri[]> => {
    await approveSkill({ server, skill }, { input, approvals, kept, action, questions });
    const { contents } = await server.readResource(skill.uri);
    const [content = { uri: skill.uri }] = contents;
    await approvals.used(server, skill, new TextDecoder().decode(contentBytes(content)));
    const list = fileListText(server, skill);
    const folder = kept.add([list]);
    return [
      toResourceUri({ serverId: server.id, uri: skill.uri }, 'SKILL.md'),
      folder.add(`${skill.frontmatter.name}-files.md`, list),
    ];
  };
  const save = (isUpdate: boolean) => (entry: SkillEntry, action: UserAction) =>
    saveSkill(entry, { input, writer, approvals, isUpdate, action, questions });
  const attach = async (entry: SkillEntry, action: UserAction) =>
    attachToChat(await documentsOf(entry, action), await leaveAfter(action));
  const runWith = async (entry: SkillEntry, action: UserAction) => {
    const task = await askTask(entry, questions, action);
    if (!task) return;
    const attachFiles = await documentsOf(entry, action);
    const why = await openChat({
      query: `@mcp ${task}`,
      submit: true,
      attachFiles,
      leave: await leaveAfter(action),
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
