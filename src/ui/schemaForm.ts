import * as vscode from 'vscode';
import type { SchemaCheck } from '../mcp/jsonSchema';
import { parseObject } from '../mcp/parseObject';
import type { Json, JsonObject, JsonSchema } from '../mcp/protocol';
import { askChoice } from './choiceStep';
import type { DocumentInput } from './documentInput';
import { editorSchema } from './editorSchema';
import { runSteps, type Step, type StepAnswer, type StepPlace } from './multiStep';
import { fieldText, parseFieldText, readFields, type Field } from './schemaFields';
import { textSources } from './textSources';
import { askText, type TextQuestion } from './textStep';

/** A form for the properties of an object's schema. Texts that a server wrote are passed as they are. */
export interface SchemaForm {
  readonly title: string;
  readonly schema: JsonSchema;
  /** What the form begins with. */
  readonly given: JsonObject;
  /** The values of the last time, offered as choices. */
  readonly last?: JsonObject;
  /** The editor whose selection and text are offered. */
  readonly editor?: vscode.TextEditor;
  readonly input: DocumentInput;
  readonly schemas: SchemaCheck;
}

/** The values as far as they were given; `done` is false when the person went away. */
export interface FormAnswer {
  readonly done: boolean;
  readonly values: JsonObject;
}

/** Asks for an object: one step a property, or all in one JSON document with its schema. */
export async function askForm(form: SchemaForm): Promise<FormAnswer> {
  const fields = readFields(form.schema);
  const known = new Set(fields.map(({ name }) => name));
  // What the schema does not name is kept: a document can hold it, and so can an earlier call.
  const others = Object.entries(form.given).filter(([name]) => !known.has(name));
  let values: JsonObject = { ...defaultsOf(fields), ...form.given };
  const drafts = new Map<string, string>();
  for (;;) {
    const started = new Map<string, Json>();
    for (const { name } of fields) {
      const value = values[name];
      if (value !== undefined) started.set(name, value);
    }
    const steps = await Promise.all(fields.map((field) => fieldStep(form, field, drafts)));
    const outcome = await runSteps(steps, { values: started });
    values = Object.fromEntries([...others, ...outcome.values]);
    if (outcome.kind !== 'leave') return { done: outcome.kind === 'done', values };
    const answer = await askDocument(form, values);
    if (answer.kind !== 'back') return { done: answer.kind === 'done', values: answer.values };
    values = answer.values;
  }
}

function defaultsOf(fields: readonly Field[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]])),
  );
}

async function fieldStep(
  form: SchemaForm,
  field: Field,
  drafts: Map<string, string>,
): Promise<Step<Json>> {
  const { name, kind } = field;
  const check = await form.schemas.prepare(field.schema);
  const validate = (text: string) => {
    const parsed = parseFieldText(field, text);
    if ('problem' in parsed) return problemText(parsed.problem);
    const verdict = check(parsed.value);
    return verdict.kind === 'invalid' ? verdict.problems.join('. ') : undefined;
  };
  return {
    key: name,
    ask: async (place) => {
      const leave = {
        icon: new vscode.ThemeIcon('json'),
        label: vscode.l10n.t('All Values in One Document'),
      };
      const value = place.values.get(name);
      if (kind.kind === 'choice' || kind.kind === 'choices') {
        const multiple = kind.kind === 'choices';
        const { title } = form;
        const question = { ...field, title, name: field.title, options: kind.options, multiple };
        return askChoice({ ...question, leave }, place, value);
      }
      return askFieldText(form, field, place, { drafts, leave, validate });
    },
  };
}

async function askFieldText(
  form: SchemaForm,
  field: Field,
  place: StepPlace<Json>,
  more: Pick<TextQuestion, 'leave' | 'validate'> & { readonly drafts: Map<string, string> },
): Promise<StepAnswer<Json>> {
  const { drafts, ...question } = more;
  const { name, title, description, required } = field;
  const value = place.values.get(name);
  const last = form.last?.[name];
  const hint = [description, kindHint(field)].filter(Boolean).join(' · ');
  const initial = drafts.get(name) ?? (value === undefined ? undefined : fieldText(field, value));
  const answer = await askText(
    {
      title: form.title,
      name: title,
      description: hint,
      required,
      ...(last !== undefined && { last: fieldText(field, last) }),
      sources: textSources(title, form.editor, form.input),
      ...question,
    },
    { ...place, values: new Map() },
    initial,
  );
  drafts.delete(name);
  if (answer.value === undefined) return { kind: answer.kind, value: undefined };
  const parsed = parseFieldText(field, answer.value);
  if ('value' in parsed) return { kind: answer.kind, value: parsed.value };
  // Left half-written: the text is there again when the person comes back to it.
  drafts.set(name, answer.value);
  return { kind: answer.kind, value };
}

async function askDocument(
  form: SchemaForm,
  values: JsonObject,
): Promise<{ readonly kind: 'done' | 'back' | 'cancel'; readonly values: JsonObject }> {
  const { choice, text } = await form.input.ask({
    name: `${form.title}.json`,
    text: `${JSON.stringify(values, undefined, 2)}\n`,
    schema: editorSchema(form.schema),
    choices: [
      { id: 'done', title: `$(play) ${vscode.l10n.t('Continue')}` },
      { id: 'back', title: vscode.l10n.t('Back to the Steps') },
    ],
    check: (edited) =>
      parseObject(edited) ? undefined : vscode.l10n.t('This is not a JSON object.'),
  });
  const kind = choice === 'done' || choice === 'back' ? choice : 'cancel';
  return { kind, values: parseObject(text) ?? values };
}

function kindHint({ kind, schema }: Field): string {
  switch (kind.kind) {
    case 'text':
      return kind.format ?? '';
    case 'number': {
      const { minimum, maximum } = schema;
      const range = [minimum, maximum].some((each) => typeof each === 'number')
        ? ` (${bound(minimum)}…${bound(maximum)})`
        : '';
      return (kind.integer ? vscode.l10n.t('a whole number') : vscode.l10n.t('a number')) + range;
    }
    case 'list':
      return vscode.l10n.t('a list: one value a line, or a JSON array');
    case 'json':
    case 'choice':
    case 'choices':
      return 'JSON';
  }
}

function bound(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}

function problemText(problem: 'number' | 'integer' | 'list' | 'json'): string {
  switch (problem) {
    case 'number':
      return vscode.l10n.t('Type a number.');
    case 'integer':
      return vscode.l10n.t('Type a whole number.');
    case 'list':
      return vscode.l10n.t('Type one value a line, or a JSON array.');
    case 'json':
      return vscode.l10n.t('Type a JSON value.');
  }
}
