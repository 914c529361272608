import * as vscode from 'vscode';
import { deferred } from '../../base/async';
import { maxPickRows, plainLabel, plainMessage } from '../../base/text/text';
import { jsonText } from '../../base/text/jsonText';
import { type Disposable, DisposableHolder, DisposableStore } from '../../base/disposable';
import type { Json } from '../../mcp/protocol/types';
import { canonicalJson } from '../../base/json';
import type { StepAnswer, StepLink, StepPosition } from './multiStep';
import { type FieldQuestion, aboutLine, promptLine } from './promptLine';
import type { FieldOption } from './schemaFields';
import { activateResting, frameOf, frameStep, type StepAction, type StepFrame } from './stepFrame';
import { createPick, forgetClick, safeRows, takenRow, type PickRow } from '../rows/picks';

/** One question for a value of an enumeration, or several; texts that a server wrote are passed as they are. */
export interface ChoiceQuestion extends FieldQuestion {
  readonly options: readonly FieldOption[];
  readonly multiple: boolean;
  /** The value from last time, which is marked as such, and comes first if only one value can be chosen. */
  readonly last: Json | undefined;
  /** Returns one sentence saying why a choice cannot be accepted, `undefined` if it can; called while choosing, too. */
  readonly validate?: (value: Json) => Promise<string | undefined>;
}

interface OptionItem extends StepLink {
  readonly value: Json | undefined;
  /** True for the row that skips later values, too. */
  readonly isRest?: boolean;
}

/**
 * Asks for one or several of the options, starting from `begun`; leaving without a choice keeps `value`. Enter takes the
 * row that an arrow or the first letters chose; where a value is required and none was chosen before, no row is active
 * until then.
 */
export function askChoice(
  question: ChoiceQuestion,
  place: StepPosition,
  { value, begun }: { readonly value: Json | undefined; readonly begun: Json | undefined },
): Promise<StepAnswer<Json>> {
  return new ChoiceStep(question, place, value, begun).answer;
}

class ChoiceStep {
  private readonly question: ChoiceQuestion;
  private readonly place: StepPosition;
  /** What leaving without a choice keeps. */
  private readonly value: Json | undefined;
  private readonly frame: StepFrame;
  private readonly about: string;
  private readonly store = new DisposableStore();
  private readonly settling = this.store.add(new DisposableHolder<Disposable>());
  private readonly pick: vscode.QuickPick<PickRow<OptionItem>>;
  private readonly options: readonly PickRow<OptionItem>[];
  private readonly others: readonly PickRow<OptionItem>[];
  /** The row that is active while nothing is typed. */
  private readonly first: PickRow<OptionItem> | undefined;
  private isTyped = false;
  private readonly answered = deferred<StepAnswer<Json>>();

  constructor(
    question: ChoiceQuestion,
    place: StepPosition,
    value: Json | undefined,
    begun: Json | undefined,
  ) {
    this.question = question;
    this.place = place;
    this.value = value;
    this.frame = frameOf(question.title);
    this.about = aboutLine(question, this.frame.more);
    const { required, multiple } = question;
    const pick = this.store.add(createPick<OptionItem>(this.frame.context));
    this.pick = pick;
    pick.step = place.number;
    pick.totalSteps = place.count;
    pick.ignoreFocusOut = true;
    pick.placeholder = vscode.l10n.t('Type to find a value');
    pick.canSelectMany = multiple;
    this.options = safeRows(optionItems(question));
    this.others = safeRows(multiple ? [] : otherItems(question, place));
    const chosen = selected(this.options, begun, multiple);
    this.first = chosen[0] ?? (required ? undefined : this.others[0]);
    pick.items = [...this.options, ...this.others];
    if (multiple) pick.selectedItems = chosen;
    else pick.activeItems = this.resting();
    this.say(this.about);
    if (multiple) this.store.add(pick.onDidChangeSelection(() => void this.check(this.current)));
    this.store.add(this.step());
  }

  get answer(): Promise<StepAnswer<Json>> {
    return this.answered.promise;
  }

  private step(): Disposable {
    const { pick, place, frame } = this;
    const { name, multiple, leave } = this.question;
    const skipRest = (label: string): StepAction => ({
      icon: new vscode.ThemeIcon('run-all'),
      label,
      run: () => this.leaveAs('rest'),
    });
    return frameStep(pick, {
      name,
      frame,
      actions: [
        ...(multiple && place.rest !== undefined ? [skipRest(place.rest)] : []),
        ...(leave ? [{ ...leave, ends: 'leave' } as const] : []),
      ],
      canGoBack: place.canGoBack,
      end: (kind) => this.leaveAs(kind),
      text: {
        changed: (typed) => {
          if (!multiple) this.narrow(typed);
        },
        accepted: () => {
          if (multiple) void this.take(this.current);
          else this.takeRow(takenRow(pick));
        },
        ...(!multiple && { resting: () => this.resting() }),
      },
    });
  }

  /** The values of the rows that are checked. */
  private get current(): Json | undefined {
    return manyOf(this.pick.selectedItems, this.question.required);
  }

  private say(text: string): void {
    this.pick.prompt = plainMessage(text);
  }

  /** The row of the value from before while nothing is typed, then the one that the letters name. */
  private resting(): readonly PickRow<OptionItem>[] {
    const letters = this.pick.value.toLowerCase();
    const labels = this.options.filter(({ label, kind }) => kind === undefined && label !== '');
    const row =
      letters === ''
        ? this.first
        : (labels.find(({ label }) => label.toLowerCase().startsWith(letters)) ??
          labels.find(({ label }) => label.toLowerCase().includes(letters)));
    return row ? [row] : [];
  }

  /** Letters find options alone: rows that skip would come up among them. */
  private narrow(typed: string): void {
    const { pick, options, others } = this;
    if (this.isTyped !== (typed !== '')) {
      this.isTyped = !this.isTyped;
      pick.items = this.isTyped ? options : [...options, ...others];
    }
    this.settling.value = activateResting(pick, { resting: () => this.resting() });
  }

  private async check(now: Json | undefined): Promise<boolean> {
    const problem = now === undefined ? undefined : await this.question.validate?.(now);
    this.say(problem === undefined ? this.about : promptLine(problem));
    return problem === undefined;
  }

  private takeRow(taken: OptionItem | undefined): void {
    const { t } = vscode.l10n;
    const { value } = this.pick;
    // Enter may come before the editor has drawn what letters leave.
    const row = taken?.to !== undefined && value !== '' ? this.resting()[0] : taken;
    if (row?.to !== undefined) this.leaveAs('back', row.to);
    else if (row?.isRest) this.leaveAs('rest');
    else if (row) void this.take(row.value);
    else if (value) this.say(t('No value matches “{0}”.', plainLabel(value, 60)));
    else this.say(t('"{0}" is required. Choose a value.', plainLabel(this.question.name)));
  }

  private async take(taken: Json | undefined): Promise<void> {
    if (await this.check(taken)) this.end('next', taken);
    else forgetClick(this.pick);
  }

  /** Leaves the step with what it holds now. */
  private leaveAs(kind: StepAnswer<Json>['kind'], to?: string): void {
    this.end(kind, this.question.multiple ? this.current : this.value, to);
  }

  private end(kind: StepAnswer<Json>['kind'], value: Json | undefined, to?: string): void {
    this.store.dispose();
    this.answered.resolve({ kind, value, ...(to !== undefined && { to }) });
  }
}

/** Returns the rows that stand for no option: they leave the value out, or others with it, or lead to another step. */
function otherItems({ required }: ChoiceQuestion, place: StepPosition): readonly OptionItem[] {
  const { rest } = place;
  const skip: OptionItem = {
    label: vscode.l10n.t('Skip'),
    iconPath: new vscode.ThemeIcon('circle-slash'),
    value: undefined,
  };
  const skipRest = (label: string): OptionItem => ({
    label,
    iconPath: new vscode.ThemeIcon('run-all'),
    value: undefined,
    isRest: true,
  });
  return [
    ...(required ? [] : [skip]),
    ...(rest === undefined ? [] : [skipRest(rest)]),
    ...(place.links ?? []).map((row) => ({ ...row, value: undefined })),
  ];
}

function optionItems(question: ChoiceQuestion): readonly OptionItem[] {
  const { multiple, last } = question;
  const isLast = isIn(last, multiple);
  const inOrder = question.options.map((option) => ({ ...option, isLast: isLast(option.value) }));
  const options = multiple
    ? inOrder
    : inOrder.toSorted((one, other) => Number(other.isLast) - Number(one.isLast));
  const items: OptionItem[] = options.slice(0, maxPickRows).map((option) => {
    const { value, title } = option;
    const plain = typeof value === 'string' ? value : jsonText(value);
    const notes = [
      ...(plain === title ? [] : [plainLabel(plain)]),
      ...(option.isLast ? [vscode.l10n.t('last time')] : []),
    ];
    return { label: plainLabel(title), description: notes.join(' · '), value };
  });
  const more = options.length - items.length;
  if (more > 0)
    items.push({
      label: vscode.l10n.t(
        '{0} more: choose “Edit All Values as JSON”',
        more.toLocaleString(vscode.env.language),
      ),
      kind: vscode.QuickPickItemKind.Separator,
      value: undefined,
    });
  return items;
}

/** Returns the chosen values; `undefined`, to leave an optional value out, if nothing is chosen. */
function manyOf(items: readonly OptionItem[], required: boolean): Json | undefined {
  const values = items.flatMap(({ value }) => (value === undefined ? [] : [value]));
  return values.length === 0 && !required ? undefined : values;
}

function selected<T extends OptionItem>(
  items: readonly T[],
  value: Json | undefined,
  multiple: boolean,
): readonly T[] {
  const isChosen = isIn(value, multiple);
  return items.filter((item) => item.value !== undefined && isChosen(item.value));
}

/** Returns a test for whether an option is the value, or one of several. */
function isIn(value: Json | undefined, multiple: boolean): (option: Json) => boolean {
  const wanted = multiple && Array.isArray(value) ? value : [value];
  const texts = new Set(wanted.map((each) => canonicalJson(each)));
  return (option) => texts.has(canonicalJson(option));
}
