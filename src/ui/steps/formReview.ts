import * as vscode from 'vscode';
import { jsonText } from '../../base/text/jsonText';
import { canonicalJson, ownValue } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import type { Json, JsonObject } from '../../mcp/protocol/types';
import { byUser } from '../questions/question';
import { pickItem } from './pickItem';
import { fieldText, parseFieldText, type Field } from './schemaFields';
import type { StepFrame } from './stepFrame';
import type { PickLook } from '../rows/picks';
import type { StepLink } from './multiStep';
import { listText } from '../../base/translate';

/** The texts of a form whose values somebody else asks for. */
export interface FormRecipient {
  /** What the values are wanted for, in the requester's words. */
  readonly intro: string;
  /** The labels of the buttons that give the values, and that decline to. */
  readonly submit: string;
  readonly decline: string;
  /** Returns what the user should know before filling in a field; `undefined` if there is nothing. */
  readonly warning: (field: Field) => string | undefined;
}

/** Values to be reviewed before they are given. */
export interface ValuesReview extends FormRecipient {
  readonly frame: StepFrame;
  readonly fields: readonly Field[];
  readonly values: JsonObject;
  /** The values that the form began with, such as those of an earlier one. */
  readonly begun: JsonObject;
  /** Why the values could not be given as they are; `undefined` if nothing is wrong. */
  readonly problem: string | undefined;
}

/** What the user chose; `field` is to fill in that field again. */
export type ReviewChoice =
  | { readonly kind: 'submit' | 'back' | 'leave' | 'decline' | 'cancel' }
  | { readonly kind: 'field'; readonly index: number };

type ReviewItem = PickLook & { readonly choice?: ReviewChoice };

/** Shows all values, with *Back* if there are fields, and returns what the user chose. */
export async function reviewValues(review: ValuesReview): Promise<ReviewChoice> {
  const { fields, frame, intro, problem } = review;
  const picked = await pickItem<ReviewItem>({
    frame,
    name: vscode.l10n.t('Your answer'),
    prompt: problem ?? intro,
    items: reviewItems(review),
    canGoBack: fields.length > 0,
    // Pressing Enter all the way through a form that nobody filled in sends nothing.
    ...(isFilledIn(review) && {
      own: { action: byUser(), active: ({ choice }) => choice?.kind === 'submit' },
    }),
  });
  return typeof picked === 'string' ? { kind: picked } : (picked.choice ?? { kind: 'cancel' });
}

/** True if the user has given a value: one that Enter alone does not lead to. */
function isFilledIn({ fields, values, begun }: ValuesReview): boolean {
  return fields.some((field) => {
    const given = meaningOf(field, ownValue(values, field.name));
    const others = [field.default, ownValue(begun, field.name), []];
    return given !== undefined && !others.some((one) => meaningOf(field, one) === given);
  });
}

/** Returns the same text for values that a step of the field does not tell apart, as it reads and offers them. */
function meaningOf(field: Field, value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  const parsed = parseFieldText(field, fieldText(value));
  const read = 'value' in parsed ? parsed.value : value;
  const { kind } = field;
  if (kind.kind !== 'choices' || !Array.isArray(read)) return canonicalJson(read);
  const offered = new Set(kind.options.map((option) => canonicalJson(option.value)));
  const chosen = new Set((read as readonly Json[]).map((one) => canonicalJson(one)));
  return [...chosen]
    .filter((one) => offered.has(one))
    .toSorted()
    .join();
}

/** Returns a heading and a row for each field, which leads there: what it is, and its value so far. */
export function fieldLinks(
  fields: readonly Field[],
  values: ReadonlyMap<string, Json>,
  { warning }: Pick<FormRecipient, 'warning'>,
  kindOf: (field: Field) => string,
): readonly StepLink[] {
  const { t } = vscode.l10n;
  const rows = fields.map((field): StepLink => {
    const { name, title, required, description } = field;
    const value = values.get(name);
    const about = [
      required ? t('required') : t('optional'),
      kindOf(field),
      ...(value === undefined ? [] : [`= ${valueText(field, value)}`]),
    ];
    const detail = [warning(field), description].filter(Boolean).join(' · ');
    return {
      label: plainLabel(title),
      description: about.filter(Boolean).join(' · '),
      ...(detail && { detail }),
      iconPath: new vscode.ThemeIcon(value === undefined ? 'circle-large-outline' : 'pass'),
      alwaysShow: true,
      to: name,
    };
  });
  return [{ label: t('all fields: select one to go there'), kind: separator }, ...rows];
}

function reviewItems({
  fields,
  values,
  submit,
  decline,
  warning,
}: ValuesReview): readonly ReviewItem[] {
  const rows = fields.map((field, index): ReviewItem => {
    const value = ownValue(values, field.name);
    const warned = value === undefined ? undefined : warning(field);
    return {
      label: plainLabel(field.title),
      description: value === undefined ? vscode.l10n.t('left out') : valueText(field, value),
      ...(warned !== undefined && { detail: warned }),
      choice: { kind: 'field', index },
    };
  });
  const hint = { label: vscode.l10n.t('select one to change it'), kind: separator };
  return [
    { label: submit, iconPath: new vscode.ThemeIcon('check'), choice: { kind: 'submit' } },
    {
      label: decline,
      iconPath: new vscode.ThemeIcon('circle-slash'),
      choice: { kind: 'decline' },
      grantsNothing: true,
    },
    ...(rows.length > 0 ? [hint] : []),
    ...rows,
  ];
}

/** At most this many titles are shown: a row has no room for more. */
const maxTitles = 50;

const separator = vscode.QuickPickItemKind.Separator;

function valueText({ kind }: Field, value: Json): string {
  if (kind.kind !== 'choice' && kind.kind !== 'choices')
    return plainLabel(typeof value === 'string' ? value : jsonText(value));
  const chosen = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const titleOf = new Map(kind.options.map(({ value: each, title }) => [jsonText(each), title]));
  const titles = chosen
    .slice(0, maxTitles)
    .map((each) => titleOf.get(jsonText(each)) ?? jsonText(each));
  return plainLabel(listText(titles, vscode.l10n.t));
}
