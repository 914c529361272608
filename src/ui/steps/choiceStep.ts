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

/** One question for a value of an enumeration, or several. Texts that a server wrote are passed as they are. */
export interface ChoiceQuestion {
  /** What the series is about, or all that stands around its steps. */
  readonly title: string | StepFrame;
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly options: readonly FieldOption[];
  readonly multiple: boolean;
  /** The value of the last time: it is called so, and goes first where one is chosen. */
  readonly last: Json | undefined;
  /** A button that ends the series in favour of another way to give the values. */
  readonly leave?: { readonly icon: vscode.ThemeIcon; readonly label: string };
  /** Says in one sentence why a choice cannot be taken; asked while it is made, too. */
  readonly validate?: (value: Json) => Promise<string | undefined>;
}

interface OptionItem extends PickLook {
  readonly value: Json | undefined;
  /** Set on the row of a value that must be given and is not yet. */
  readonly isMissing?: boolean;
  /** Set on the row that leaves out later values, too. */
  readonly isRest?: boolean;
}

/**
 * Asks for one or several of the options, beginning with `begun`; who leaves without choosing keeps `value`. Typed letters find a row, and only an
 * Enter after that takes it: what was typed for something else chooses nothing.
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
    /** Who goes elsewhere leaves what stands there. */
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
      // The editor takes the active row only after the letters are gone.
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

/** Nothing chosen of what may be left out leaves it out. */
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

/** Tells which options a value is, or has. */
function isIn(value: Json | undefined, multiple: boolean): (option: Json) => boolean {
  const wanted = multiple && Array.isArray(value) ? value : [value];
  const texts = new Set(wanted.map((each) => canonicalJson(each)));
  return (option) => texts.has(canonicalJson(option));
}
