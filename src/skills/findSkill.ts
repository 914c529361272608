import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { isRecord } from '../base/json';
import { plainLabel } from '../base/text/text';
import { ErrorCode, findRpcError } from '../mcp/protocol/rpcError';
import { listSpecs } from '../mcp/lists/listSpecs';
import type { Server, Servers } from '../mcp/server';
import { askOwn } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import { showPick } from '../ui/rows/picks';
import { askLine } from '../ui/steps/askLine';
import { isSkillNode, type SkillNode } from './skillSection';
import type { UserAction } from '../ui/questions/question';
import { asideText } from '../base/translate';

/** A skill and the server that offers it. */
export type SkillEntry = Pick<SkillNode, 'server' | 'skill'>;

/**
 * Returns the skill of a row, or the one that `{ server, uri }` names, as its server defines it now; rejects with
 * a `UserError` for any other target.
 */
export async function findSkill(target: unknown, servers: Servers): Promise<SkillEntry> {
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
export async function askSkill(
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

/** Asks the server again before a listed skill is used, because its entry may be out of date. */
async function currentSkill({ server, skill }: SkillEntry): Promise<SkillEntry> {
  try {
    return { server, skill: await server.getSkill(skill.uri) };
  } catch (error) {
    if (findRpcError(error)?.code === ErrorCode.methodNotFound) return { server, skill };
    throw error;
  }
}

async function chooseServer(
  action: UserAction,
  target: unknown,
  servers: Servers,
): Promise<Server | undefined> {
  if (isRecord(target) && 'server' in target) return target['server'] as Server;
  const able = servers.all.filter(
    ({ state }) => state.kind === 'running' && listSpecs.skills.isOffered(state.info.capabilities),
  );
  if (able.length === 0) throw new UserError(vscode.l10n.t('No running server has skills.'));
  const items = able.map((server) => ({ label: plainLabel(server.name), server }));
  const title = vscode.l10n.t('Use Skill by URI');
  return items.length === 1 ? able[0] : (await showPick(action, items, { title }))?.server;
}
