import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import { asideText } from '../base/translate';
import { displayName } from '../mcp/protocol/types';
import type { TopNode } from '../tree/serverTree';
import { Command } from '../ui/ids';
import { treeRow, type TreeRow } from '../ui/rows/treeRow';
import { isNodeOf, type TreeNode } from '../ui/tree';
import type { AgentCall, AgentSession } from './agentSession';
import type { AgentAccess } from './agentAccess';
import type { AgentSessions } from './agentSessions';
import type { AgentEntries, AgentEntry } from './entries';

/** The row of an agent, for commands run on it. */
export interface AgentNode extends TreeNode {
  readonly agent: AgentEntry;
}

/** True for the row of an agent. */
export function isAgentNode(value: unknown): value is AgentNode {
  return isNodeOf(value, 'agent');
}

/** The rows of the agents outside of the editor: those that have an entry, how each is connected, and what runs. */
export class AgentsNode implements TopNode, Disposable {
  private readonly entries: Pick<AgentEntries, 'all' | 'onDidChange'>;
  private readonly sessions: Pick<AgentSessions, 'all' | 'onDidChange'>;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private known: readonly AgentEntry[] = [];
  private loading: Promise<readonly AgentEntry[]> | undefined;

  constructor(entries: AgentsNode['entries'], sessions: AgentsNode['sessions']) {
    this.entries = entries;
    this.sessions = sessions;
    this.store.add(entries.onDidChange(() => void this.load()));
    this.store.add(sessions.onDidChange(() => this.changed.fire()));
  }

  /** Nothing is shown to users who have never connected an agent. */
  get isShown(): boolean {
    return this.known.length > 0;
  }

  /** Reads which agents have an entry. */
  async load(): Promise<void> {
    const loading = (this.loading = this.entries.all());
    const known = await loading;
    // One that was begun later has, or will have, what is newer.
    if (this.loading !== loading) return;
    this.known = known;
    this.changed.fire();
  }

  readonly node: TreeNode = {
    id: 'agents',
    parent: undefined,
    item: () => {
      const { t } = vscode.l10n;
      const connected = this.known.filter(({ id }) => this.sessionsOf(id).length > 0).length;
      return treeRow({
        id: 'agents',
        label: t('Agents'),
        description: t('{0} of {1} connected', connected, this.known.length),
        tooltip: t('Agents outside of the editor that can use the servers of this window'),
        icon: 'hubot',
        below: 'collapsed',
        contextValue: 'agents',
      });
    },
    children: () => this.known.map((entry) => this.agentRow(entry)),
  };

  dispose(): void {
    this.store.dispose();
  }

  private sessionsOf(id: string): readonly AgentSession[] {
    return this.sessions.all.filter(({ entry }) => entry.id === id);
  }

  private agentRow(entry: AgentEntry): AgentNode {
    const { t } = vscode.l10n;
    const id = `agent:${entry.id}`;
    const node: AgentNode = {
      id,
      parent: this.node,
      agent: entry,
      item: () => {
        const sessions = this.sessionsOf(entry.id);
        const { state, ...look } = stateOf(sessions);
        return treeRow({
          id,
          kind: t('Agent'),
          label: entry.label,
          description: [state, ...(sessions.length > 0 ? [callsText(sessions)] : [])].join(' · '),
          state,
          tooltip: [
            entry.label,
            entry.file === undefined
              ? t('Its entry is one that you copied')
              : t('Its entry is in {0}', entry.file),
            t('The entry was written {0}', timeText(entry.createdAt)),
          ].join('\n\n'),
          ...look,
          below: sessions.length > 0 ? 'collapsed' : undefined,
          contextValue: 'agent',
        });
      },
      children: () =>
        this.sessionsOf(entry.id).map((session) =>
          createConnectionNode(session, `${id}/${session.id}`, node),
        ),
    };
    return node;
  }
}

type Look = Pick<TreeRow, 'icon' | 'iconColor' | 'command'> & { readonly state: string };

/** Says how an agent is connected to this window, the most open of its connections first. */
function stateOf(sessions: readonly AgentSession[]): Look {
  const { t } = vscode.l10n;
  const has = (state: AgentAccess['state']) =>
    sessions.some(({ access }) => access.state === state);
  const isAsked = sessions.some(({ calls }) => calls.some((call) => call.isAsked));
  if (has('asked') || isAsked)
    return { state: t('Waiting for your answer'), icon: 'question', command: showQuestions() };
  if (has('allowed'))
    return { state: t('Connected'), icon: 'pass-filled', iconColor: 'testing.iconPassed' };
  if (has('none')) return { state: t('Connected, not allowed'), icon: 'circle-slash' };
  return { state: t('Not connected to this window'), icon: 'circle-large-outline' };
}

/** One connection: the folder that the agent runs in, and below it the calls that are under way. */
function createConnectionNode(session: AgentSession, id: string, parent: TreeNode): TreeNode {
  const { t } = vscode.l10n;
  const { hello, client, since } = session;
  const node: AgentNode = {
    id,
    parent,
    agent: session.entry,
    item: () =>
      treeRow({
        id,
        kind: t('Connection'),
        label: hello.isHttp
          ? 'HTTP'
          : (hello.folder.split(/[\\/]/).findLast(Boolean) ?? hello.folder),
        description: [t('since {0}', timeText(since)), callsText([session])].join(' · '),
        tooltip: [
          ...(hello.isHttp
            ? [t('Comes over HTTP from this machine')]
            : [
                t('Runs in {0}', hello.folder),
                t('Started by {0}', asideText(hello.program, String(hello.pid), t)),
              ]),
          ...(client ? [t('Calls itself {0}', `${client.name} ${client.version}`)] : []),
        ].join('\n\n'),
        icon: hello.isHttp ? 'globe' : 'terminal',
        below: session.calls.length > 0 ? 'expanded' : undefined,
        contextValue: 'agentConnection',
      }),
    children: () => session.calls.map((call, at) => createCallNode(call, `${id}/${at}`, node)),
  };
  return node;
}

function createCallNode({ server, tool, since, isAsked }: AgentCall, id: string, parent: TreeNode) {
  const { t } = vscode.l10n;
  const state = isAsked ? t('Waiting for your answer') : t('Running');
  const node: TreeNode = {
    id,
    parent,
    item: () =>
      treeRow({
        id,
        kind: t('Tool'),
        label: `${server.name} › ${displayName(tool)}`,
        description: [state, t('since {0}', timeText(since))].join(' · '),
        icon: isAsked ? 'question' : 'loading~spin',
        command: isAsked
          ? showQuestions()
          : { command: Command.showRunningTools, title: t('Show Running Tools') },
      }),
  };
  return node;
}

function showQuestions(): vscode.Command {
  return { command: Command.showQuestions, title: vscode.l10n.t('Show') };
}

function callsText(sessions: readonly AgentSession[]): string {
  const { t } = vscode.l10n;
  const count = sessions.reduce((sum, { callCount }) => sum + callCount, 0);
  return count === 1 ? t('1 call') : t('{0} calls', count.toLocaleString(vscode.env.language));
}

/** Says when something was: the time if it was today, else the date, too. */
function timeText(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString(vscode.env.language)
    : date.toLocaleString(vscode.env.language);
}
