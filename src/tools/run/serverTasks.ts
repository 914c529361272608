import * as vscode from 'vscode';
import type { UserAction } from '../../ui/questions/question';
import { neverAborted } from '../../base/async';
import { DisposableStore } from '../../base/disposable';
import { plainLabel, wordsLabel } from '../../base/text/text';
import type { OutcomeView, ToolCall } from '../../contracts/toolCalls';
import { follow } from '../../gate/toolGate';
import type { RunningCalls } from '../../gate/send/runningCalls';
import { elapsedText, type FurtherRow } from '../../gate/send/showRunning';
import type { Server, Servers } from '../../mcp/server';
import { offersNow } from '../../mcp/serverState';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import { taskList, type ListedTask } from '../../mcp/lists/taskList';
import { showMessage } from '../../ui/messages';
import type { Questions } from '../../ui/questions/questions';
import { createPick, safeRows, untilTaken, type PickLook } from '../../ui/rows/picks';
import { pickItem } from '../../ui/steps/pickItem';

interface TaskDeps {
  readonly running: RunningCalls;
  readonly schemas: SchemaCheck;
  readonly outcomes: OutcomeView;
  readonly questions: Pick<Questions, 'stillBy'>;
}

/** Returns a row for each running server that can list its tasks. */
export function taskRows(servers: Servers, deps: TaskDeps): readonly FurtherRow[] {
  return servers.all
    .filter(({ state }) => offersNow(state, taskList))
    .map((server) => ({
      label: vscode.l10n.t('Tasks of {0}…', plainLabel(server.name, 60)),
      act: (action: UserAction) => showTasks(action, server, deps),
    }));
}

/**
 * Lists all tasks of a server, including those that this window does not know, and asks what to do with the
 * selected one.
 */
async function showTasks(action: UserAction, server: Server, deps: TaskDeps): Promise<void> {
  const { t } = vscode.l10n;
  const { items, problems } = await server.listTasks();
  const told = t('The tasks of "{0}" are listed now.', plainLabel(server.name, 60));
  const permit =
    deps.questions.stillBy(action, server.id) ??
    (await showMessage('info', told, t('Show')))?.action;
  if (!permit) return;
  const rows = items.map((task) => ({
    label: plainLabel(task.handle.id, 60),
    description: [plainLabel(task.status), elapsedText(Date.now() - task.handle.startedAt)].join(
      ' · ',
    ),
    detail: wordsLabel(task.message ?? '', 200),
    task,
  }));
  const store = new DisposableStore();
  const pick = store.add(createPick<PickLook & { readonly task?: ListedTask }>(permit));
  pick.title = t('Tasks of {0}', plainLabel(server.name, 60));
  if (rows.length > 0)
    pick.placeholder = t('Choose a task to wait for it, to see its result or to cancel it');
  pick.matchOnDescription = true;
  pick.items = safeRows<PickLook & { readonly task?: ListedTask }>([
    ...rows,
    ...(rows.length === 0 ? [{ label: t('The server has no tasks') }] : []),
    ...problems.map((problem) => ({ label: plainLabel(problem, 200) })),
  ]);
  const taken = await untilTaken(pick, store);
  if (taken?.task) await askWhatBecomes(permit, server, taken.task, deps);
}

async function askWhatBecomes(
  action: UserAction,
  server: Server,
  task: ListedTask,
  deps: TaskDeps,
): Promise<void> {
  const { t } = vscode.l10n;
  const isOver = ['completed', 'failed', 'cancelled'].includes(task.status);
  const name = t('task {0}', plainLabel(task.handle.id, 60));
  const call: ToolCall = {
    server,
    tool: { name, inputSchema: {} },
    arguments: {},
    origin: { kind: 'user', action },
  };
  const end = (signal: AbortSignal) => follow(call, task.handle, deps.schemas, { signal });
  const show = async () => {
    const outcome = await end(neverAborted());
    await deps.outcomes.show(call, outcome, deps.questions.stillBy(action, server.id));
  };
  const wait = () => deps.running.resume(call, task.handle, ({ signal }) => end(signal));
  const items: readonly FurtherRow[] = isOver
    ? [{ label: t('Show Result'), act: show }]
    : [
        { label: t('Wait for Its Result'), act: wait },
        { label: t('Cancel Task'), act: () => server.cancelTask(task.handle) },
      ];
  const frame = { title: `${plainLabel(server.name, 60)} › ${name}`, actions: [] };
  const picked = await pickItem({ frame, items, own: { action } });
  if (typeof picked !== 'string') await picked.act(action);
}
