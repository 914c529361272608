import { Latest, Timer, nextTurn, untilAborted } from '../../base/async';
import { CancelledError } from '../../base/errors';
import { type JsonRecord, asRecord, isRecord } from '../../base/json';
import { truncate } from '../../base/text/text';
import { estimateSize } from '../traffic/trafficEntry';
import type {
  AskingServer,
  ClientAbility,
  ServerRequestHandlers,
  CreateMessageRequest,
  ElicitRequest,
} from '../protocol/serverRequests';
import { inRequest, readMembers, readSchema, type JsonShape, type Note } from '../protocol/readAs';
import { ErrorCode, RpcError } from '../protocol/rpcError';
import { eras, type Era } from '../protocol/revisions';
import { longestTimerMs } from './peer/pendingRequest';
import { relatedTaskKey, type TaskStatus } from './tasks/taskState';

type Params = Readonly<Record<string, unknown>>;

/** Answers one question of a server, no matter how it arrived; rejects with an `RpcError`. */
export type RequestRouter = (
  method: string,
  params: Params,
  signal: AbortSignal,
) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Returns the capabilities to declare to a server of this era, given what `requests` can answer and what the client shall
 * be `without`; modern servers are never told that the roots changed (2026-07-28, roots).
 */
export function clientCapabilities(
  requests: ServerRequestHandlers,
  era: Era,
  without: readonly ClientAbility[] = [],
): Record<string, object> {
  const mimeTypes = requests.appTypes?.() ?? [];
  const has = (ability: ClientAbility) => !without.includes(ability);
  const { [tasksExtension]: tasks, ...others } = modernExtensions;
  const extensions = has('extensions') && {
    ...(eras[era].declaresExtensions && {
      ...(has('tasks') && { [tasksExtension]: tasks }),
      ...others,
    }),
    ...(mimeTypes.length > 0 && { 'io.modelcontextprotocol/ui': { mimeTypes } }),
  };
  const asTasks = {
    ...(requests.createMessage && { sampling: { createMessage: {} } }),
    ...(requests.elicit && { elicitation: { create: {} } }),
  };
  return {
    ...(requests.listRoots && { roots: eras[era].announcesRoots ? { listChanged: true } : {} }),
    ...(requests.createMessage && { sampling: { tools: {} } }),
    ...(requests.elicit && { elicitation: { form: {}, url: {} } }),
    ...(eras[era].hasCoreTasks &&
      has('tasks') &&
      Object.keys(asTasks).length > 0 && { tasks: { list: {}, cancel: {}, requests: asTasks } }),
    ...(extensions && Object.keys(extensions).length > 0 && { extensions }),
  };
}

/** The extension by which a server may answer a call with a task (2026-07-28, tasks extension). */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** The extensions that are declared to every modern server (2026-07-28, extensions). */
export const modernExtensions = {
  [tasksExtension]: {},
  'io.modelcontextprotocol/enterprise-managed-authorization': {},
};

/** At most this many requests of a server are answered at a time; further ones are refused. */
export const maxOpenRequests = 200;

/** The optional fields of a request for a model. */
const samplingFields: Readonly<Record<string, JsonShape>> = {
  modelPreferences: 'object',
  systemPrompt: 'text',
  temperature: 'number',
  stopSequences: 'list',
  metadata: 'object',
  tools: 'list',
  toolChoice: 'object',
  _meta: 'object',
};

/** Routes a server's questions to `requests`; `note` is told what is read although the protocol forbids it. */
export function createRequestRouter(
  server: AskingServer,
  requests: ServerRequestHandlers,
  note: Note = () => {},
): RequestRouter {
  return bounded(async (method, params, signal) => {
    switch (method) {
      case 'roots/list':
        if (requests.listRoots) return { roots: await requests.listRoots(server, signal) };
        break;
      case 'sampling/createMessage':
        if (requests.createMessage)
          return {
            ...(await requests.createMessage(
              server,
              readSampling(params, inRequest(method, note)),
              signal,
            )),
          };
        break;
      case 'elicitation/create':
        if (requests.elicit)
          return {
            ...(await requests.elicit(
              server,
              readElicitation(params, inRequest(method, note)),
              signal,
            )),
          };
        break;
    }
    throw new RpcError(ErrorCode.methodNotFound, `This client does not answer ${method}.`);
  });
}

/** Returns a function that answers as `route` does, but refuses what is beyond {@link maxOpenRequests}. */
function bounded(route: RequestRouter): RequestRouter {
  let open = 0;
  return async (...asked) => {
    if (open >= maxOpenRequests)
      throw new RpcError(ErrorCode.internal, 'Too many requests at once. Wait for answers.');
    open += 1;
    try {
      return await route(...asked);
    } finally {
      open -= 1;
    }
  };
}

/** A question that is answered as a task, and what became of it. */
interface AskedTask {
  readonly taskId: string;
  readonly createdAt: string;
  /** How long it is kept, in milliseconds from its creation; `null` if only as long as there is room. */
  readonly ttl: number | null;
  readonly withdraw: AbortController;
  readonly outcome: Promise<JsonRecord>;
  status: TaskStatus;
  statusMessage?: string;
  lastUpdatedAt: string;
}

/** At most this many finished tasks of a server are kept; the oldest go. Those under way are open requests. */
export const maxAskedTasks = 100;

/** The most bytes, roughly, of the results of these tasks together; the latest is always kept. */
export const maxAskedTaskBytes = 10_000_000;

/** The longest reason for which one failed that is kept and told, in UTF-16 units. */
export const maxAskedTaskReason = 1000;

/** How long a server should wait before it asks again, in milliseconds: a user has to decide. */
const pollInterval = 1000;

/** What tasks need of the connection. */
export interface TaskSeams {
  /** Runs the work of a task, whose signal aborts when nobody waits for it any more. */
  readonly run: (work: (over: AbortSignal) => Promise<JsonRecord>) => Promise<JsonRecord>;
  /** Tells the server of the state of a task. */
  readonly tell: (state: JsonRecord) => void;
  readonly note?: Note | undefined;
}

/**
 * Answers as `answer` does, and those questions as tasks for which the server wants that: it gets a task at once, asks
 * for its state, and fetches the answer (2025-11-25, tasks). A task lasts as long as the session.
 */
export function createTaskRouter(
  answer: RequestRouter,
  capabilities: Readonly<Record<string, object>>,
  { run, tell, note = () => {} }: TaskSeams,
): RequestRouter {
  const offered = asRecord(asRecord(capabilities['tasks'])['requests']);
  const tasks = new Map<string, AskedTask>();
  const finished = new Latest<AskedTask>(
    { maxItems: maxAskedTasks, maxBytes: maxAskedTaskBytes },
    ({ taskId }) => tasks.delete(taskId),
  );
  const end = (task: AskedTask, status: TaskStatus, bytes: number, why?: string) => {
    // One that was cancelled stays so, whatever comes of it.
    if (task.status === 'working') {
      change(task, status, why);
      tell(stateOf(task));
    }
    finished.add(task, bytes);
  };
  const begin = (method: string, params: Params, ttl: unknown): AskedTask => {
    const withdraw = new AbortController();
    const limit = typeof ttl === 'number' && ttl > 0 ? Math.min(ttl, longestTimerMs) : null;
    const timer = new Timer(() =>
      withdraw.abort(new DOMException('The task is no longer kept.', 'TimeoutError')),
    );
    if (limit !== null) timer.start(limit);
    const outcome = run(async (over) => {
      // The server knows the task before it hears how it ended.
      await nextTurn();
      return answer(method, params, AbortSignal.any([over, withdraw.signal]));
    });
    const now = new Date().toISOString();
    const task: AskedTask = {
      taskId: crypto.randomUUID(),
      createdAt: now,
      lastUpdatedAt: now,
      ttl: limit,
      status: 'working',
      withdraw,
      outcome,
    };
    tasks.set(task.taskId, task);
    const settled = outcome.then(
      (result) => end(task, 'completed', estimateSize(result, maxAskedTaskBytes)),
      (error: unknown) => {
        // What a server hears of a question without a task, too: the causes of an error are no matter of it.
        const said = error instanceof Error ? error.message : String(error);
        const why = truncate(said, maxAskedTaskReason);
        end(task, 'failed', why.length, why);
      },
    );
    void settled.finally(() => timer.dispose());
    return task;
  };
  const find = (taskId: unknown): AskedTask => {
    const task = typeof taskId === 'string' ? tasks.get(taskId) : undefined;
    if (task && !isOver(task)) return task;
    throw new RpcError(ErrorCode.invalidParams, 'There is no such task.');
  };
  return bounded(async (method, params, signal) => {
    switch (method) {
      case 'tasks/get':
        return stateOf(find(params['taskId']));
      case 'tasks/result':
        return resultOf(find(params['taskId']), signal);
      case 'tasks/cancel':
        return cancelled(find(params['taskId']));
      case 'tasks/list':
        return { tasks: [...tasks.values()].filter((task) => !isOver(task)).map(stateOf) };
    }
    const [kind = '', what = ''] = method.split('/');
    if (!isRecord(asRecord(offered[kind])[what])) return answer(method, params, signal);
    const { task, ...question } = readMembers(params, { task: 'object' }, inRequest(method, note));
    return isRecord(task)
      ? { task: stateOf(begin(method, question, task['ttl'])) }
      : answer(method, question, signal);
  });
}

/** True for a task that is no longer kept. */
function isOver({ createdAt, ttl }: AskedTask): boolean {
  return ttl !== null && Date.now() >= Date.parse(createdAt) + ttl;
}

function change(task: AskedTask, status: TaskStatus, why?: string): void {
  task.status = status;
  task.lastUpdatedAt = new Date().toISOString();
  if (why !== undefined) task.statusMessage = why;
}

function stateOf({ withdraw: _withdraw, outcome: _outcome, ...state }: AskedTask): JsonRecord {
  return { ...state, pollInterval };
}

function cancelled(task: AskedTask): JsonRecord {
  if (task.status !== 'working')
    throw new RpcError(ErrorCode.invalidParams, `The task has ended already: ${task.status}.`);
  change(task, 'cancelled');
  task.withdraw.abort(new CancelledError());
  return stateOf(task);
}

async function resultOf(task: AskedTask, signal: AbortSignal): Promise<JsonRecord> {
  const { outcome, taskId } = task;
  const isCancelled = () => task.status === 'cancelled';
  const result = await untilAborted(outcome, signal).catch((error: unknown) => {
    if (signal.aborted || !isCancelled()) throw error;
  });
  if (!result || isCancelled()) throw new RpcError(ErrorCode.internal, 'The task was cancelled.');
  const _meta = {
    ...asRecord(result['_meta']),
    [relatedTaskKey]: { taskId },
  };
  return { ...result, _meta };
}

function readSampling(params: Params, note: Note): CreateMessageRequest {
  if (!Array.isArray(params['messages']) || typeof params['maxTokens'] !== 'number')
    throw new RpcError(ErrorCode.invalidParams, 'The request needs "messages" and "maxTokens".');
  return readMembers(params, samplingFields, note) as unknown as CreateMessageRequest;
}

function readElicitation(params: Params, note: Note): ElicitRequest {
  const fields = readMembers(
    params,
    { mode: 'text', elicitationId: 'text', _meta: 'object' },
    note,
  );
  const { mode = 'form', message, requestedSchema, url, elicitationId } = fields;
  if (typeof message !== 'string')
    throw new RpcError(ErrorCode.invalidParams, 'The request needs a "message".');
  if (mode === 'url' && typeof url === 'string') {
    return {
      mode,
      message,
      url,
      ...(typeof elicitationId === 'string' && { elicitationId }),
    };
  }
  if (mode === 'form' && isRecord(requestedSchema))
    return { mode, message, requestedSchema: readSchema(requestedSchema, note) };
  const named = truncate(String(mode), 100);
  throw new RpcError(ErrorCode.invalidParams, `The request of mode ${named} is incomplete.`);
}
