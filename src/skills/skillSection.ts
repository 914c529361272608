import * as vscode from 'vscode';
import { formatBytes, truncate } from '../base/text/text';
import { pathInSkill, skillRoot, type Skill, type SkillFile } from '../mcp/protocol/skills';
import type { Server } from '../mcp/server';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import { isNodeOf, type TreeNode, type TreeSection } from '../ui/tree';

const longestDescription = 2000;

/** A row of the tree that stands for a skill. */
export interface SkillNode extends TreeNode {
  readonly server: Server;
  readonly skill: Skill;
}

/** True for rows that this section made for a skill. */
export function isSkillNode(value: unknown): value is SkillNode {
  return isNodeOf(value, 'skill');
}

/** One row for each skill of a server, with its files below it. */
export const skillSection: TreeSection = {
  nodes: (server, parent, limit) =>
    server.skills.items.slice(0, limit).map((skill) => row(server, skill, parent)),
};

/** Names are not unique: if skills share one, their folders tell them apart. */
function description(server: Server, skill: Skill): string {
  const { name, description: said } = skill.frontmatter;
  const isShared = server.skills.items.some(
    (other) => other !== skill && other.frontmatter.name === name,
  );
  return isShared ? `${skillRoot(skill)} · ${said}` : said;
}

function row(server: Server, skill: Skill, parent: TreeNode): SkillNode {
  const { name, description: said } = skill.frontmatter;
  const { resources } = skill;
  const node: SkillNode = {
    id: `${parent.id}/${skill.uri}`,
    parent,
    server,
    skill,
    item: () =>
      treeRow({
        id: node.id,
        kind: vscode.l10n.t('Skill'),
        label: name,
        description: description(server, skill),
        tooltip: [
          name,
          skill.uri,
          resources === 'dynamic'
            ? vscode.l10n.t('Generated each time: its content cannot be checked.')
            : vscode.l10n.t('{0} files, {1}', resources.length, formatBytes(bytesOf(resources))),
          truncate(said, longestDescription),
        ].join('\n\n'),
        icon: 'mortar-board',
        below: 'collapsed',
        contextValue: 'skill',
      }),
    children: () =>
      (resources === 'dynamic' ? [{ uri: skill.uri }] : resources).map((file) =>
        createFileNode(server, file, skill, node),
      ),
  };
  return node;
}

function createFileNode(
  server: Server,
  file: Pick<SkillFile, 'uri'> & Partial<SkillFile>,
  skill: Skill,
  parent: TreeNode,
): TreeNode {
  const id = `${parent.id}/${file.uri}`;
  const title = vscode.l10n.t('Open');
  const target = { serverId: server.id, uri: file.uri };
  return {
    id,
    parent,
    server,
    item: () =>
      treeRow({
        id,
        kind: vscode.l10n.t('File'),
        label: pathInSkill(file.uri, skill) ?? file.uri,
        description: file.size === undefined ? '' : formatBytes(file.size),
        tooltip: [file.uri, file.digest].filter(Boolean).join('\n'),
        icon: 'file',
        contextValue: 'skillFile',
        command: { command: Command.openResource, title, arguments: [target] },
      }),
  };
}

/** Returns the total size of files in bytes. */
function bytesOf(files: readonly SkillFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
