import { inEnglish, type Translate } from '../../base/translate';
import { isRecord } from '../../base/json';
import { loadList, type LoadedList } from './loadList';
import type { ListSpec } from './listSpecs';
import type { Session, RequestOptions } from '../session/session';
import {
  maxTaskIdLength,
  readTaskFacts,
  type TaskFacts,
  type TaskHandle,
} from '../session/tasks/taskState';
import { eras } from '../protocol/revisions';

/** The most tasks of a server's list that are shown. */
export const maxListedTasks = 1000;

/** A task in a server's list (2025-11-25), whether or not this client created it. */
export interface ListedTask extends TaskFacts {
  readonly handle: TaskHandle;
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
    const said = isRecord(value) ? value : {};
    const { taskId: id, status } = said;
    if (typeof id !== 'string' || id === '' || id.length > maxTaskIdLength)
      return { problem: (t) => t('A task without a usable id was left out.') };
    if (typeof status !== 'string')
      return { problem: (t) => t('The task {0} was left out: it has no state.', id.slice(0, 60)) };
    const facts = readTaskFacts(said);
    const startedAt = facts.createdAt ?? Date.now();
    const entry: ListedTask = { handle: { id, startedAt, isCore: true }, ...facts };
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
