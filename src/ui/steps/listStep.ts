import * as vscode from 'vscode';
import { type Disposable, DisposableHolder, DisposableStore } from '../../base/disposable';
import { jsonText } from '../../base/text/jsonText';
import { plainLabel } from '../../base/text/text';
import type { Json } from '../../mcp/protocol/types';
import { type PickLook, createPick, forgetClick, pickRows, takenRow } from '../rows/picks';
import { createPastedLines } from '../sources/pastedLines';
import type { StepAnswer, StepPosition } from './multiStep';
import { aboutLine, promptLine } from './promptLine';
import { type StepAction, type StepFrame, activateResting, frameOf, frameStep } from './stepFrame';

/** One question for the items of a list; texts that a server wrote are passed as they are. */
export interface ListQuestion {
  /** The title of the series, or everything that surrounds its steps. */
  readonly title: string | StepFrame;
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly leave: Pick<StepAction, 'icon' | 'label'>;
  /** Returns the items that a text stands for, or one sentence saying why it stands for none. */
  readonly parse: (text: string) => { readonly items: readonly Json[] } | string;
  /** Returns one sentence saying why the list cannot be accepted, `undefined` if it can. */
  readonly validate: (items: readonly Json[]) => Promise<string | undefined>;
  /** Receives the list, and what is in the box, whenever they change. */
  readonly keep: (items: readonly Json[], typed: string) => void;
}

interface ListRow extends PickLook {
  readonly kindOfRow: 'add' | 'done' | 'rest' | 'item';
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
  const { name, required, leave } = question;
  const { t } = vscode.l10n;
  const frame = frameOf(question.title);
  const store = new DisposableStore();
  const pick = store.add(createPick<ListRow>(frame.context));
  const pasted = createPastedLines();
  let items = given;
  pick.step = place.number;
  pick.totalSteps = place.count;
  pick.ignoreFocusOut = true;
  pick.placeholder = t('Type an item, and press Enter to add it');
  pick.value = typed;
  pasted.put(typed);
  const about = aboutLine(question, frame.more);
  const say = (problem?: string) => {
    pick.prompt = problem === undefined ? about : promptLine(problem);
  };
  const settling = store.add(new DisposableHolder<Disposable>());
  const resting = () => pick.items.slice(0, 1);
  const show = () => {
    pick.items = pickRows(rowsOf(items, pick.value, place.rest, required));
    settling.value = activateResting(pick, { resting });
  };
  const change = (now: readonly Json[], text: string) => {
    items = now;
    pick.value = text;
    pasted.put(text);
    question.keep(items, text);
    say();
    show();
  };
  const add = (text: string) => {
    const parsed = question.parse(text);
    if (typeof parsed === 'string') return say(parsed);
    return change([...items, ...parsed.items], '');
  };
  say();
  show();
  return new Promise((resolve) => {
    const end = (kind: StepAnswer<Json>['kind']) => {
      store.dispose();
      resolve({
        kind,
        value: items.length > 0 || (required && kind === 'next') ? items : undefined,
      });
    };
    const done = async (kind: 'next' | 'rest') => {
      const problem = items.length > 0 || required ? await question.validate(items) : undefined;
      if (problem === undefined) return end(kind);
      return say(problem);
    };
    const take = (row: ListRow | undefined) => {
      forgetClick(pick);
      switch (row?.kindOfRow) {
        case 'add':
          return add(pick.value);
        case 'item':
          if (pick.value !== '') return add(pick.value);
          // Back into the box, where it can be corrected.
          return change(without(items, row.at), editable(items[row.at ?? 0]));
        case 'rest':
        case 'done':
          return void done(row.kindOfRow === 'rest' ? 'rest' : 'next');
        case undefined:
          return undefined;
      }
    };
    store.add(
      pick.onDidTriggerItemButton(({ item }) => change(without(items, item.at), pick.value)),
    );
    store.add(
      frameStep(pick, {
        name,
        frame,
        actions: [{ ...leave, ends: 'leave' }],
        canGoBack: place.canGoBack,
        end,
        text: {
          changed: async (text) => {
            say();
            show();
            question.keep(items, text);
            const whole = await pasted.meant(text);
            if (whole !== undefined && pick.value === text) add(whole);
          },
          accepted: () =>
            take(pick.value === '' ? takenRow(pick) : (pick.selectedItems[0] ?? pick.items[0])),
          resting,
        },
      }),
    );
  });
}

function rowsOf(
  items: readonly Json[],
  typed: string,
  rest: string | undefined,
  required: boolean,
): readonly ListRow[] {
  const { t } = vscode.l10n;
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
