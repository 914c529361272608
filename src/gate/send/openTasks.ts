import { isRecord } from '../../base/json';
import { KeptList, type Memento } from '../../base/memento';
import type { ToolCall } from '../../contracts/toolCalls';
import type { TaskHandle } from '../../mcp/session/tasks/taskState';

/** A call that its server made a task of, as far as another window needs to know it. */
export interface OpenTask {
  /** Of its record in the audit log. */
  readonly id: string;
  readonly serverId: string;
  /** What the server was: another one does not get to know of the task. */
  readonly launchFingerprint: string;
  readonly tool: string;
  readonly task: TaskHandle;
}

/** The most tasks that are kept; the oldest go. */
export const maxOpenTasks = 100;

/** The calls of this workspace that became tasks and have not ended, kept over reloads. */
export class OpenTasks {
  private readonly kept: KeptList<OpenTask>;
  /** Being added, and not dropped meanwhile. */
  private readonly coming = new Set<string>();

  constructor(store: Memento) {
    this.kept = new KeptList(store, 'openTasks', maxOpenTasks, isOpenTask);
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
    // It may have ended meanwhile.
    if (!this.coming.delete(id)) return;
    const open = { id, serverId: server.id, launchFingerprint, tool: tool.name, task };
    await this.kept.put(open, (one) => one.id === id);
  }

  /** The task ended, or nobody waits for it any more. */
  drop(id: string): void {
    this.coming.delete(id);
    void this.kept.remove((one) => one.id === id);
  }
}

function isOpenTask(value: unknown): value is OpenTask {
  if (!isRecord(value) || !isRecord(value['task'])) return false;
  const { id, serverId, launchFingerprint, tool, task } = value;
  return (
    [id, serverId, launchFingerprint, tool, task['id']].every((one) => typeof one === 'string') &&
    typeof task['startedAt'] === 'number'
  );
}
