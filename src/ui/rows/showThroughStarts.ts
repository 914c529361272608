import { QuickPickItemKind, type QuickPick } from 'vscode';
import { Timer } from '../../base/async';
import { DisposableStore } from '../../base/disposable';
import type { Server } from '../../mcp/server';
import type { WaitingQuestions } from './nextSteps';
import { showUntilHidden, type PickLook, type PickRow } from './picks';
import { doubleClickMs } from './rowClicks';

/**
 * Shows a quick pick from which servers are started, and calls back when it is hidden, unless `store` is disposed of
 * before. If a question of such a start takes its place, the quick pick comes back once that is answered, unless the
 * user has turned to something else in the meantime. The returned function must be told of each start.
 */
export function showThroughStarts<T extends PickLook>(
  pick: Pick<QuickPick<PickRow<T>>, 'items' | 'activeItems' | 'show' | 'onDidHide'>,
  store: DisposableStore,
  questions: WaitingQuestions,
  hidden: () => void,
): (servers: readonly Server[], start: Promise<unknown>) => void {
  const starting = new Set<readonly Server[]>();
  let coveredAt: number | undefined;
  let showing = new DisposableStore();
  const isAsked = () => {
    const servers = [...starting].flat();
    return (
      questions.isAsking ||
      questions.unseen.questions.some(({ server, isFor }) =>
        servers.some(({ id }) => server.id === id || isFor?.(id)),
      )
    );
  };
  const show = () => {
    showing.dispose();
    showing = new DisposableStore();
    const makesRoom = () => starting.size > 0 && questions.isAsking;
    const leave = () => {
      if (!makesRoom()) return hidden();
      coveredAt = Date.now();
    };
    showUntilHidden(pick, showing, leave, makesRoom);
  };
  // The next question may follow at once, and the second click of a double click must not choose a row.
  const comeback = new Timer(() => {
    if (coveredAt === undefined || isAsked()) return;
    if (questions.workedElsewhere(coveredAt)) return hidden();
    coveredAt = undefined;
    // The editor redraws rows only if new ones are set.
    pick.items = Array.from(pick.items);
    show();
    // It makes none of them active, either.
    pick.activeItems = pick.items
      .filter(({ kind }) => kind !== QuickPickItemKind.Separator)
      .slice(0, 1);
  });
  store.add(comeback);
  store.add({ dispose: () => showing.dispose() });
  store.add(
    questions.onDidChange(() => {
      if (coveredAt !== undefined && !isAsked()) comeback.start(doubleClickMs);
    }),
  );
  show();
  return (servers, start) => {
    starting.add(servers);
    void start.finally(() => starting.delete(servers));
  };
}
