import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { isRecord } from '../../base/json';
import { registerCommands, runCommand, setContextKey } from '../commands';
import { Command, ContextKey, type View } from '../ids';
import { createBox, showView } from '../keyboard';
import type { Logs } from '../logs';
import type { UserAction } from '../questions/question';
import { showUntilHidden } from './picks';
import type { RowClick } from './rowClicks';
import { treeRow } from './treeRow';

/** A row above the entries that a filter lets through; clicking it shows everything again. */
export interface FilterRow {
  readonly kind: 'filter';
  readonly filter: string;
  /** How many of the `total` entries the filter lets through. */
  readonly shown: number;
  readonly total: number;
}

/** The id that distinguishes it from other rows. */
const filterRowId = 'filter';

/** True for a row that stands for the filter. */
export function isFilterRow(value: unknown): value is FilterRow {
  return isRecord(value) && value['kind'] === 'filter';
}

/** Returns what clicking the row does; `clear` removes the filter. */
export function filterClick(clear: () => void): RowClick {
  return { row: filterRowId, run: () => Promise.resolve(clear()) };
}

/** Makes the item of such a row; `command` is the one that handles clicks on the view's rows. */
export function filterItem(
  { filter, shown, total }: FilterRow,
  command: (typeof Command)[keyof typeof Command],
): vscode.TreeItem {
  const { t } = vscode.l10n;
  return treeRow({
    id: filterRowId,
    kind: t('Filter'),
    label: t('“{0}”: {1} of {2}', filter, String(shown), String(total)),
    tooltip: t('Select to show everything again.'),
    icon: 'filter-filled',
    command: { command, title: t('Clear Filter') },
  });
}

/** A list whose rows the user can filter by typing. */
export interface FilteredList {
  readonly title: string;
  readonly prompt: string;
  /** The view that shows its rows. */
  readonly view: (typeof View)[keyof typeof View];
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  /** Brings back what was filtered before; by default sets `filter`. */
  readonly restore?: () => void;
}

/**
 * Shows a list and lets the user type a filter, which the list follows; resolves once the box is gone. Only Escape
 * restores the filter from before.
 */
export type AskFilter = (list: FilteredList, action: UserAction) => Promise<void>;

/** Makes the box in which the filters of all lists are typed. */
export function createFilterBox(logs: Logs): Disposable & { readonly ask: AskFilter } {
  let takeBack: (() => void) | undefined;
  const commands = registerCommands(logs, {
    // The editor reports that a box is gone, but not why, so Escape is a command of its own.
    [Command.cancelFilter]: async (action: UserAction) => {
      takeBack?.();
      // A question that the box replaced comes back, as it does after anything else.
      await runCommand(action, Command.leaveQuestion);
    },
  });
  return {
    ask: async ({ title, prompt, view, filter, setFilter, restore }, action) => {
      const store = new DisposableStore();
      const own = () => {
        if (restore) restore();
        else setFilter(filter);
        store.dispose();
      };
      takeBack = own;
      await setContextKey(ContextKey.filtering, true);
      // The view may be collapsed; the keyboard is for the box.
      await showView(view, undefined);
      const box = store.add(createBox(action));
      box.title = title;
      box.prompt = prompt;
      box.value = filter;
      store.add(box.onDidChangeValue((value) => setFilter(value.trim())));
      await new Promise<void>((resolve) => {
        store.add({ dispose: resolve });
        const end = () => store.dispose();
        store.add(box.onDidAccept(end));
        showUntilHidden(box, store, end);
      });
      // Another list may have the box by now.
      if (takeBack !== own) return;
      takeBack = undefined;
      await setContextKey(ContextKey.filtering, false);
    },
    dispose: () => commands.dispose(),
  };
}
