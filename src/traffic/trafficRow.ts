import * as vscode from 'vscode';
import type { Server } from '../mcp/server';
import { kindOf } from '../mcp/launch/launchKinds';
import { nextCursorOf, outcomeOfEntry, type TrafficEntry } from '../mcp/traffic/trafficEntry';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import { factsOfEntry, subjectOfEntry, timeOfEntry, titleOfEntry } from './entryTexts';
import type { Mask } from '../base/secretMask';

/** A row of the traffic. */
export interface TrafficRow {
  readonly traffic: TrafficEntry;
  /** Who is at the other end. */
  readonly server: TrafficPeer;
}

/** A server, or an agent outside of the editor, for which this window is the server. */
export type TrafficPeer = Server | AgentPeer;

interface AgentPeer {
  readonly id: string;
  readonly name: string;
  readonly isAgent: true;
}

/** True for an agent. */
export function isAgentPeer(peer: TrafficPeer): peer is AgentPeer {
  return 'isAgent' in peer;
}

/** True for a row of the traffic. */
export function isTrafficRow(value: unknown): value is TrafficRow {
  return typeof value === 'object' && value !== null && 'traffic' in value;
}

/** Returns the server that a row's message was for; `undefined` where it was for an agent or an app. */
export function serverOfRow({ traffic, server }: TrafficRow): Server | undefined {
  return isAgentPeer(server) || traffic.peer ? undefined : server;
}

/** Returns an id that is unique among the rows of all servers. */
export function idOfRow({ traffic, server }: TrafficRow): string {
  return `${server.id}#${traffic.number}`;
}

/** Makes the tree item of a row. */
export function trafficItem(row: TrafficRow, isPinned: boolean, mask: Mask): vscode.TreeItem {
  const { traffic: entry } = row;
  const { t } = vscode.l10n;
  const isSent = entry.direction === 'sent';
  const peer = entry.peer && t('app');
  const title = titleOfEntry(entry, mask);
  const subject = subjectOfEntry(entry, mask);
  const icon = iconOf(entry);
  const facts = [timeOfEntry(entry), ...factsOfEntry(entry, mask, t)].join(' · ');
  return treeRow({
    id: idOfRow(row),
    kind: isSent ? t('Sent') : t('Received'),
    label: `${isSent ? '→' : '←'} ${title}`,
    description: [peer, subject, facts].filter(Boolean).join(' · '),
    tooltip: [title, peer, subject, facts].filter(Boolean).join('\n'),
    // How it ended matters more than its place, which the state says, too.
    icon: isPinned && icon !== 'error' ? 'pinned' : icon,
    // The facts already say how a request ended.
    state: isPinned ? t('pinned') : undefined,
    contextValue: contextOf(row, isPinned),
    command: { command: Command.showTrafficEntry, title: t('Show as JSON') },
  });
}

function iconOf(entry: TrafficEntry): string {
  switch (entry.kind) {
    case 'stderr':
      return 'output';
    case 'notification':
      if (outcomeOfEntry(entry).kind === 'refused') return 'error';
      return 'bell';
    case 'exchange':
      return outcomeOfEntry(entry).kind === 'refused' || entry.http?.[0]?.error ? 'error' : 'globe';
    case 'request':
    case 'response':
  }
  switch (outcomeOfEntry(entry).kind) {
    case 'waiting':
      return 'watch';
    case 'error':
    case 'refused':
    case 'failed':
    case 'toolError':
      return 'error';
    case 'none':
    case 'done':
      return 'pass';
  }
}

/** Returns what menus check: `traffic.sent.request.call.http.paged.pinned`, or the parts that apply. */
function contextOf({ traffic, server }: TrafficRow, isPinned: boolean): string {
  const { direction, kind, method } = traffic;
  const isCall = kind === 'request' && method === 'tools/call';
  // What an agent or an app was sent is no request that could be sent again.
  if (isAgentPeer(server) || traffic.peer) {
    const peer = traffic.peer ?? 'agent';
    return ['traffic', peer, direction, kind, ...(isPinned ? ['pinned'] : [])].join('.');
  }
  const isHttp = !kindOf(server.definition.config).isProcess;
  const isPaged = nextCursorOf(traffic) !== undefined;
  const marks = { call: isCall, http: isHttp, paged: isPaged, pinned: isPinned };
  const set = Object.entries(marks).flatMap(([mark, holds]) => (holds ? [mark] : []));
  return ['traffic', direction, kind, ...set].join('.');
}
