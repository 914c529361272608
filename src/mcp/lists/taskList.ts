import { inEnglish, type Translate } from '../../base/translate';
import { isRecord } from '../../base/json';
import { loadList, type LoadedList } from './loadList';
import type { ListSpec } from './listSpecs';
import type { Session, RequestOptions } from '../session/session';
import { maxTaskIdLength, type TaskHandle } from '../session/tasks/taskState';
import { eras } from '../protocol/revisions';
import { truncate } from '../../base/text/text';

/** The most tasks of a server's list that are shown. */
export const maxListedTasks = 1000;

/** The longest message of a task that is kept, in UTF-16 units. */
const longestMessage = 1000;

/** A task in a server's list (2025-11-25), whether or not this client created it. */
export interface ListedTask {
  readonly handle: TaskHandle;
  /** One of the protocol's states, or another that this client does not know. */
  readonly status: string;
  readonly message?: string;
}

/** How the list of tasks is requested; only revision 2025-11-25 has it. */
export const taskList: ListSpec<ListedTask> = {
  method: 'tasks/list',
  field: 'tasks',
  isOffered: ({ tasks }) => tasks?.list !== undefined,
  changed: 'notifications/tasks/status',
  nameOf: ({ handle }) => handle.id,
  maxEntries: maxListedTasks,
  read(value) {
    const { taskId: id, status, statusMessage, createdAt } = isRecord(value) ? value : {};
    if (typeof id !== 'string' || id === '' || id.length > maxTaskIdLength)
      return { problem: (t) => t('A task without a usable id was left out.') };
    if (typeof status !== 'string')
      return { problem: (t) => t('The task {0} was left out: it has no state.', id.slice(0, 60)) };
    const created = Date.parse(String(createdAt));
    const startedAt = Number.isFinite(created) ? created : Date.now();
    const entry: ListedTask = {
      handle: { id, startedAt, isCore: true },
      status: status.slice(0, 60),
      ...(typeof statusMessage === 'string' && {
        message: truncate(statusMessage, longestMessage),
      }),
    };
    return { entry, length: id.length };
  },
};

/** Loads the tasks that a server says it has; rejects if the server does not list them. */
export async function listTasks(
  session: Session,
  options: RequestOptions = {},
  t: Translate = inEnglish,
): Promise<LoadedList<ListedTask>> {
  if (!eras[session.era].hasCoreTasks || !taskList.isOffered(session.info.capabilities))
    throw new Error('it does not list them.');
  return loadList(
    taskList,
    (method, params) => session.request(method, params, options),
    undefined,
    t,
  );
}
