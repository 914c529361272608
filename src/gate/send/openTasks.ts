import { CancelledError } from '../../base/errors';
import { isRecord } from '../../base/json';
import { StoredList, type Memento } from '../../base/memento';
import type { ToolCall } from '../../contracts/toolCalls';
import { displayName } from '../../mcp/protocol/types';
import type { TaskHandle } from '../../mcp/session/tasks/taskState';

/** A call that its server turned into a task, with what another window needs to know about it. */
export interface OpenTask {
  /** The id of its record in the audit log. */
  readonly id: string;
  readonly serverId: string;
  /** Identifies the server as it was: a different one must not learn of the task. */
  readonly launchFingerprint: string;
  readonly tool: string;
  readonly task: TaskHandle;
}

/** The most tasks that are kept; the oldest are discarded. */
export const maxOpenTasks = 100;

/** The calls of this workspace that became tasks and have not ended, kept across reloads. */
export class OpenTasks {
  private readonly kept: StoredList<OpenTask>;
  /** Ids of tasks that are being added and have not been dropped in the meantime. */
  private readonly coming = new Set<string>();

  constructor(store: Memento) {
    this.kept = new StoredList(store, 'openTasks', { max: maxOpenTasks, isEntry: isOpenTask });
  }

  get all(): readonly OpenTask[] {
    return this.kept.all;
  }

  /** Keeps a task until it is dropped. */
  async keep({
    id,
    call,
    task,
  }: {
    readonly id: string;
    readonly call: ToolCall;
    readonly task: TaskHandle;
  }): Promise<void> {
    const { server, tool } = call;
    this.coming.add(id);
    const launchFingerprint = await server.launchFingerprint();
    // It may have ended in the meantime.
    if (!this.coming.delete(id)) return;
    const open = { id, serverId: server.id, launchFingerprint, tool: tool.name, task };
    await this.kept.put(open, (one) => one.id === id);
  }

  /** Drops a task that has ended or that nobody waits for any longer. */
  drop(id: string): void {
    this.coming.delete(id);
    void this.kept.remove((one) => one.id === id);
  }
}

/** The reason to abort with when the window closes: what becomes of the call is not known any more. */
export class WindowClosedError extends CancelledError {}

/** A call that was sent and has not ended. */
export interface OpenCall {
  /** The id of its record in the audit log. */
  readonly id: string;
  /** The folder that the editor gave the window: no other that is open has the same. */
  readonly window: string;
  readonly server: string;
  readonly tool: string;
}

/** The most calls that are kept; the oldest are discarded. */
export const maxOpenCalls = 100;

/** The calls of this workspace that were sent and have not ended, kept so that the next window can say they are lost. */
export class OpenCalls {
  private readonly kept: StoredList<OpenCall>;
  private readonly window: string;

  constructor(store: Memento, window: string) {
    this.kept = new StoredList(store, 'openCalls', { max: maxOpenCalls, isEntry: isOpenCall });
    this.window = window;
  }

  keep(id: string, { server, tool }: ToolCall): void {
    const open = { id, window: this.window, server: server.name, tool: displayName(tool) };
    void this.kept.put(open, (one) => one.id === id);
  }

  /** Drops a call that has ended, or that is followed as a task. */
  drop(id: string): void {
    void this.kept.remove((one) => one.id === id);
  }

  /** Returns those that this window left when it was closed the last time, once; call it before any call is sent. */
  takeLost(): readonly OpenCall[] {
    const isLost = (one: OpenCall) => one.window === this.window;
    const lost = this.kept.all.filter(isLost);
    void this.kept.remove(isLost);
    return lost;
  }
}

function isOpenCall(value: unknown): value is OpenCall {
  if (!isRecord(value)) return false;
  const { id, window, server, tool } = value;
  return [id, window, server, tool].every((one) => typeof one === 'string');
}

function isOpenTask(value: unknown): value is OpenTask {
  if (!isRecord(value) || !isRecord(value['task'])) return false;
  const { id, serverId, launchFingerprint, tool, task } = value;
  return (
    [id, serverId, launchFingerprint, tool, task['id']].every((one) => typeof one === 'string') &&
    typeof task['startedAt'] === 'number'
  );
}
