import * as vscode from 'vscode';
import { canonicalJson, ownValue } from '../../base/json';
import { documentText, plainLabel } from '../../base/text/text';
import { readWrittenObject } from '../../mcp/protocol/inexactNumber';
import type { Json, JsonObject, JsonSchema } from '../../mcp/protocol/types';
import type { UncheckedReason } from '../../mcp/schema/validation';
import { uncheckedText } from '../../mcp/schema/words';
import type { DocumentQuestion } from '../documents/askedDocument';
import { editorSchema } from '../documents/schemaLine';
import { Command } from '../ids';
import { restLabel, restLabelForReview } from '../rows/labels';
import { fieldStep, kindText, valueProblem, type FieldSurroundings } from './fieldStep';
import { fieldLinks, reviewValues } from './formReview';
import {
  heldAfter,
  runSteps,
  type Held,
  type LeftOut,
  type Step,
  type StepValues,
  type StepsOutcome,
} from './multiStep';
import { defaultsOf, readFields, type Field } from './schemaFields';
import { frameOf } from './stepFrame';
import type { Permit } from '../keyboard';
import { tellBriefly } from '../messages';
import { listText } from '../../base/translate';

/** A form for the properties of an object's schema; texts that a server wrote are passed as they are. */
export interface SchemaForm extends FieldSurroundings {
  /** Where to begin, from an earlier answer. */
  readonly at?: FormPlace | undefined;
  /** The text of the form's document, from an earlier answer. */
  readonly unfinished?: string | undefined;
  /** Receives what the form holds after each step, and whenever its document is saved. */
  readonly keep?: (held: HeldByForm) => void;
}

/** What a form holds: values, and the text of a document that is not an object yet. */
export type HeldByForm = Held<JsonObject>;

/** The values given so far; `done` is false if the user left, or declined to give any. */
export interface FormAnswer {
  readonly done: boolean;
  readonly declined: boolean;
  readonly values: JsonObject;
  /** Where the user finished the form; absent if they did not, or if there was nothing to ask. */
  readonly at?: FormPlace;
  /** The text of the document if it was left while it was not an object yet. */
  readonly unfinished?: string;
}

/** At most this many properties are asked for one by one. */
export const maxSteps = 100;

/** Where the user is in a form. */
export type FormPlace =
  | { readonly kind: 'steps'; readonly at: number }
  | { readonly kind: 'review'; readonly problem?: string }
  | { readonly kind: 'document' };

interface Left {
  readonly values: JsonObject;
  readonly to: FormPlace | 'done' | 'decline' | 'cancel';
  readonly unfinished?: string;
  /** The step that was shown last. */
  readonly at?: number;
}

/** Asks for an object: one step per property, or everything in one JSON document with its schema. */
export async function askForm(form: SchemaForm): Promise<FormAnswer> {
  const all = readFields(form.schema);
  // Nobody walks through thousands of steps: so many values are given in one document.
  const fields = all.slice(0, maxSteps);
  const drafts = new Map<string, string>();
  const steps = fields.map((field) => fieldStep(form, field, drafts));
  const problemOf = async (given: JsonObject) => {
    const validation = await form.schemas.check(form.schema, given);
    // A call that does not fit can be made all the same: its question warns about that.
    if (!form.giving && validation.kind !== 'valid') return undefined;
    if (validation.kind === 'unchecked') sayUnchecked(validation.reason);
    return valueProblem(validation, form.giving);
  };
  let values: JsonObject = form.isWhole ? form.given : { ...defaultsOf(all), ...form.given };
  const isFree = !form.giving && all.length === 0 && takesAnything(form.schema);
  const inDocument = isFree || all.length > maxSteps;
  const first = inDocument ? ({ kind: 'document' } as const) : stepsAt(0);
  let place: FormPlace = form.at ?? first;
  // If a form begins with a document, it may be the server that makes it appear, not the user.
  const { context } = frameOf(form.title);
  let permit: Permit = context?.wanted;
  let { unfinished } = form;
  let lastStep = fields.length - 1;
  for (;;) {
    const parts = { form, fields, steps, problemOf, permit, unfinished, lastStep };
    const left: Left = await visit(place, values, parts);
    lastStep = left.at ?? lastStep;
    permit = context?.wanted;
    ({ unfinished } =
      place.kind === 'document' ? left : heldAfter(left.values, values, unfinished));
    values = left.values;
    if (left.to === 'done') {
      const problem = form.giving && (await problemOf(values));
      const at = place.kind === 'steps' ? stepsAt(lastStep) : place;
      const isAsked = place.kind !== 'steps' || fields.length > 0;
      if (problem === undefined)
        return { done: true, declined: false, values, ...(isAsked && { at }) };
      place = { kind: 'review', problem };
    } else if (typeof left.to === 'string') {
      const kept = unfinished !== undefined && { unfinished };
      return { done: false, declined: left.to === 'decline', values, ...kept };
    } else place = left.to;
  }
}

/** True for a schema that names no properties but still accepts some. */
function takesAnything(schema: JsonSchema): boolean {
  const { properties, additionalProperties, patternProperties } = schema;
  if (additionalProperties === false) return patternProperties !== undefined;
  return properties === undefined || additionalProperties !== undefined;
}

function stepsAt(at: number): FormPlace {
  return { kind: 'steps', at };
}

function sayUnchecked(reason: UncheckedReason): void {
  const why = uncheckedText(reason, vscode.l10n.t);
  tellBriefly(vscode.l10n.t('Your answer was not checked: {0}', why), 5000);
}

interface FormDeps {
  readonly form: SchemaForm;
  readonly fields: readonly Field[];
  readonly steps: readonly Step<Json>[];
  readonly problemOf: (values: JsonObject) => Promise<string | undefined>;
  /** False if nothing that the user did led there. */
  readonly permit: Permit;
  readonly unfinished: string | undefined;
  /** The step that the review goes back to, which need not be the last one if the rest was skipped. */
  readonly lastStep: number;
}

function visit(place: FormPlace, values: JsonObject, deps: FormDeps): Promise<Left> {
  switch (place.kind) {
    case 'steps':
      return askSteps(place.at, values, deps);
    case 'review':
      return askReview(place.problem, values, deps);
    case 'document':
      return askDocument(values, deps);
  }
}

async function askSteps(at: number, given: JsonObject, deps: FormDeps): Promise<Left> {
  const { form, fields, steps } = deps;
  const isFilledIn = (key: string) => {
    const field = fields.find(({ name }) => name === key);
    return canonicalJson(ownValue(given, key)) !== canonicalJson(field?.default);
  };
  const rest = (left: LeftOut) =>
    form.giving ? restLabelForReview(left) : restLabel(left, isFilledIn);
  const onAnswer = (answered: StepValues<Json>) =>
    form.keep?.(heldAfter(withOthers(fields, given, answered), given, deps.unfinished));
  const { giving } = form;
  const links = (values: StepValues<Json>) =>
    giving && fields.length > 1 ? fieldLinks(fields, values, giving, kindText) : [];
  const started = { values: toStepValues(fields, given), at, rest, links, onAnswer };
  const { kind, values, at: last } = await runSteps(steps, started);
  const looks = kind === 'done' && form.giving !== undefined;
  const to = looks ? ({ kind: 'review' } as const) : toPlace(kind);
  return { values: withOthers(fields, given, values), to, at: last };
}

async function askReview(
  problem: string | undefined,
  given: JsonObject,
  { form, fields, steps, lastStep }: FormDeps,
): Promise<Left> {
  const { giving } = form;
  if (!giving) return { values: given, to: 'done' };
  const frame = frameOf(form.title);
  const { given: begun } = form;
  const choice = await reviewValues({ ...giving, frame, fields, values: given, begun, problem });
  switch (choice.kind) {
    case 'submit':
      return { values: given, to: 'done' };
    case 'field': {
      const step = steps.slice(choice.index, choice.index + 1);
      const started = { values: toStepValues(fields, given), backFromFirst: true };
      const { kind, values } = await runSteps(step, started);
      const to = kind === 'done' || kind === 'back' ? ({ kind: 'review' } as const) : toPlace(kind);
      return { values: withOthers(fields, given, values), to };
    }
    case 'back':
      return { values: given, to: stepsAt(lastStep) };
    case 'leave':
    case 'decline':
    case 'cancel':
      return { values: given, to: toPlace(choice.kind) };
  }
}

function toPlace(kind: StepsOutcome<Json>['kind']): Left['to'] {
  if (kind === 'leave') return { kind: 'document' };
  return kind === 'back' ? 'cancel' : kind;
}

function toStepValues(fields: readonly Field[], values: JsonObject): ReadonlyMap<string, Json> {
  const started = new Map<string, Json>();
  for (const { name } of fields) {
    const value = ownValue(values, name);
    if (value !== undefined) started.set(name, value);
  }
  return started;
}

/** Adds the values that the schema does not name: a document can hold them, and so can an earlier call. */
function withOthers(
  fields: readonly Field[],
  given: JsonObject,
  values: ReadonlyMap<string, Json>,
): JsonObject {
  const known = new Set(fields.map(({ name }) => name));
  const others = Object.entries(given).filter(([name]) => !known.has(name));
  // In the order of the schema, whichever had a value first.
  const inOrder = fields.flatMap(({ name }) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...inOrder, ...others]);
}

async function askDocument(given: JsonObject, deps: FormDeps): Promise<Left> {
  const read = (text: string) =>
    readWrittenObject(text, vscode.l10n.t, vscode.l10n.t('This is not a JSON object.'));
  const heldBy = (text: string): HeldByForm => {
    const written = read(text);
    return 'object' in written ? { values: written.object } : { values: given, unfinished: text };
  };
  const { form, fields, problemOf, permit, unfinished } = deps;
  const { giving, input, notKept, schema } = form;
  const { title, context } = frameOf(form.title);
  const { t } = vscode.l10n;
  const edit = () =>
    input.ask({
      name: `${title}.json`,
      text: unfinished ?? `${JSON.stringify(given, undefined, 2)}\n`,
      schema: editorSchema(schema),
      permit,
      ...(giving && textBeside(t('Asked: {0}', plainLabel(giving.intro, 100)), giving.intro)),
      ...(notKept?.size && notKeptBeside([...notKept])),
      choices: [
        giving
          ? { id: 'done', title: `$(check) ${giving.submit}`, command: Command.sendReviewed }
          : { id: 'done', title: `$(play) ${t('Continue')}` },
        ...(fields.length > 0 ? [{ id: 'back', title: t('Back to the Steps') }] : []),
        ...(giving ? [{ id: 'decline', title: `$(circle-slash) ${giving.decline}` }] : []),
      ],
      check: (edited, chosen) => {
        if (chosen === 'decline') return undefined;
        const written = read(edited);
        if ('problem' in written) return written.problem;
        return chosen === 'done' ? problemOf(written.object) : undefined;
      },
      onSave: (edited) => form.keep?.(heldBy(edited)),
      ...(context && { signal: context.signal }),
    });
  const { choice, text } = await (context ? context.setAside(edit) : edit());
  const left = heldBy(text);
  if (choice === 'back') return { ...left, to: { kind: 'steps', at: 0 } };
  return { ...left, to: choice === 'done' || choice === 'decline' ? choice : 'cancel' };
}

function notKeptBeside(names: readonly string[]): Pick<DocumentQuestion, 'files' | 'links'> {
  const text = vscode.l10n.t(
    'Values of the earlier call that were not kept: {0}',
    listText(names, vscode.l10n.t),
  );
  return textBeside(plainLabel(text, 100), text);
}

/** Returns what shows the user a note on a document, in a line above it that opens the whole text. */
function textBeside(title: string, text: string): Pick<DocumentQuestion, 'files' | 'links'> {
  const name = 'question.txt';
  return {
    files: [{ name, content: documentText(text) }],
    links: [{ line: 0, title, target: name }],
  };
}
