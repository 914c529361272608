import * as vscode from 'vscode';
import { maxPickRows } from '../../base/text/narrow';
import { jsonText } from '../../base/text/jsonText';
import { DisposableStore } from '../../base/disposable';
import { plainLabel } from '../../base/text/text';
import { promptKeys, Typing } from '../questions/keys/typing';
import type { Json } from '../../mcp/protocol/types';
import { canonicalJson } from '../../mcp/serverConfig';
import type { StepAnswer, StepPosition } from './multiStep';
import { promptLine } from './promptLine';
import type { FieldOption } from './schemaFields';
import { frameOf, frameStep, type StepFrame } from './stepFrame';
import { createPick, pickRows, takenRow, type PickLook, type PickRow } from '../rows/picks';

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
  /** True for the row that stands for a required value while none is chosen. */
  readonly isMissing?: boolean;
  /** True for the row that skips later values, too. */
  readonly isRest?: boolean;
}

/**
 * Asks for one or several of the options, starting from `begun`; leaving without a choice keeps `value`. Typed letters
 * find a row, Enter goes to it, and only the next Enter takes it: what was typed for something else chooses nothing.
 */
export function askChoice(
  question: ChoiceQuestion,
  place: StepPosition,
  { value, begun }: { readonly value: Json | undefined; readonly begun: Json | undefined },
): Promise<StepAnswer<Json>> {
  const { name, description = '', required, multiple, leave } = question;
  const frame = frameOf(question.title);
  const store = new DisposableStore();
  const pick = store.add(createPick<OptionItem>());
  pick.step = place.number;
  pick.totalSteps = place.count;
  pick.ignoreFocusOut = true;
  pick.placeholder = required
    ? vscode.l10n.t('{0} (required)', plainLabel(name))
    : vscode.l10n.t('{0} (optional)', plainLabel(name));
  pick.canSelectMany = multiple;
  const options = pickRows(optionItems(question));
  const chosen = selected(options, begun, multiple);
  const isMissing = required && !multiple && chosen.length === 0;
  const missing: OptionItem = {
    label: vscode.l10n.t('Choose a value'),
    iconPath: new vscode.ThemeIcon('edit'),
    value: undefined,
    isMissing,
  };
  const rows = isMissing ? [...pickRows([missing]), ...options] : options;
  const { rest } = place;
  const last: OptionItem[] =
    rest === undefined
      ? []
      : [
          {
            label: rest,
            iconPath: new vscode.ThemeIcon('run-all'),
            value: undefined,
            isRest: true,
          },
        ];
  pick.items = multiple ? rows : [...rows, ...pickRows(last)];
  const first = chosen[0] ?? rows.at(required ? 0 : -1);
  if (multiple) pick.selectedItems = chosen;
  else if (first) pick.activeItems = [first];
  const typing = new Typing<OptionItem>(promptKeys, (item) => item === first);
  const current = () => manyOf(pick.selectedItems, required);
  const check = async (now: Json | undefined): Promise<boolean> => {
    const problem = now === undefined ? undefined : await question.validate?.(now);
    say(problem ?? description);
    return problem === undefined;
  };
  const say = (text: string) => (pick.prompt = promptLine(text, frame.more));
  say(description);
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
    };
    const takeRow = (row: OptionItem | undefined) => {
      if (row?.isMissing)
        say(vscode.l10n.t('"{0}" is required. Choose a value.', plainLabel(name)));
      else if (row?.isRest) leaveAs('rest');
      else if (row) void take(row.value);
    };
    /** Goes to the row that the typed letters have found. */
    const goTo = (found: PickRow<OptionItem> | undefined) => {
      pick.value = '';
      // The editor accepts another active row only after the letters are gone.
      const timer = setTimeout(() => (pick.activeItems = found ? [found] : []));
      store.add({ dispose: () => clearTimeout(timer) });
    };
    const enter = () => {
      const [active] = pick.activeItems;
      if (active && !typing.takesOnEnter(active)) goTo(pick.value ? active : first);
      else takeRow(active);
    };
    store.add(pick.onDidChangeActive(([active]) => typing.changeActive(active)));
    store.add(
      frameStep(pick, {
        ...(!multiple && { keys: { enter, onShow: () => typing.shown() } }),
        name,
        frame,
        actions: [
          ...(multiple && rest !== undefined
            ? [{ icon: new vscode.ThemeIcon('run-all'), label: rest, run: () => leaveAs('rest') }]
            : []),
          ...(leave ? [{ ...leave, ends: 'leave' } as const] : []),
        ],
        canGoBack: place.canGoBack,
        end: leaveAs,
        text: {
          changed: (typed) => typing.changeValue(typed),
          accepted: () => (multiple ? void take(current()) : takeRow(takenRow(pick))),
        },
      }),
    );
  });
}

function optionItems(question: ChoiceQuestion): readonly OptionItem[] {
  const { required, multiple, last } = question;
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
  if (!required && !multiple)
    items.push({
      label: vscode.l10n.t('Skip'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
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
