import * as vscode from 'vscode';
import { Timer } from '../../base/async';
import { DisposableStore } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { plainMessage } from '../../base/text/text';
import { createPick, forgetClick, pickRows, takenRow, type PickLook } from '../rows/picks';
import { frameStep, type StepFrame, type StepText } from './stepFrame';

/** A search waits for a pause of this many milliseconds in the typing. */
const pauseMs = 350;

/** Rows that were found, what to say about them in a plain message, and how to find more, if there is more. */
export interface FoundRows<T extends PickLook> {
  readonly rows: readonly T[];
  readonly prompt: string;
  readonly more?: ((signal: AbortSignal) => Promise<FoundRows<T>>) | undefined;
}

interface Row<T extends PickLook> extends PickLook {
  readonly found?: T;
  /** Called in place of taking a row. */
  readonly act?: () => unknown;
}

/**
 * Lets the user type what to look for and pick one of the rows that are found elsewhere, such as over the network;
 * `undefined` if they dismissed the list. Nothing is looked for before something was typed; a failure is said below the
 * box and can be tried again.
 */
export function searchRows<T extends PickLook>({
  frame,
  placeholder,
  prompt,
  search,
}: {
  readonly frame: StepFrame;
  readonly placeholder: string;
  readonly prompt: string;
  readonly search: (text: string, signal: AbortSignal) => Promise<FoundRows<T>>;
}): Promise<T | undefined> {
  const { t } = vscode.l10n;
  const store = new DisposableStore();
  const pick = store.add(createPick<Row<T>>(frame.context));
  pick.ignoreFocusOut = true;
  pick.placeholder = placeholder;
  pick.prompt = prompt;
  let asking: AbortController | undefined;
  store.add({ dispose: () => asking?.abort() });
  const setRows = (rows: readonly Row<T>[], active = 0) => {
    // What was found need not contain what was typed: the other side has searched.
    const shown = pickRows(rows.map((row) => ({ ...row, alwaysShow: true })));
    pick.items = shown;
    const first = shown[active];
    // The editor takes an active row only after the rows themselves.
    if (first && active > 0)
      setTimeout(() => {
        if (pick.items.includes(first)) pick.activeItems = [first];
      });
  };
  const find = async (
    look: (signal: AbortSignal) => Promise<FoundRows<T>>,
    before: readonly Row<T>[] = [],
  ): Promise<void> => {
    asking?.abort();
    const current = new AbortController();
    asking = current;
    pick.busy = true;
    try {
      const { rows, prompt: said, more } = await look(current.signal);
      if (asking !== current) return;
      const all = [...before, ...rows.map((row) => ({ ...row, found: row }))];
      const next: Row<T> = {
        label: t('More Results'),
        iconPath: new vscode.ThemeIcon('ellipsis'),
        act: () => more && find(more, all),
      };
      setRows(more ? [...all, next] : all, before.length);
      pick.prompt = said;
    } catch (error) {
      if (asking !== current) return;
      const again: Row<T> = {
        label: t('Try Again'),
        iconPath: new vscode.ThemeIcon('refresh'),
        act: () => find(look, before),
      };
      setRows([...before, again], before.length);
      pick.prompt = plainMessage(errorMessage(error, t));
    }
    pick.busy = false;
  };
  const timer = store.add(
    new Timer(() => {
      const typed = pick.value.trim();
      void find((signal) => search(typed, signal));
    }),
  );
  return new Promise((resolve) => {
    const end = (found: T | undefined) => {
      store.dispose();
      asking = undefined;
      resolve(found);
    };
    const text: StepText = {
      changed: (value) => {
        asking?.abort();
        asking = undefined;
        // Enter takes nothing that was found for something else.
        setRows([]);
        pick.prompt = prompt;
        pick.busy = value.trim() !== '';
        if (pick.busy) timer.start(pauseMs);
        else timer.dispose();
      },
      accepted: () => {
        const row = takenRow(pick);
        frame.context?.acted('click');
        if (row?.found) return end(row.found);
        forgetClick(pick);
        return row?.act?.();
      },
    };
    store.add(
      frameStep(pick, { name: '', frame, canGoBack: false, end: () => end(undefined), text }),
    );
  });
}
