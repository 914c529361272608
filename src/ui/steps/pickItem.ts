import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { deferred } from '../../base/async';
import { DisposableHolder, DisposableStore, type Disposable } from '../../base/disposable';
import type { UserAction } from '../questions/question';
import { promptKeys, Typing } from '../questions/typing';
import type { StepAnswer } from './multiStep';
import { promptLine } from './promptLine';
import { frameStep, type StepFrame } from './stepFrame';
import { createPick, forgetClick, safeRows, type PickLook, type PickRow } from '../rows/picks';

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
  return new ItemPick(question).answer;
}

/** A list that asks an {@link ItemQuestion} until it is answered. */
class ItemPick<T extends PickLook> {
  private readonly question: ItemQuestion<T>;
  private readonly store = new DisposableStore();
  private readonly settling = this.store.add(new DisposableHolder<Disposable>());
  private readonly pick: vscode.QuickPick<PickRow<T>>;
  private readonly typing: Typing<T>;
  private readonly answered = deferred<T | Left>();
  private wasShown = false;

  constructor(question: ItemQuestion<T>) {
    this.question = question;
    const { frame, prompt = '', placeholder } = question;
    const pick = this.store.add(createPick<T>(frame.context));
    this.pick = pick;
    pick.ignoreFocusOut = true;
    pick.keepScrollPosition = true;
    pick.prompt = promptLine(prompt, frame.more);
    pick.placeholder = placeholder && plainLabel(placeholder);
    this.typing = new Typing<T>(frame.context?.clock ?? promptKeys, (item) => this.isDefault(item));
    pick.items = this.read();
    this.activateDefault();
    this.listen();
    this.store.add(this.step());
    if (frame.onDidChange) this.store.add(frame.onDidChange(() => this.refresh()));
  }

  get answer(): Promise<T | Left> {
    return this.answered.promise;
  }

  private listen(): void {
    const { pick, typing, store } = this;
    store.add(
      pick.onDidChangeValue((value) => {
        if (typing.changeValue(value)) this.reset();
      }),
    );
    store.add(pick.onDidChangeActive(([row]) => typing.changeActive(row)));
    store.add(
      pick.onDidAccept(() => {
        // Not the active row: if rows are redrawn at that moment, another one becomes active.
        const [item] = pick.selectedItems;
        const isMeant = typing.takesOnClick && this.question.frame.context?.takesClicks !== false;
        if (item && isMeant) this.choose(item, 'click');
        else this.reset();
      }),
    );
  }

  private step(): Disposable {
    const { pick, typing } = this;
    const { frame, name = '', canGoBack = false } = this.question;
    return frameStep(pick, {
      name,
      frame,
      canGoBack,
      end: (kind) => this.end(kind),
      keys: {
        onShow: () => typing.shown(),
        draw: () => this.draw(),
        enter: () => {
          const [item] = pick.activeItems;
          if (item && typing.takesOnEnter(item)) this.choose(item, 'key');
          else this.reset();
        },
        escape: () => {
          if (!typing.isQuiet) this.end('cancel');
        },
      },
    });
  }

  private isRow(item: T): boolean {
    return item.kind !== separator && !this.question.isString?.(item);
  }

  /** True for the row that Enter takes where nobody has moved. */
  private isDefault(item: T): boolean {
    const { own } = this.question;
    const { items } = this.pick;
    if (!own) return item === items.find((one) => one.grantsNothing);
    const isRow = (one: T) => this.isRow(one);
    return item === (items.find(own.active ?? isRow) ?? items.find(isRow));
  }

  private activateDefault(): void {
    this.pick.activeItems = this.pick.items.filter((item) => this.isDefault(item));
  }

  private read(): readonly PickRow<T>[] {
    const { items } = this.question;
    const rows = typeof items === 'function' ? items() : items;
    return safeRows(rows.map((row) => ({ ...row, alwaysShow: true })));
  }

  /** Sets new rows, of which the editor makes the first one active; it accepts another one only after that. */
  private setRows(rows: readonly PickRow<T>[], activate: () => void): void {
    this.pick.items = rows;
    const timer = setTimeout(activate);
    this.settling.value = { dispose: () => clearTimeout(timer) };
  }

  private draw(): void {
    // Whatever took its place may have emptied the list, which the editor redraws only when rows are set.
    if (this.wasShown) this.setRows(this.read(), () => this.activateDefault());
    this.wasShown = true;
    this.activateDefault();
  }

  private refresh(): void {
    const { pick } = this;
    const [active] = pick.activeItems;
    const before = pick.items;
    const now = this.read();
    if (now.length === before.length && now.every((row, at) => looksAs(row, before[at]))) return;
    const same = active && findSame(active, before, now);
    this.setRows(now, () => {
      if (same) pick.activeItems = [same];
      else this.activateDefault();
    });
  }

  private choose(item: T, how: 'click' | 'key'): void {
    const { question } = this;
    if (!this.isRow(item)) return;
    question.frame.context?.acted(how);
    if (!question.stays?.(item)) return this.end(item);
    forgetClick(this.pick);
    this.refresh();
  }

  /** Takes back what was typed or moved. */
  private reset(): void {
    this.pick.value = '';
    forgetClick(this.pick);
    this.activateDefault();
  }

  private end(answer: T | Left): void {
    this.store.dispose();
    this.answered.resolve(answer);
  }
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
