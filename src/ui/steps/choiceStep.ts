import * as vscode from 'vscode';
import { maxPickRows } from '../../base/text/narrow';
import { jsonText } from '../../base/text/jsonText';
import { type Disposable, DisposableHolder, DisposableStore } from '../../base/disposable';
import { plainLabel } from '../../base/text/text';
import type { Json } from '../../mcp/protocol/types';
import { canonicalJson } from '../../base/json';
import type { StepAnswer, StepPosition } from './multiStep';
import { aboutLine, promptLine } from './promptLine';
import type { FieldOption } from './schemaFields';
import { activateResting, frameOf, frameStep, type StepFrame } from './stepFrame';
import { createPick, forgetClick, pickRows, takenRow, type PickLook } from '../rows/picks';

/** One question for a value of an enumeration, or several; texts that a server wrote are passed as they are. */
export interface ChoiceQuestion {
  /** The title of the series, or everything that surrounds its steps. */
  readonly title: string | StepFrame;
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly options: readonly FieldOption[];
  readonly multiple: boolean;
  /** The value from last time, which is marked as such, and comes first if only one value can be chosen. */
  readonly last: Json | undefined;
  /** A button that ends the series in favor of another way to give the values. */
  readonly leave?: { readonly icon: vscode.ThemeIcon; readonly label: string };
  /** Returns one sentence saying why a choice cannot be accepted, `undefined` if it can; called while choosing, too. */
  readonly validate?: (value: Json) => Promise<string | undefined>;
}

interface OptionItem extends PickLook {
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
  const { name, required, multiple, leave } = question;
  const frame = frameOf(question.title);
  const store = new DisposableStore();
  const pick = store.add(createPick<OptionItem>(frame.context));
  pick.step = place.number;
  pick.totalSteps = place.count;
  pick.ignoreFocusOut = true;
  pick.placeholder = vscode.l10n.t('Type to find a value');
  pick.canSelectMany = multiple;
  const options = pickRows(optionItems(question));
  const others = pickRows(multiple ? [] : otherItems(question, place.rest));
  const chosen = selected(options, begun, multiple);
  const first = chosen[0] ?? (required ? undefined : others[0]);
  const resting = () => {
    const letters = pick.value.toLowerCase();
    const labels = options.filter(({ label, kind }) => kind === undefined && label !== '');
    const row =
      letters === ''
        ? first
        : (labels.find(({ label }) => label.toLowerCase().startsWith(letters)) ??
          labels.find(({ label }) => label.toLowerCase().includes(letters)));
    return row ? [row] : [];
  };
  pick.items = [...options, ...others];
  if (multiple) pick.selectedItems = chosen;
  else pick.activeItems = resting();
  const current = () => manyOf(pick.selectedItems, required);
  const about = aboutLine(question, frame.more);
  const say = (text: string) => (pick.prompt = text);
  const check = async (now: Json | undefined): Promise<boolean> => {
    const problem = now === undefined ? undefined : await question.validate?.(now);
    say(problem === undefined ? about : promptLine(problem));
    return problem === undefined;
  };
  say(about);
  return new Promise((resolve) => {
    const end = (kind: StepAnswer<Json>['kind'], answer: Json | undefined) => {
      store.dispose();
      resolve({ kind, value: answer });
    };
    /** Leaves the step with what it holds now. */
    const leaveAs = (kind: StepAnswer<Json>['kind']) => end(kind, multiple ? current() : value);
    if (multiple) store.add(pick.onDidChangeSelection(() => void check(current())));
    const take = async (taken: Json | undefined) => {
      if (await check(taken)) end('next', taken);
      else forgetClick(pick);
    };
    const takeRow = (row: OptionItem | undefined) => {
      if (row?.isRest) leaveAs('rest');
      else if (row) void take(row.value);
      else if (pick.value)
        say(vscode.l10n.t('No value matches “{0}”.', plainLabel(pick.value, 60)));
      else say(vscode.l10n.t('"{0}" is required. Choose a value.', plainLabel(name)));
    };
    const settling = store.add(new DisposableHolder<Disposable>());
    let isTyped = false;
    /** Letters find options alone: rows that skip would come up among them. */
    const narrow = (typed: string) => {
      if (isTyped !== (typed !== '')) {
        isTyped = !isTyped;
        pick.items = isTyped ? options : [...options, ...others];
      }
      settling.value = activateResting(pick, { resting });
    };
    store.add(
      frameStep(pick, {
        name,
        frame,
        actions: [
          ...(multiple && place.rest !== undefined
            ? [
                {
                  icon: new vscode.ThemeIcon('run-all'),
                  label: place.rest,
                  run: () => leaveAs('rest'),
                },
              ]
            : []),
          ...(leave ? [{ ...leave, ends: 'leave' } as const] : []),
        ],
        canGoBack: place.canGoBack,
        end: leaveAs,
        text: {
          changed: (typed) => {
            if (!multiple) narrow(typed);
          },
          accepted: () => (multiple ? void take(current()) : takeRow(takenRow(pick))),
          ...(!multiple && { resting }),
        },
      }),
    );
  });
}

/** Returns the rows that stand for no option: they leave the value out, or others with it. */
function otherItems({ required }: ChoiceQuestion, rest: string | undefined): readonly OptionItem[] {
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
  return [...(required ? [] : [skip]), ...(rest === undefined ? [] : [skipRest(rest)])];
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
