import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/disposable';
import { pickTexts, type PickTexts } from '../../base/text/rowTexts';
import { plainLabel } from '../../base/text/text';

/** A row of a quick pick, its texts as whoever wrote them wrote them: {@link pickRows} makes them safe. */
export type PickLook = vscode.QuickPickItem & Pick<PickTexts, 'isLaidOut'>;

/** Nobody looks at a list and leaves it within so short a time. */
const stolenMs = 300;

declare const safe: unique symbol;

/** A row that {@link pickRows} made, the only one that a quick pick takes. */
export type PickRow<T extends PickLook = PickLook> = T & { readonly [safe]: true };

/** Makes rows of a quick pick, so that no text of a server works as anything else in them. */
export function pickRows<T extends PickLook>(rows: readonly T[]): readonly PickRow<T>[] {
  return rows.map((row) => ({ ...row, ...pickTexts(row) }) as PickRow<T>);
}

/** A heading between rows. */
export function separator(label: string): PickLook {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Makes a quick pick, empty and not shown. */
export function createPick<T extends PickLook>(): vscode.QuickPick<PickRow<T>> {
  return vscode.window.createQuickPick<PickRow<T>>();
}

/**
 * Shows a quick pick or a box and calls back when it was hidden, unless `store` was disposed before. One that goes
 * the moment it came is shown once more, except where it makes room: the editor's tree, drawn anew just then, has
 * taken the keyboard back.
 */
export function showUntilHidden<T extends PickLook>(
  input: Pick<vscode.QuickInput, 'show' | 'onDidHide'> &
    Partial<Pick<vscode.QuickPick<PickRow<T>>, 'items'>>,
  store: DisposableStore,
  hidden: () => void,
  makesRoom: () => boolean = () => false,
): void {
  const shownAt = Date.now();
  let isFirst = true;
  store.add(
    input.onDidHide(() => {
      const isStolen = isFirst && Date.now() - shownAt < stolenMs && !makesRoom();
      isFirst = false;
      if (!isStolen) return hidden();
      // The editor draws no rows again that it has drawn.
      if (input.items) input.items = Array.from(input.items);
      input.show();
    }),
  );
  input.show();
}

/**
 * The row that the user took. Not the active one as long as the editor says which was taken: rows that are
 * drawn anew just then make another one active.
 */
export function takenRow<T extends PickLook>(
  pick: Pick<vscode.QuickPick<PickRow<T>>, 'selectedItems' | 'activeItems'>,
): PickRow<T> | undefined {
  return pick.selectedItems[0] ?? pick.activeItems[0];
}

/** Takes back a click that is not to count: the editor tells of no other click on the row that it holds for taken. */
export function forgetClick(
  pick: Pick<vscode.QuickPick<PickRow>, 'canSelectMany' | 'selectedItems'>,
): void {
  // What is checked in a list of several stays so.
  if (!pick.canSelectMany) pick.selectedItems = [];
}

/** Hands on each row that the user takes. Where nothing matches what was typed, that stays to be changed. */
export function onTaken<T extends PickLook>(
  pick: vscode.QuickPick<PickRow<T>>,
  take: (row: PickRow<T>) => void,
): vscode.Disposable {
  return pick.onDidAccept(() => {
    const row = takenRow(pick);
    if (row) take(row);
  });
}

/** Shows a quick pick until a row is taken, or it is hidden; what is in `store` ends with it. */
export function untilTaken<T extends PickLook>(
  pick: vscode.QuickPick<PickRow<T>>,
  store: DisposableStore,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const end = (row?: T) => {
      resolve(row);
      store.dispose();
    };
    store.add(onTaken(pick, end));
    showUntilHidden(pick, store, end);
  });
}

type Rows<T> = readonly T[] | Promise<readonly T[]>;

/** Has the user choose some of the rows; `undefined` when they left. */
export function showPick<T extends PickLook>(
  rows: Rows<T>,
  options: vscode.QuickPickOptions & { readonly canPickMany: true },
): Promise<readonly T[] | undefined>;
/** Has the user choose one of the rows; `undefined` when they left. */
export function showPick<T extends PickLook>(
  rows: Rows<T>,
  options: vscode.QuickPickOptions,
): Promise<T | undefined>;
export async function showPick<T extends PickLook>(
  rows: Rows<T>,
  { title = '', placeHolder = '', ...options }: vscode.QuickPickOptions,
): Promise<T | readonly T[] | undefined> {
  const originals = new Map<vscode.QuickPickItem, T>();
  const toShown = (all: readonly T[]) => {
    const shown = pickRows(all);
    for (const [index, row] of all.entries()) if (shown[index]) originals.set(shown[index], row);
    return shown;
  };
  const shown: Rows<PickRow<T>> = 'then' in rows ? rows.then(toShown) : toShown(rows);
  const picked: unknown = await vscode.window.showQuickPick<vscode.QuickPickItem>(shown, {
    ...options,
    title: plainLabel(title),
    placeHolder: plainLabel(placeHolder, 1000),
  });
  const chosen = (Array.isArray(picked) ? picked : [picked]) as readonly vscode.QuickPickItem[];
  const found = chosen.flatMap((row) => originals.get(row) ?? []);
  if (options.canPickMany) return picked === undefined ? undefined : found;
  return found[0];
}
