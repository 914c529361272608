import * as vscode from 'vscode';
import { maxPickRows } from '../../base/text/narrow';
import { jsonText } from '../../base/text/jsonText';
import { DisposableStore } from '../../base/disposable';
import { plainLabel } from '../../base/text/text';
import type { Json } from '../../mcp/protocol/types';
import { canonicalJson } from '../../mcp/serverConfig';
import type { StepAnswer, StepPlace } from './multiStep';
import { promptLine } from './promptLine';
import type { FieldOption } from './schemaFields';
import { frameOf, frameStep, type StepFrame } from './stepFrame';

/** One question for a value of an enumeration, or several. Texts that a server wrote are passed as they are. */
export interface ChoiceQuestion {
  /** What the series is about, or all that stands around its steps. */
  readonly title: string | StepFrame;
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly options: readonly FieldOption[];
  readonly multiple: boolean;
  /** A button that ends the series in favour of another way to give the values. */
  readonly leave?: { readonly icon: vscode.ThemeIcon; readonly label: string };
  /** Says in one sentence why a choice cannot be taken; asked while it is made, too. */
  readonly validate?: (value: Json) => Promise<string | undefined>;
}

interface OptionItem extends vscode.QuickPickItem {
  readonly value: Json | undefined;
}

/** Asks for one or several of the options, beginning with `value`. */
export function askChoice(
  question: ChoiceQuestion,
  place: StepPlace<unknown>,
  value: Json | undefined,
): Promise<StepAnswer<Json>> {
  const { name, description = '', required, multiple, leave } = question;
  const frame = frameOf(question.title);
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<OptionItem>());
  pick.step = place.number;
  pick.totalSteps = place.count;
  pick.ignoreFocusOut = true;
  pick.placeholder = required
    ? vscode.l10n.t('{0} (required)', plainLabel(name))
    : vscode.l10n.t('{0} (optional)', plainLabel(name));
  pick.canSelectMany = multiple;
  pick.items = optionItems(question);
  const chosen = selected(pick.items, value, multiple);
  if (multiple) pick.selectedItems = chosen;
  else if (chosen.length > 0) pick.activeItems = chosen;
  else if (!required) pick.activeItems = pick.items.slice(-1);
  const current = (): Json | undefined =>
    multiple ? manyOf(pick.selectedItems, required) : pick.activeItems[0]?.value;
  const check = async (now: Json | undefined): Promise<boolean> => {
    const problem = now === undefined ? undefined : await question.validate?.(now);
    pick.prompt = promptLine(problem ?? description, frame.more);
    return problem === undefined;
  };
  pick.prompt = promptLine(description, frame.more);
  return new Promise((resolve) => {
    const end = (kind: StepAnswer<Json>['kind'], answer = multiple ? current() : value) => {
      store.dispose();
      resolve({ kind, value: answer });
    };
    if (multiple) store.add(pick.onDidChangeSelection(() => void check(current())));
    store.add(
      pick.onDidAccept(async () => {
        const now = current();
        if (!multiple && pick.activeItems.length === 0) return;
        if (await check(now)) end('next', now);
      }),
    );
    store.add(
      frameStep(pick, {
        name,
        frame,
        actions: leave ? [{ ...leave, ends: 'leave' }] : [],
        canGoBack: place.canGoBack,
        end: (kind) => end(kind),
      }),
    );
  });
}

function optionItems({ options, required, multiple }: ChoiceQuestion): readonly OptionItem[] {
  const items: OptionItem[] = options.slice(0, maxPickRows).map(({ value, title }) => {
    const plain = typeof value === 'string' ? value : jsonText(value);
    return {
      label: plainLabel(title),
      description: plain === title ? '' : plainLabel(plain),
      value,
    };
  });
  const more = options.length - items.length;
  if (more > 0)
    items.push({
      label: vscode.l10n.t('{0} more: choose “All Values in One Document”', more.toLocaleString()),
      kind: vscode.QuickPickItemKind.Separator,
      value: undefined,
    });
  if (!required && !multiple) items.push({ label: vscode.l10n.t('Leave out'), value: undefined });
  return items;
}

/** Nothing chosen of what may be left out leaves it out. */
function manyOf(items: readonly OptionItem[], required: boolean): Json | undefined {
  const values = items.flatMap(({ value }) => (value === undefined ? [] : [value]));
  return values.length === 0 && !required ? undefined : values;
}

function selected(
  items: readonly OptionItem[],
  value: Json | undefined,
  multiple: boolean,
): readonly OptionItem[] {
  const wanted = multiple && Array.isArray(value) ? value : [value];
  const texts = new Set(wanted.map((each) => canonicalJson(each)));
  return items.filter((item) => item.value !== undefined && texts.has(canonicalJson(item.value)));
}
