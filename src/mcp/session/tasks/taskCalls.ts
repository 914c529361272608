import type { JsonRecord } from '../../../base/json';
import { RpcError } from '../../protocol/rpcError';
import type { Session, RequestOptions } from '../session';
import { followCoreTask } from './coreTasks';
import { followTask, type TaskServer } from './followTask';
import { readCreatedTask, type CallAnswer, type TaskHandle } from './taskState';

/** At most this many ids of a server's tasks are remembered. */
export const maxKnownTasks = 10_000;

/** The connection to the server of some tasks. */
export interface TaskConnection {
  /** Sends over the current session, or over a new one; rejects in words for the user. */
  send(
    request: (session: Session) => Promise<JsonRecord>,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<JsonRecord>;
  readonly session: () => Session | undefined;
}

/** The tasks that one server turned calls into. */
export class TaskCalls {
  private readonly connection: TaskConnection;
  private readonly known = new Set<string>();

  constructor(connection: TaskConnection) {
    this.connection = connection;
  }

  /** Returns the result of a call that was answered with `answered`: the result in it, or that of the task in it. */
  async finish(answered: CallAnswer, options: RequestOptions = {}): Promise<JsonRecord> {
    if ('coreTask' in answered) return this.finishCore(answered.coreTask, options);
    const { answer } = answered;
    if (answer['resultType'] !== 'task') return answer;
    const handle = readCreatedTask(answer);
    if (this.known.has(handle.id))
      throw new RpcError(0, (t) => t('The server answered the call with the task of another one.'));
    options.onTask?.(handle);
    return this.follow(handle, options);
  }

  /** Waits for the result of a task that was created earlier. */
  follow(handle: TaskHandle, options: RequestOptions = {}): Promise<JsonRecord> {
    this.know(handle.id);
    const server = this.server(options.signal);
    return handle.isCore
      ? followCoreTask(handle, server, options)
      : followTask(handle, server, options);
  }

  private finishCore(created: JsonRecord, options: RequestOptions): Promise<JsonRecord> {
    const handle = { ...readCreatedTask(created), isCore: true };
    options.onTask?.(handle);
    return followCoreTask(handle, this.server(options.signal), options, created);
  }

  private server(signal: AbortSignal | undefined): TaskServer {
    const { connection } = this;
    return {
      send: (method, params, how) =>
        connection.send((session) => session.request(method, params, { ...how, signal }), {
          signal,
        }),
      answer: async (questions, until) => {
        const session = connection.session();
        if (!session) throw new Error('The connection closed before the question was answered.');
        return session.answerAll(questions, until);
      },
      // The caller cancelled, and does not need an answer to this.
      cancel: (taskId) =>
        void connection
          .session()
          ?.request('tasks/cancel', { taskId })
          .catch(() => {}),
    };
  }

  private know(id: string): void {
    this.known.add(id);
    const [oldest] = this.known;
    if (this.known.size > maxKnownTasks && oldest !== undefined) this.known.delete(oldest);
  }
}
