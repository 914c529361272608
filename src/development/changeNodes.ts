import * as vscode from 'vscode';
import { ownValue } from '../base/json';
import type { Server } from '../mcp/server';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import type { TreeNode } from '../ui/tree';
import { type SurfaceChange, countText } from './surface/compareSurfaces';
import type { Baseline } from './surface/surfaceHistory';
import { pairText } from '../base/translate';

/** At most this many changes have rows of their own. */
export const maxRows = 100;

const icons: Readonly<Record<SurfaceChange['kind'], string>> = {
  changed: 'diff-modified',
  new: 'diff-added',
  gone: 'diff-removed',
};

/** Creates the row that says what changed of a server since its baseline, with a row for each change below. */
export function createChangesNode(
  server: Server,
  parent: TreeNode,
  changes: readonly SurfaceChange[],
  baseline: Baseline | undefined,
): TreeNode {
  const { t } = vscode.l10n;
  const id = `${parent.id}/changes`;
  const breaking = changes.filter(({ breaks }) => breaks.length > 0);
  const said = [
    ...(breaking.length > 0 ? [t('{0} breaking', breaking.length)] : []),
    ...(baseline ? [t('compared with {0}', baseline.label)] : []),
  ];
  const title = t('Show What Changed');
  const command = { command: Command.showServerChanges, title, arguments: [server.id] };
  const node: TreeNode = {
    id,
    parent,
    server,
    item: () =>
      treeRow({
        id,
        label: countText(changes, t),
        description: said.join(' · '),
        tooltip: [
          t('Changes stay here until you dismiss them. Select to see the difference.'),
          ...breaking
            .slice(0, maxRows)
            .map((change) => pairText(titleOf(change), change.breaks[0] ?? '', t)),
        ].join('\n'),
        ...(breaking.length > 0
          ? { icon: 'warning', iconColor: 'list.warningForeground' }
          : { icon: 'diff' }),
        below: changes.length > 0 ? 'collapsed' : undefined,
        contextValue: 'serverChanges',
        command,
      }),
    children: () =>
      // Breaking changes come first.
      [...breaking, ...changes.filter(({ breaks }) => breaks.length === 0)]
        .slice(0, maxRows)
        .map((change, index) => createChangeNode(server, node, change, index)),
  };
  return node;
}

function createChangeNode(
  server: Server,
  parent: TreeNode,
  change: SurfaceChange,
  index: number,
): TreeNode {
  const id = `${parent.id}/${index}`;
  const isBreaking = change.breaks.length > 0;
  return {
    id,
    parent,
    server,
    item: () =>
      treeRow({
        id,
        kind: vscode.l10n.t('Change'),
        label: titleOf(change),
        description: change.breaks[0] ?? kindText(change.kind),
        tooltip: [titleOf(change), kindText(change.kind), ...change.breaks].join('\n'),
        icon: icons[change.kind],
        ...(isBreaking && { iconColor: 'list.warningForeground' }),
        state: isBreaking ? vscode.l10n.t('Breaking') : kindText(change.kind),
      }),
  };
}

/** Creates the row that says that changes do not restart a server for now. */
export function createHeldNode(server: Server, parent: TreeNode, path: string): TreeNode {
  const { t } = vscode.l10n;
  const id = `${parent.id}/held`;
  const title = t('Restart and Show What Changed');
  return {
    id,
    parent,
    server,
    item: () =>
      treeRow({
        id,
        label: t('Restarts paused: files keep changing'),
        description: path,
        tooltip: t(
          '{0} keeps changing, as if the server wrote it. Save a file, or select to restart the server now. Add a glob that begins with "!" to ignore files.',
          path,
        ),
        icon: 'debug-pause',
        iconColor: 'list.warningForeground',
        command: { command: Command.restartAndCompare, title, arguments: [server.id] },
      }),
  };
}

function kindText(kind: SurfaceChange['kind']): string {
  switch (kind) {
    case 'changed':
      return vscode.l10n.t('Changed');
    case 'new':
      return vscode.l10n.t('New');
    case 'gone':
      return vscode.l10n.t('Gone');
  }
}

function titleOf({ part, name }: SurfaceChange): string {
  if (name !== '') return name;
  const { t } = vscode.l10n;
  const titles: Readonly<Record<string, string>> = {
    protocolVersion: t('Protocol version'),
    implementation: t('Name and version'),
    capabilities: t('Capabilities'),
    instructions: t('Instructions'),
  };
  return ownValue(titles, part) ?? part;
}
