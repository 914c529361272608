import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/disposable';
import type { Proof } from '../../base/proof';
import { roomAt, wrapLine } from '../../base/text/rows';
import { pickTexts, type PickTexts } from '../../base/text/rowTexts';
import { plainLabel } from '../../base/text/text';
import type { QuestionContext, UserAction } from '../questions/question';

/** A row of a quick pick, with its texts as they were written: {@link safeRows} makes them safe. */
export type PickLook = vscode.QuickPickItem &
  Pick<PickTexts, 'isLaidOut'> & {
    /** Set for the row of a question that leaves all as it is: Enter takes it where nobody has moved. */
    readonly grantsNothing?: true;
  };

/** A list that is hidden sooner than this was not dismissed by the user. */
const stolenMs = 300;

/** A row that {@link safeRows} made, the only kind that a quick pick takes. */
export type PickRow<T extends PickLook = PickLook> = T & Proof<'safe texts'>;

/** Makes rows of a quick pick in which a server's texts work only as text. */
export function safeRows<T extends PickLook>(rows: readonly T[]): readonly PickRow<T>[] {
  return rows.map((row) => ({ ...row, ...pickTexts(row) }) as PickRow<T>);
}

/** Makes rows of a sentence or a path, which one row may have no room for: the first has an icon, and the heading beside it. */
export function wrappedRows(icon: string, text: string, heading = ''): readonly PickLook[] {
  const [first = '', ...others] = wrapLine(text, roomAt({ heading, hasIcon: true }));
  return [
    { label: first, isLaidOut: true, iconPath: new vscode.ThemeIcon(icon) },
    ...others.map((label) => ({ label: `\u2003 ${label}`, isLaidOut: true }) as const),
  ];
}

/** A heading between rows. */
export function separator(label: string): PickLook {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Makes a quick pick, empty and not shown, for the user who has just asked for it, or for the queue of questions. */
export function createPick<T extends PickLook>(
  _by: UserAction | QuestionContext | undefined,
): vscode.QuickPick<PickRow<T>> {
  return vscode.window.createQuickPick<PickRow<T>>();
}

/**
 * Shows a quick pick or a box and calls back when it is hidden, unless `store` is disposed of before. One that
 * disappears right after it came is shown once more, unless it makes room: the editor's tree, redrawn at that moment,
 * has taken the keyboard back.
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
      // The editor redraws rows only if new ones are set.
      if (input.items) input.items = Array.from(input.items);
      input.show();
    }),
  );
  input.show();
}

/**
 * Returns the row that the user took; the active one only if the editor does not say which was taken, because if rows
 * are redrawn at that moment, another one becomes active.
 */
export function takenRow<T extends PickLook>(
  pick: Pick<vscode.QuickPick<PickRow<T>>, 'selectedItems' | 'activeItems'>,
): PickRow<T> | undefined {
  return pick.selectedItems[0] ?? pick.activeItems[0];
}

/** Undoes a click that must not count: the editor reports no other click on a row that it considers taken. */
export function forgetClick(
  pick: Pick<vscode.QuickPick<PickRow>, 'canSelectMany' | 'selectedItems'>,
): void {
  // Rows that are checked in a list of several stay checked.
  if (!pick.canSelectMany) pick.selectedItems = [];
}

/** Passes on each row that the user takes; text that matches none stays in the box so that it can be changed. */
export function onTaken<T extends PickLook>(
  pick: vscode.QuickPick<PickRow<T>>,
  take: (row: PickRow<T>) => void,
): vscode.Disposable {
  return pick.onDidAccept(() => {
    const row = takenRow(pick);
    if (row) take(row);
  });
}

/** Shows a quick pick until a row is taken; `undefined` if it is hidden before. Disposes of `store` either way. */
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

/** Lets the user, who has just asked for it, choose some of the rows; `undefined` if they dismissed the list. */
export function showPick<T extends PickLook>(
  action: UserAction,
  rows: Rows<T>,
  options: vscode.QuickPickOptions & { readonly canPickMany: true },
): Promise<readonly T[] | undefined>;
/** Lets the user, who has just asked for it, choose one of the rows; `undefined` if they dismissed the list. */
export function showPick<T extends PickLook>(
  action: UserAction,
  rows: Rows<T>,
  options: vscode.QuickPickOptions,
): Promise<T | undefined>;
export async function showPick<T extends PickLook>(
  _action: UserAction,
  rows: Rows<T>,
  { title = '', placeHolder = '', ...options }: vscode.QuickPickOptions,
): Promise<T | readonly T[] | undefined> {
  const originals = new Map<vscode.QuickPickItem, T>();
  const toShown = (all: readonly T[]) => {
    const shown = safeRows(all);
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
