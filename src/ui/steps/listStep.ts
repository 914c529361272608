import * as vscode from 'vscode';
import { deferred } from '../../base/async';
import { type Disposable, DisposableHolder, DisposableStore } from '../../base/disposable';
import { jsonText } from '../../base/text/jsonText';
import { plainLabel, plainMessage } from '../../base/text/text';
import type { Json } from '../../mcp/protocol/types';
import { type PickRow, createPick, forgetClick, safeRows, takenRow } from '../rows/picks';
import { createPastedLines } from '../sources/pastedLines';
import type { StepAnswer, StepLink, StepPosition } from './multiStep';
import { type FieldQuestion, aboutLine, promptLine } from './promptLine';
import { type StepAction, type StepFrame, activateResting, frameOf, frameStep } from './stepFrame';

/** One question for the items of a list; texts that a server wrote are passed as they are. */
export interface ListQuestion extends FieldQuestion {
  readonly leave: Pick<StepAction, 'icon' | 'label'>;
  /** Returns the items that a text stands for, or one sentence saying why it stands for none. */
  readonly parse: (text: string) => { readonly items: readonly Json[] } | string;
  /** Returns one sentence saying why the list cannot be accepted, `undefined` if it can. */
  readonly validate: (items: readonly Json[]) => Promise<string | undefined>;
  /** Receives the list, and what is in the box, whenever they change. */
  readonly keep: (items: readonly Json[], typed: string) => void;
}

interface ListRow extends StepLink {
  readonly kindOfRow: 'add' | 'done' | 'rest' | 'item' | 'link';
  /** The position of an item. */
  readonly at?: number;
}

/** At most this many items have rows: longer lists are given as JSON. */
export const maxListRows = 200;

/**
 * Asks for the items of a list one after another, beginning with `given`: Enter adds what was typed, and in the empty
 * box it is done. What was typed last is in the box when the user comes back.
 */
export function askList(
  question: ListQuestion,
  place: StepPosition,
  { given, typed }: { readonly given: readonly Json[]; readonly typed: string },
): Promise<StepAnswer<Json>> {
  return new ListStep(question, place, given, typed).answer;
}

class ListStep {
  private readonly question: ListQuestion;
  private readonly place: StepPosition;
  private readonly frame: StepFrame;
  private readonly about: string;
  private readonly store = new DisposableStore();
  private readonly settling = this.store.add(new DisposableHolder<Disposable>());
  private readonly pick: vscode.QuickPick<PickRow<ListRow>>;
  private readonly pasted = createPastedLines();
  private items: readonly Json[];
  private readonly answered = deferred<StepAnswer<Json>>();

  constructor(question: ListQuestion, place: StepPosition, given: readonly Json[], typed: string) {
    this.question = question;
    this.place = place;
    this.items = given;
    this.frame = frameOf(question.title);
    this.about = aboutLine(question, this.frame.more);
    const pick = this.store.add(createPick<ListRow>(this.frame.context));
    this.pick = pick;
    pick.step = place.number;
    pick.totalSteps = place.count;
    pick.ignoreFocusOut = true;
    pick.placeholder = vscode.l10n.t('Type an item, and press Enter to add it');
    pick.value = typed;
    this.pasted.put(typed);
    this.say();
    this.show();
    this.store.add(
      pick.onDidTriggerItemButton(({ item }) =>
        this.change(without(this.items, item.at), pick.value),
      ),
    );
    this.store.add(this.step());
  }

  get answer(): Promise<StepAnswer<Json>> {
    return this.answered.promise;
  }

  private step(): Disposable {
    const { pick, frame, place } = this;
    const { name, leave } = this.question;
    return frameStep(pick, {
      name,
      frame,
      actions: [{ ...leave, ends: 'leave' }],
      canGoBack: place.canGoBack,
      end: (kind) => this.end(kind),
      text: {
        changed: (text) => this.typed(text),
        accepted: () =>
          this.take(pick.value === '' ? takenRow(pick) : (pick.selectedItems[0] ?? pick.items[0])),
        resting: () => this.resting(),
      },
    });
  }

  private say(problem?: string): void {
    this.pick.prompt = problem === undefined ? plainMessage(this.about) : promptLine(problem);
  }

  private resting(): readonly PickRow<ListRow>[] {
    return this.pick.items.slice(0, 1);
  }

  private show(): void {
    const { pick, place, question } = this;
    pick.items = safeRows(rowsOf(this.items, pick.value, place, question.required));
    this.settling.value = activateResting(pick, { resting: () => this.resting() });
  }

  private async typed(text: string): Promise<void> {
    this.say();
    this.show();
    this.question.keep(this.items, text);
    const whole = await this.pasted.meant(text);
    if (whole !== undefined && this.pick.value === text) this.add(whole);
  }

  private add(text: string): void {
    const parsed = this.question.parse(text);
    if (typeof parsed === 'string') return this.say(parsed);
    return this.change([...this.items, ...parsed.items], '');
  }

  /** Takes other items, and puts a text into the box. */
  private change(items: readonly Json[], text: string): void {
    this.items = items;
    this.pick.value = text;
    this.pasted.put(text);
    this.question.keep(items, text);
    this.say();
    this.show();
  }

  private take(row: ListRow | undefined): void {
    const { pick, items } = this;
    forgetClick(pick);
    switch (row?.kindOfRow) {
      case 'add':
        return this.add(pick.value);
      case 'item':
        if (pick.value !== '') return this.add(pick.value);
        // Back into the box, where it can be corrected.
        return this.change(without(items, row.at), editable(items[row.at ?? 0]));
      case 'link':
        // The row that a letter moved to is not meant.
        return pick.value === '' ? this.end('back', row.to) : this.add(pick.value);
      case 'rest':
      case 'done':
        return void this.done(row.kindOfRow === 'rest' ? 'rest' : 'next');
      case undefined:
        return undefined;
    }
  }

  private async done(kind: 'next' | 'rest'): Promise<void> {
    const { items, question } = this;
    const isList = items.length > 0 || question.required;
    const problem = isList ? await question.validate(items) : undefined;
    if (problem === undefined) return this.end(kind);
    return this.say(problem);
  }

  private end(kind: StepAnswer<Json>['kind'], to?: string): void {
    const { items } = this;
    this.store.dispose();
    const isList = items.length > 0 || (this.question.required && kind === 'next');
    const value = isList ? items : undefined;
    this.answered.resolve({ kind, value, ...(to !== undefined && { to }) });
  }
}

function rowsOf(
  items: readonly Json[],
  typed: string,
  place: StepPosition,
  required: boolean,
): readonly ListRow[] {
  const { t } = vscode.l10n;
  const { rest } = place;
  const first: ListRow =
    typed === ''
      ? {
          label: doneLabel(items.length, required),
          iconPath: new vscode.ThemeIcon(items.length > 0 || required ? 'check' : 'circle-slash'),
          kindOfRow: 'done',
        }
      : {
          label: plainLabel(typed, 120),
          description: t('add to the list'),
          iconPath: new vscode.ThemeIcon('add'),
          kindOfRow: 'add',
        };
  const remove: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('close'),
    tooltip: t('Remove'),
  };
  const more = items.length - maxListRows;
  const rows: readonly ListRow[] = [
    first,
    ...(rest === undefined
      ? []
      : [{ label: rest, iconPath: new vscode.ThemeIcon('run-all'), kindOfRow: 'rest' } as const]),
    ...items.slice(0, maxListRows).map((item, at): ListRow => ({
      label: textOf(item) || '""',
      description: String(at + 1),
      buttons: [remove],
      kindOfRow: 'item',
      at,
    })),
    ...(more > 0
      ? [
          {
            label: t('{0} more', more),
            kind: vscode.QuickPickItemKind.Separator,
            kindOfRow: 'item',
          } as const,
        ]
      : []),
    ...(place.links ?? []).map((row) => ({ ...row, kindOfRow: 'link' }) as const),
  ];
  return rows.map((row) => ({ ...row, alwaysShow: true }));
}

function doneLabel(count: number, required: boolean): string {
  const { t } = vscode.l10n;
  if (count === 0) return required ? t('Continue with an Empty List') : t('Skip');
  return count === 1 ? t('Continue with 1 Item') : t('Continue with {0} Items', count);
}

function without(items: readonly Json[], at: number | undefined): readonly Json[] {
  return items.filter((_, index) => index !== at);
}

/** Returns an item as a text of one line that is read as that item. */
function editable(item: Json | undefined): string {
  const text = textOf(item);
  return typeof item === 'string' && /[\r\n]|^\s*\[|^$/.test(text) ? JSON.stringify([item]) : text;
}

function textOf(item: Json | undefined): string {
  return typeof item === 'string' ? item : item === undefined ? '' : jsonText(item);
}
