import * as vscode from 'vscode';
import type { UserAction } from '../../ui/questions/question';
import { Latest, Throttle, Timer, neverAborted } from '../../base/async';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { jsonText } from '../../base/text/jsonText';
import { documentText } from '../../base/text/text';
import { asideText, pairText } from '../../base/translate';
import type { OutcomeView, ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import { follow } from '../../gate/toolGate';
import type { RunningCalls } from '../../gate/send/runningCalls';
import { elapsedText, type RunningCall } from '../../gate/send/showRunning';
import { taskList, type ListedTask } from '../../mcp/lists/taskList';
import { displayName } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import { offersNow, sessionInfo, type ServerInfo } from '../../mcp/serverState';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import { isFinal, type TaskFacts, type TaskHandle } from '../../mcp/session/tasks/taskState';
import { estimateSize } from '../../mcp/traffic/trafficEntry';
import type { ServerNotes } from '../../tree/serverNode';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { Command } from '../../ui/ids';
import type { Questions } from '../../ui/questions/questions';
import { treeRow } from '../../ui/rows/treeRow';
import { isNodeOf, type TreeNode } from '../../ui/tree';

/** At most this many calls that became tasks and have ended keep their rows. */
export const maxEndedTasks = 50;

/** The most bytes, roughly, of the results of these together; the latest is always kept. */
export const maxEndedTaskBytes = 10_000_000;

/** How often rows in view say anew how long ago something was. */
const timesEveryMs = 10_000;

/** Changes of tasks are drawn at most this often. */
const changesEveryMs = 500;

interface TaskDeps {
  readonly running: RunningCalls;
  readonly schemas: SchemaCheck;
  readonly outcomes: OutcomeView;
  readonly input: DocumentInput;
  readonly questions: Pick<Questions, 'stillBy'>;
}

/** A call of this window that became a task, and how it ended. */
interface OwnTask {
  readonly entry: RunningCall;
  /** Tells it from others of its id. */
  readonly count: number;
  readonly task: TaskHandle;
  outcome?: ToolOutcome;
  endedAt?: number;
}

/** What a server answered when it was asked for its tasks. */
type Listed = Pick<Awaited<ReturnType<Server['listTasks']>>, 'items' | 'problems'>;

/** The row of a task, for commands run on it. */
interface TaskNode extends TreeNode {
  readonly server: Server;
  readonly task: TaskHandle;
  readonly status: string;
  readonly own: OwnTask | undefined;
}

function isTaskNode(value: unknown): value is TaskNode {
  return isNodeOf(value, 'task', 'own');
}

/** The row of a server's tasks, for commands run on it. */
type SectionNode = TreeNode & { readonly server: Server };

function isSection(value: unknown): value is SectionNode {
  return isNodeOf(value, 'server');
}

/** The tasks of servers as rows: those that calls of this window became, and those that their servers list. */
export class ServerTasks implements Disposable {
  private readonly deps: TaskDeps;
  private readonly store = new DisposableStore();
  private readonly own = new Map<RunningCall, OwnTask>();
  private count = 0;
  private readonly ended = new Latest<OwnTask>(
    { maxItems: maxEndedTasks, maxBytes: maxEndedTaskBytes },
    ({ entry }) => this.remove(entry),
  );
  /** What each session was answered, or will be. */
  private readonly listed = new WeakMap<ServerInfo, Promise<Listed>>();
  private readonly nodes = new Map<string, TreeNode>();
  private readonly changed = this.store.add(new vscode.EventEmitter<Server | TreeNode>());
  /** The sections to draw again. */
  private readonly outdated = new Set<TreeNode>();
  private readonly timer = this.store.add(new Timer(() => this.drawAgain()));
  private readonly soon = this.store.add(new Throttle(() => this.drawAgain(), changesEveryMs));

  constructor(deps: TaskDeps) {
    this.deps = deps;
    this.store.add(deps.running.onDidChange((entry) => this.note(entry)));
  }

  /** The section of a server's tasks, below its lists. */
  get notes(): ServerNotes {
    return {
      nodes: () => [],
      last: (server, parent) => (this.isShown(server) ? [this.section(server, parent)] : []),
      marks: () => [],
      onDidChange: this.changed.event,
    };
  }

  /** Asks the server of a section for its tasks again. */
  refresh(node: unknown): void {
    if (!isSection(node)) return;
    const info = sessionInfo(node.server.state);
    if (info) this.listed.delete(info);
    this.changed.fire(node);
  }

  /** Leaves out the tasks of a section that are over; those that its server lists come back once it is refreshed. */
  clear(node: unknown): void {
    if (!isSection(node)) return;
    const over = this.removeEnded(node.server.id);
    const ids = new Set(over.map(({ task }) => task.id));
    const info = sessionInfo(node.server.state);
    const listed = info && this.listed.get(info);
    const stays = ({ status, handle }: ListedTask) => !isFinal(status) && !ids.has(handle.id);
    if (listed) {
      const left = listed.then(({ items, ...rest }) => ({ ...rest, items: items.filter(stays) }));
      this.listed.set(info, left);
    }
    // The section itself may go with its last task.
    this.changed.fire(node.server);
  }

  /** Removes what is kept of a server: how its tasks ended, and their section. */
  forget(serverId: string): void {
    this.removeEnded(serverId);
    this.nodes.delete(serverId);
  }

  /** Shows a task as its server describes it now. */
  async showTask(action: UserAction, node: unknown): Promise<void> {
    if (!isTaskNode(node)) return;
    const { server, task } = node;
    const said = await server.sendRequest('tasks/get', { taskId: task.id });
    await this.deps.input.ask({
      name: `${task.id}.json`,
      text: documentText(jsonText(said, 2)),
      readOnly: true,
      choices: [],
      permit: this.deps.questions.stillBy(action, server.id),
    });
  }

  /** Shows what a task ended with, or waits for it in the background. */
  async showResult(action: UserAction, node: unknown): Promise<void> {
    if (!isTaskNode(node)) return;
    const { server, task, own } = node;
    const { running, schemas, outcomes, questions } = this.deps;
    if (own?.outcome) return outcomes.show(own.entry.call, own.outcome, action);
    if (own) return running.show(action);
    const name = vscode.l10n.t('task {0}', task.id);
    const tool = { name, inputSchema: {} };
    const call: ToolCall = { server, tool, arguments: {}, origin: { kind: 'user', action } };
    if (isFinal(node.status)) {
      const outcome = await follow(call, task, schemas, { signal: neverAborted() });
      return outcomes.show(call, outcome, questions.stillBy(action, server.id));
    }
    running.resume(call, task, (options) => follow(call, task, schemas, options));
  }

  /** Has a task cancelled, no matter for whom it was created. */
  async cancel(node: unknown): Promise<void> {
    if (!isTaskNode(node)) return;
    if (node.own) return node.own.entry.cancel();
    await node.server.cancelTask(node.task);
    this.refresh(node.parent);
  }

  dispose(): void {
    this.store.dispose();
  }

  private note(entry: RunningCall): void {
    const { task, call } = entry;
    if (!task) return;
    if (this.own.has(entry)) return this.redraw(call.server);
    const own: OwnTask = { entry, task, count: (this.count += 1) };
    this.own.set(entry, own);
    const end = (outcome?: ToolOutcome) => {
      if (!outcome || entry.isForgotten) return this.remove(entry);
      own.outcome = outcome;
      own.endedAt = Date.now();
      this.ended.add(own, estimateSize(outcome, maxEndedTaskBytes));
      this.redraw(call.server);
    };
    void entry.ended.then(end, () => end());
    this.changed.fire(call.server);
  }

  private remove(entry: RunningCall): void {
    this.own.delete(entry);
    this.changed.fire(entry.call.server);
  }

  private removeEnded(serverId: string): readonly OwnTask[] {
    const over = this.ownOf({ id: serverId }).filter(({ outcome }) => outcome);
    for (const one of over) this.ended.delete(one);
    for (const { entry } of over) this.own.delete(entry);
    return over;
  }

  private redraw({ id }: Server): void {
    const section = this.nodes.get(id);
    if (section) this.outdated.add(section);
    this.soon.run();
  }

  private drawAgain(): void {
    const sections = [...this.outdated];
    this.outdated.clear();
    for (const section of sections) this.changed.fire(section);
  }

  private isShown(server: Server): boolean {
    return offersNow(server.state, taskList) || this.ownOf(server).length > 0;
  }

  private ownOf({ id }: Pick<Server, 'id'>): readonly OwnTask[] {
    return [...this.own.values()].filter(({ entry }) => entry.call.server.id === id);
  }

  private section(server: Server, parent: TreeNode): TreeNode {
    const before = this.nodes.get(server.id);
    if (before?.parent === parent) return before;
    const id = `${parent.id}/tasks`;
    const title = vscode.l10n.t('Tasks');
    const node: TreeNode = {
      id,
      parent,
      server,
      item: () => {
        const open = this.ownOf(server).filter(({ outcome }) => !outcome).length;
        return treeRow({
          id,
          label: title,
          ...(open > 0 && { description: vscode.l10n.t('{0} running', open) }),
          icon: 'checklist',
          below: 'collapsed',
          contextValue: offersNow(server.state, taskList) ? 'section.tasks' : 'tasks',
        });
      },
      children: () => this.rows(server, node),
    };
    this.nodes.set(server.id, node);
    return node;
  }

  private async rows(server: Server, parent: TreeNode): Promise<readonly TreeNode[]> {
    const { t } = vscode.l10n;
    const { items, problems } = await this.list(server);
    const own = this.ownOf(server);
    const others = new Map(items.map(({ handle, ...facts }) => [handle.id, { handle, facts }]));
    for (const { task } of own) others.delete(task.id);
    const rows = [
      ...own.map((one) => taskNode(server, parent, one.task, factsOf(one), one)),
      ...Array.from(others.values(), (one) => taskNode(server, parent, one.handle, one.facts)),
    ].toSorted((one, other) => other.task.startedAt - one.task.startedAt);
    const said = rows.length + problems.length === 0 ? [t('The server has no tasks')] : problems;
    // The editor asks only for rows that are in view: their times get old.
    if (rows.length > 0) this.outdated.add(parent);
    if (!this.timer.pending) this.timer.start(timesEveryMs);
    return [...rows, ...said.map((text, index) => messageNode(parent, text, index))];
  }

  /** Asks a server that lists its tasks for them, once per session unless the user refreshes them. */
  private async list(server: Server): Promise<Listed> {
    const { state } = server;
    if (state.kind !== 'running' || !offersNow(state, taskList)) return { items: [], problems: [] };
    const before = this.listed.get(state.info);
    if (before) return before;
    const now = server.listTasks().catch((error: unknown) => ({
      items: [],
      problems: [errorMessage(error, vscode.l10n.t)],
    }));
    this.listed.set(state.info, now);
    return now;
  }
}

function factsOf({ entry, task, outcome, endedAt }: OwnTask): TaskFacts {
  const { taskState } = entry;
  const said = { createdAt: task.startedAt, ...taskState, status: taskState?.status ?? 'working' };
  if (!outcome || isFinal(said.status)) return said;
  const { message: _, ...rest } = said;
  return { ...rest, status: endOf(outcome), ...(endedAt !== undefined && { updatedAt: endedAt }) };
}

/** Returns the state that a task ended in, where its server has not said so: it answers with the result then. */
function endOf(outcome: ToolOutcome): string {
  if (outcome.kind === 'result') return outcome.result.isError ? 'failed' : 'completed';
  return outcome.kind === 'cancelled' ? 'cancelled' : 'failed';
}

function taskNode(
  server: Server,
  parent: TreeNode,
  task: TaskHandle,
  facts: TaskFacts,
  own?: OwnTask,
): TaskNode {
  const id = `${parent.id}/${own?.count ?? 'task'}/${task.id}`;
  const { status, message = '' } = facts;
  const { t } = vscode.l10n;
  const title = t('Show Result');
  const node: TaskNode = {
    id,
    parent,
    server,
    task,
    status,
    own,
    item: () => {
      const { text, icon, iconColor } = lookOf(status);
      const label = own ? displayName(own.entry.call.tool) : task.id;
      const since = isFinal(status) ? facts.updatedAt : (facts.createdAt ?? task.startedAt);
      const ago = since === undefined ? '' : agoText(since, isFinal(status));
      return treeRow({
        id,
        kind: t('Task'),
        label,
        description: [text, message, ago].filter(Boolean).join(' · '),
        tooltip: tooltipOf(task, facts, own),
        state: text,
        icon,
        iconColor,
        contextValue: `task.${isFinal(status) ? 'over' : own ? 'running' : 'listed'}`,
        command: { command: Command.showTaskResult, title, arguments: [node] },
      });
    },
  };
  return node;
}

function agoText(since: number, isOver: boolean): string {
  const elapsed = elapsedText(Date.now() - since);
  return isOver ? vscode.l10n.t('{0} ago', elapsed) : elapsed;
}

function tooltipOf(task: TaskHandle, facts: TaskFacts, own: OwnTask | undefined): string {
  const { t } = vscode.l10n;
  const { message, createdAt, updatedAt, ttlMs, pollMs } = facts;
  const when = (at: number) =>
    asideText(new Date(at).toLocaleTimeString(vscode.env.language), agoText(at, true), t);
  const lines: readonly (readonly [title: string, text: string | undefined])[] = [
    [t('Task'), task.id],
    [t('Tool'), own && displayName(own.entry.call.tool)],
    [t('Status'), facts.status],
    [t('Message'), message],
    [t('Created'), createdAt === undefined ? undefined : when(createdAt)],
    [t('Updated'), updatedAt === undefined ? undefined : when(updatedAt)],
    ['ttl', ttlMs === null ? t('unlimited') : msText(ttlMs)],
    [t('Poll interval'), msText(pollMs)],
  ];
  const line = (text: string) => text.replaceAll(/\s+/g, ' ');
  return lines.flatMap(([title, text]) => (text ? pairText(title, line(text), t) : [])).join('\n');
}

function msText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : vscode.l10n.t('{0} ms', ms);
}

function lookOf(status: string): {
  readonly text: string;
  readonly icon: string;
  readonly iconColor?: string;
} {
  const { t } = vscode.l10n;
  switch (status) {
    case 'working':
      return { text: t('Working'), icon: 'loading~spin' };
    case 'input_required':
      return { text: t('Input required'), icon: 'question', iconColor: 'list.warningForeground' };
    case 'completed':
      return { text: t('Completed'), icon: 'pass', iconColor: 'testing.iconPassed' };
    case 'failed':
      return { text: t('Failed'), icon: 'error', iconColor: 'list.errorForeground' };
    case 'cancelled':
      return { text: t('Cancelled'), icon: 'circle-slash' };
    default:
      return { text: status, icon: 'circle-outline' };
  }
}

function messageNode(parent: TreeNode, text: string, index: number): TreeNode {
  const id = `${parent.id}/message:${index}`;
  return { id, parent, item: () => treeRow({ id, label: text, tooltip: text, icon: 'info' }) };
}
