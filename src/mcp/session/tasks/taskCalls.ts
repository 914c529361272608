import type { JsonRecord } from '../../../base/json';
import { RpcError } from '../../protocol/rpcError';
import type { RequestOptions } from '../../server';
import type { Session } from '../session';
import { resumeCoreTask } from './coreTasks';
import { followTask } from './followTask';
import { readCreatedTask, type TaskHandle } from './taskState';

/** The most ids of tasks that a server is known to have given. */
export const maxKnownTasks = 10_000;

/** How requests reach the server of some tasks. */
export interface TaskConnection {
  /** Sends over whatever session there is, or a new one; rejects in words for the user. */
  send(
    request: (session: Session) => Promise<JsonRecord>,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<JsonRecord>;
  readonly session: () => Session | undefined;
}

/** The tasks that one server made of calls. */
export class TaskCalls {
  private readonly connection: TaskConnection;
  private readonly known = new Set<string>();

  constructor(connection: TaskConnection) {
    this.connection = connection;
  }

  /** The result of a call that `answer` came for: itself, or what the task in it ends with. */
  async finish(answer: JsonRecord, options: RequestOptions = {}): Promise<JsonRecord> {
    if (answer['resultType'] !== 'task') return answer;
    const handle = readCreatedTask(answer);
    if (this.known.has(handle.id))
      throw new RpcError(0, (t) => t('The server answered the call with the task of another one.'));
    options.onTask?.(handle);
    return this.follow(handle, options);
  }

  /** The result of a task that was created before. */
  follow(handle: TaskHandle, options: RequestOptions = {}): Promise<JsonRecord> {
    const { connection } = this;
    this.know(handle.id);
    const { signal } = options;
    if (handle.isCore)
      return connection.send((session) => resumeCoreTask(session, handle.id, options), { signal });
    return followTask(
      handle,
      {
        send: (method, params) =>
          connection.send((session) => session.request(method, params, { signal }), { signal }),
        answer: async (questions, until) => {
          const session = connection.session();
          if (!session) throw new Error('The connection closed before the question was answered.');
          return session.answerAll(questions, until);
        },
        // Whether the server still answers that changes nothing for who withdrew the call.
        cancel: (taskId) =>
          void connection
            .session()
            ?.request('tasks/cancel', { taskId })
            .catch(() => {}),
      },
      options,
    );
  }

  private know(id: string): void {
    this.known.add(id);
    const [oldest] = this.known;
    if (this.known.size > maxKnownTasks && oldest !== undefined) this.known.delete(oldest);
  }
}
