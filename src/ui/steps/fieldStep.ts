import * as vscode from 'vscode';
import { canonicalJson, ownValue } from '../../base/json';
import { plainLabel, shownText } from '../../base/text/text';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import type { SchemaProblem, ValidationResult } from '../../mcp/schema/validation';
import { formatName, problemsText } from '../../mcp/schema/words';
import { inexactNumberText } from '../../mcp/protocol/inexactNumber';
import type { Json, JsonObject, JsonSchema } from '../../mcp/protocol/types';
import { askChoice } from './choiceStep';
import type { DocumentInput } from '../documents/documentInput';
import type { FormRecipient } from './formReview';
import { askList, type ListQuestion } from './listStep';
import type { Step, StepAnswer, StepPlace } from './multiStep';
import {
  fieldText,
  parseFieldText,
  type Field,
  type FieldOption,
  type FieldProblem,
} from './schemaFields';
import { nestedSource } from './skeleton';
import type { StepFrame } from './stepFrame';
import type { FileForm } from '../documents/readTextFile';
import { textSources } from '../sources/textSources';
import { askText, type TextQuestion, type TextSource } from './textStep';
import { askWithReader, type WholeText } from '../documents/wholeText';
import { asideText, namesText } from '../../base/translate';

/** What the steps of a form need to know about it. */
export interface FieldSurroundings {
  /** The schema of the object that the fields are properties of. */
  readonly schema: JsonSchema;
  /** The title of the form, or everything that surrounds its steps. */
  readonly title: string | StepFrame;
  /** The values that the form begins with. */
  readonly given: JsonObject;
  /** True if `given` is complete: a value that is missing was left out, and its default does not apply. */
  readonly isWhole?: boolean;
  /** The fields whose values from an earlier call were not kept: each is asked for, and says so. */
  readonly notKept?: ReadonlySet<string>;
  /** The values from last time, offered as choices; they take precedence over defaults. */
  readonly last?: JsonObject;
  /** The editor whose selection and text are offered. */
  readonly editor?: vscode.TextEditor | undefined;
  readonly input: DocumentInput;
  readonly schemas: SchemaCheck;
  /** Set if somebody else asks for the values: they are reviewed before they are given, and must fit the schema. */
  readonly giving?: FormRecipient;
}

const maxAbout = 180;

/** Says why a value cannot be accepted, `undefined` if it can; with `giving`, the named formats are binding. */
export function valueProblem(
  validation: ValidationResult,
  giving: FormRecipient | undefined,
): string | undefined {
  if (validation.kind === 'invalid') return problemsSentence(validation.problems);
  if (validation.kind !== 'valid') return undefined;
  // A date that does not exist is a typo; other formats may be the server's mistake.
  const isWrong = (note: SchemaProblem) => giving || (note.kind === 'format' && isTimeFormat(note));
  const wrong = validation.notes.filter(isWrong);
  return wrong.length > 0 ? problemsSentence(wrong) : undefined;
}

// A format is not binding, so a value that does not match it can still be used.
function valueDoubt(validation: ValidationResult): string | undefined {
  if (validation.kind !== 'valid' || validation.notes.length === 0) return undefined;
  return vscode.l10n.t(
    '{0}. Correct it, or press Enter again to use it as it is.',
    problemsText(validation.notes, vscode.l10n.t),
  );
}

function problemsSentence(problems: readonly SchemaProblem[]): string {
  return vscode.l10n.t('{0}.', problemsText(problems, vscode.l10n.t));
}

function isTimeFormat({ format }: SchemaProblem & { readonly kind: 'format' }): boolean {
  return format === 'date' || format === 'date-time';
}

/** Makes the step that asks for one field; `drafts` keeps texts that are not values yet, by the field's name. */
export function fieldStep(
  form: FieldSurroundings,
  field: Field,
  drafts: Map<string, string>,
): Step<Json> {
  const { name, kind } = field;
  const check = (value: Json) => form.schemas.check(form.schema, value, name);
  const problemIn = async (value: Json) => valueProblem(await check(value), form.giving);
  const validate = async (text: string) => {
    const parsed = parseFieldText(field, text);
    return 'problem' in parsed ? problemText(parsed, field) : problemIn(parsed.value);
  };
  const doubt = async (text: string) => {
    const parsed = parseFieldText(field, text);
    return 'problem' in parsed ? undefined : valueDoubt(await check(parsed.value));
  };
  const last = form.last && ownValue(form.last, name);
  const { schema, input } = form;
  const nested =
    kind.kind === 'json' && isNested(field)
      ? nestedSource(field, { schema, input, problemIn })
      : undefined;
  let isNew = !form.isWhole && ownValue(form.given, name) === undefined;
  return {
    key: name,
    required: field.required,
    isWanted: form.notKept?.has(name) ?? false,
    ask: async (place) => {
      const leave = {
        icon: new vscode.ThemeIcon('json'),
        label: vscode.l10n.t('Edit All Values as JSON'),
      };
      const value = place.values.get(name);
      const isUntouched = isNew && canonicalJson(value) === canonicalJson(field.default);
      isNew = false;
      if (kind.kind === 'choice' || kind.kind === 'choices') {
        const begun = isUntouched ? (last ?? value) : value;
        const multiple = kind.kind === 'choices';
        const { title } = form;
        const about = [field.description, kindHint(field), ...(multiple ? otherNames(place) : [])];
        const description = hintOf(form, field, ...about);
        const question = { ...field, name: field.title, options: kind.options, multiple, last };
        const more = { description, leave, validate: problemIn };
        return askWithReader(title, wholeHint(field, description), form.input, (frame) =>
          askChoice({ ...question, ...more, title: frame }, place, { value, begun }),
        );
      }
      if (kind.kind === 'list')
        return askFieldList(form, field, place, {
          drafts,
          leave,
          problemIn,
          begun: isUntouched ? (last ?? value) : value,
        });
      // Without a default, the box is empty, and the value from last time is the first row.
      const begun = isUntouched && value !== undefined ? (last ?? value) : value;
      return askFieldText(form, field, place, {
        drafts,
        leave,
        validate,
        doubt,
        begun,
        last,
        nested,
      });
    },
  };
}

/** Names the fields where check boxes leave no room for rows that lead there. */
function otherNames({ links = [] }: StepPlace<Json>): readonly string[] {
  const names = links.flatMap(({ to, label }) => (to === undefined ? [] : [label]));
  return names.length === 0
    ? []
    : [vscode.l10n.t('All fields: {0}', namesText(names, vscode.l10n.t))];
}

/** Asks for a list item by item; what is in the box when the user leaves is there again when they come back. */
async function askFieldList(
  form: FieldSurroundings,
  field: Field,
  place: StepPlace<Json>,
  {
    drafts,
    leave,
    problemIn,
    begun,
  }: {
    readonly drafts: Map<string, string>;
    readonly leave: ListQuestion['leave'];
    readonly problemIn: (value: Json) => Promise<string | undefined>;
    readonly begun: Json | undefined;
  },
): Promise<StepAnswer<Json>> {
  const { name, title, required, description } = field;
  const hint = hintOf(form, field, description, kindHint(field));
  const question: Omit<ListQuestion, 'title'> = {
    name: title,
    description: hint,
    required,
    leave,
    parse: (text) => {
      const parsed = parseFieldText(field, text);
      if ('problem' in parsed) return problemText(parsed, field);
      return { items: Array.isArray(parsed.value) ? parsed.value : [] };
    },
    validate: problemIn,
    keep: (items, typed) => {
      drafts.set(name, typed);
      if (items.length > 0) place.keep(items);
    },
  };
  const start = {
    given: Array.isArray(begun) ? (begun as readonly Json[]) : [],
    typed: drafts.get(name) ?? '',
  };
  return askWithReader(form.title, wholeHint(field, hint), form.input, (frame) =>
    askList({ ...question, title: frame }, place, start),
  );
}

async function askFieldText(
  form: FieldSurroundings,
  field: Field,
  place: StepPlace<Json>,
  more: Pick<TextQuestion, 'leave' | 'validate' | 'doubt'> & {
    readonly drafts: Map<string, string>;
    readonly begun: Json | undefined;
    readonly last: Json | undefined;
    readonly nested: TextSource | undefined;
  },
): Promise<StepAnswer<Json>> {
  const { drafts, begun, last, nested, ...question } = more;
  const { name, title, description, required } = field;
  const value = place.values.get(name);
  const hint = hintOf(form, field, description, kindHint(field));
  const initial = drafts.get(name) ?? (begun === undefined ? undefined : fieldText(begun));
  const standard = field.default === undefined ? '' : fieldText(field.default);
  const asked = {
    name: title,
    description: hint,
    required,
    ...(last !== undefined && { last: fieldText(last) }),
    sources: sourcesOf(field, form, standard),
    ...(nested && { first: nested }),
    ...question,
  };
  const keep = (text: string) => {
    const parsed = parseFieldText(field, text);
    if ('value' in parsed && parsed.value !== undefined) place.keep(parsed.value);
  };
  const answer = await askWithReader(form.title, wholeHint(field, hint), form.input, (frame) =>
    askText({ ...asked, title: frame }, { ...place, keep }, initial),
  );
  drafts.delete(name);
  const { value: text, ...left } = answer;
  if (text === undefined) return { ...left, value: undefined };
  const parsed = parseFieldText(field, text);
  if ('value' in parsed) return { ...left, value: parsed.value };
  // Left unfinished: the text is there again when the user comes back to the field.
  drafts.set(name, text);
  return { ...left, value };
}

/** True for an object, a list, and what may be either: few of them fit into one line. */
function isNested({ schema }: Field): boolean {
  const { type } = schema;
  return type === undefined || type === 'object' || type === 'array';
}

/** Returns where a value may come from besides the keyboard: a number from nowhere, and a date from no file. */
function sourcesOf(
  { title, kind, schema }: Field,
  { editor, input }: FieldSurroundings,
  standard: string,
): readonly TextSource[] {
  if (kind.kind === 'number') return [];
  const file = kind.kind === 'text' ? fileFormOf(kind.format, schema) : 'text';
  return textSources(title, editor, input, { standard, file });
}

/** Returns what a file gives for a text of this format: that of an address may be a `data:` URL. */
function fileFormOf(format: string | undefined, schema: JsonSchema): FileForm | 'none' {
  if (schema['contentEncoding'] === 'base64') return 'base64';
  switch (format) {
    case undefined:
      return 'text';
    case 'byte':
    case 'base64':
      return 'base64';
    case 'uri':
    case 'url':
    case 'data-url':
      return 'dataUrl';
    default:
      return 'none';
  }
}

/** Returns the text that is shown with a field: a warning first, then what it is, and what the form is for. */
function hintOf(
  { giving, notKept }: FieldSurroundings,
  field: Field,
  ...about: (string | undefined)[]
): string {
  const lead = notKept?.has(field.name)
    ? vscode.l10n.t('The earlier call had a value that was not kept')
    : '';
  const line = [lead, ...about].filter(Boolean).join(' · ');
  if (!giving) return line;
  // A long description is cut to leave room for what the form is for.
  const short = shownText(line, maxAbout);
  return [giving.warning(field), short, giving.intro].filter(Boolean).join(' · ');
}

function wholeHint({ title }: Field, text: string): WholeText {
  return { name: `${title}.txt`, text };
}

/** Says in a few words what a value of a field is. */
export function kindText(field: Field): string {
  const { kind } = field;
  switch (kind.kind) {
    case 'choice':
      return optionsText(kind.options);
    case 'choices':
      return [optionsText(kind.options), kindHint(field)].filter(Boolean).join(' · ');
    default:
      return kindHint(field) || vscode.l10n.t('a text');
  }
}

/** At most this many options are named where there is little room. */
const maxNamed = 5;

function optionsText(options: readonly FieldOption[]): string {
  const named = options.slice(0, maxNamed).map(({ title }) => shownText(title, 30));
  return [...named, ...(options.length > maxNamed ? ['…'] : [])].join(' / ');
}

function kindHint({ kind, schema }: Field): string {
  switch (kind.kind) {
    case 'text':
      return kind.format === undefined ? '' : formatHint(kind.format);
    case 'number': {
      const { minimum, maximum } = schema;
      const [least, most] = [bound(minimum), bound(maximum)];
      const range = least === '' && most === '' ? '' : `${least}…${most}`;
      const what = kind.integer ? vscode.l10n.t('a whole number') : vscode.l10n.t('a number');
      return range === '' ? what : asideText(what, range, vscode.l10n.t);
    }
    case 'list':
      return kind.ofNumbers
        ? vscode.l10n.t('a list of numbers, one after another')
        : vscode.l10n.t('a list, one item after another');
    case 'json':
      return jsonHint(schema);
    case 'choice':
      return '';
    case 'choices':
      return countHint(schema);
  }
}

function jsonHint({ type }: JsonSchema): string {
  const { t } = vscode.l10n;
  if (type === 'object') return t('an object, as JSON');
  return type === 'array' ? t('a list, as JSON') : t('a value, as JSON');
}

function formatHint(format: string): string {
  const { t } = vscode.l10n;
  return formatName(format, t) ?? t('of the format "{0}"', plainLabel(format, 60));
}

function countHint({ minItems, maxItems }: JsonSchema): string {
  const { t } = vscode.l10n;
  // A minimum of 0 is not a limit.
  const [least, most] = [minItems === 0 ? '' : bound(minItems), bound(maxItems)];
  if (least === most) return least && t('choose {0}', least);
  if (least === '') return t('choose up to {0}', most);
  return most === '' ? t('choose at least {0}', least) : t('choose {0} to {1}', least, most);
}

/** The largest whole number, which generators of schemas write where there is no limit, is none. */
function bound(value: unknown): string {
  const isLimit = typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  return isLimit ? String(value) : '';
}

function problemText(found: FieldProblem, { kind }: Field): string {
  switch (found.problem) {
    case 'number':
      return vscode.l10n.t('Enter a number.');
    case 'integer':
      return vscode.l10n.t('Enter a whole number.');
    case 'list':
      return vscode.l10n.t('Enter one value per line, or a JSON array.');
    case 'json':
      return vscode.l10n.t('Enter a JSON value.');
    case 'inexact':
      return kind.kind === 'number'
        ? vscode.l10n.t(
            'This number cannot be sent exactly: it would arrive as {0}. Enter another one.',
            found.number.sent,
          )
        : inexactNumberText(found.number, vscode.l10n.t);
  }
}
