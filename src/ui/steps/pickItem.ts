import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import type { UserAction } from '../questions/question';
import { promptKeys, Typing } from '../questions/keys/typing';
import type { StepAnswer } from './multiStep';
import { promptLine } from './promptLine';
import { frameStep, type StepFrame } from './stepFrame';
import { createPick, forgetClick, pickRows, type PickLook, type PickRow } from '../rows/picks';

/** One question that is answered by choosing a row; texts that a server wrote are passed as they are. */
export interface ItemQuestion<T extends PickLook> {
  readonly frame: StepFrame;
  /** Shown after the frame's title. */
  readonly name?: string;
  /** What the user should know, shown below the box. */
  readonly prompt?: string;
  readonly placeholder?: string;
  /** The rows, read again when the frame changes, and after `stays`. */
  readonly items: readonly T[] | (() => readonly T[]);
  readonly canGoBack?: boolean;
  /** True for rows that are only there to be read; choosing one does nothing. */
  readonly isString?: (item: T) => boolean;
  /**
   * For a question that the user's own action asks: the row that Enter takes unless they moved, by default the first one
   * that can be chosen. Without it, Enter takes the first row that grants nothing, and none if there is none.
   */
  readonly own?: { readonly action: UserAction; readonly active?: (item: T) => boolean };
  /** True if choosing a row did something and the question stays. */
  readonly stays?: (item: T) => boolean;
}

type Left = Exclude<StepAnswer<unknown>['kind'], 'next' | 'rest'>;

/**
 * Asks the question and resolves to the row that was chosen, or to how the user left instead; typing chooses nothing.
 */
export function pickItem<T extends PickLook>(question: ItemQuestion<T>): Promise<T | Left> {
  const { frame, name = '', prompt = '', placeholder, items, canGoBack = false } = question;
  const { context } = frame;
  const store = new DisposableStore();
  const pick = store.add(createPick<T>(context));
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  pick.prompt = promptLine(prompt, frame.more);
  pick.placeholder = placeholder;
  const isRow = (item: T) => item.kind !== separator && !question.isString?.(item);
  const isDefault = (item: T) => {
    const { own } = question;
    const refusal = pick.items.find((one) => one.grantsNothing);
    return (
      item === (own ? (pick.items.find(own.active ?? isRow) ?? pick.items.find(isRow)) : refusal)
    );
  };
  const typing = new Typing<T>(context?.clock ?? promptKeys, isDefault);
  const activateDefault = () => {
    pick.activeItems = pick.items.filter(isDefault);
  };
  const read = () => {
    const rows = typeof items === 'function' ? items() : items;
    return pickRows(rows.map((row) => ({ ...row, alwaysShow: true })));
  };
  pick.items = read();
  activateDefault();
  /** Sets new rows, of which the editor makes the first one active; it accepts another one only after that. */
  const setRows = (rows: readonly PickRow<T>[], activate: () => void) => {
    pick.items = rows;
    const timer = setTimeout(activate);
    store.add({ dispose: () => clearTimeout(timer) });
  };
  let wasShown = false;
  const refresh = () => {
    const [active] = pick.activeItems;
    const before = pick.items;
    const now = read();
    if (now.length === before.length && now.every((row, at) => looksAs(row, before[at]))) return;
    const same = active && findSame(active, before, now);
    setRows(now, () => {
      if (same) pick.activeItems = [same];
      else activateDefault();
    });
  };
  return new Promise((resolve) => {
    const end = (answer: T | Left) => {
      store.dispose();
      resolve(answer);
    };
    const choose = (item: T, how: 'click' | 'key') => {
      if (!isRow(item)) return;
      context?.acted(how);
      if (!question.stays?.(item)) return end(item);
      forgetClick(pick);
      refresh();
    };
    const reset = () => {
      pick.value = '';
      forgetClick(pick);
      activateDefault();
    };
    store.add(
      pick.onDidChangeValue((value) => {
        if (typing.changeValue(value)) reset();
      }),
    );
    store.add(pick.onDidChangeActive(([row]) => typing.changeActive(row)));
    store.add(
      pick.onDidAccept(() => {
        // Not the active row: if rows are redrawn at that moment, another one becomes active.
        const [item] = pick.selectedItems;
        const isMeant = typing.takesOnClick && context?.takesClicks !== false;
        if (item && isMeant) choose(item, 'click');
        else reset();
      }),
    );
    store.add(
      frameStep(pick, {
        name,
        frame,
        canGoBack,
        end,
        keys: {
          onShow: () => typing.shown(),
          draw: () => {
            // Whatever took its place may have emptied the list, which the editor redraws only when rows are set.
            if (wasShown) setRows(read(), activateDefault);
            wasShown = true;
            activateDefault();
          },
          enter: () => {
            const [item] = pick.activeItems;
            if (item && typing.takesOnEnter(item)) choose(item, 'key');
            else reset();
          },
          escape: () => {
            if (!typing.isQuiet) end('cancel');
          },
        },
      }),
    );
    if (frame.onDidChange) store.add(frame.onDidChange(refresh));
  });
}

function looksAs(row: PickLook, other: PickLook | undefined): boolean {
  const { label, description, detail, iconPath } = row;
  const sameText = label === other?.label && description === other.description;
  const iconOf = (icon: typeof iconPath) =>
    icon instanceof vscode.ThemeIcon ? icon.id : undefined;
  return sameText && detail === other.detail && iconOf(iconPath) === iconOf(other.iconPath);
}

/** Finds the row that has taken the place of another one. */
function findSame<T extends PickLook>(
  row: T,
  before: readonly T[],
  now: readonly T[],
): T | undefined {
  const named = now.find(({ label, kind }) => label === row.label && kind === row.kind);
  return named ?? (before.length === now.length ? now[before.indexOf(row)] : undefined);
}

const separator = vscode.QuickPickItemKind.Separator;
