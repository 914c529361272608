import { UserError } from '../../base/errors';
import type { Json, JsonObject } from '../../mcp/protocol/types';
import type { Expectation, GivenAnswers, StepRequest } from './calls';

const variable = /(?<!\$)(\$+)\{([\w-]+)\}/g;
const only = /^\$\{([\w-]+)\}$/;

/** So many characters may come from variables in all that is filled with one {@link FillBudget}. */
export const maxFilled = 10_000_000;

/** What variables may still make of the texts of a file, which can name one of a megabyte thousands of times. */
export class FillBudget {
  private left = maxFilled;

  /** Counts a text that takes the place of a variable; throws a `UserError` for the one that is too much. */
  take(text: string): string {
    this.left -= text.length;
    if (this.left < 0)
      throw new UserError(
        `Variables put more than ${maxFilled} characters into the steps of the file.`,
      );
    return text;
  }
}

/**
 * Replaces the `${variables}` in all strings of a value; a string that is nothing but a variable becomes its
 * value, of any type. `$$` before a brace stands for `$`; see {@link escapeVariables}. Throws a `UserError`
 * for a variable without a value.
 */
export function fillVariables(value: Json, variables: JsonObject, budget = new FillBudget()): Json {
  return fill(value, budget, (name) => {
    const found = known(variables, name);
    if (found === undefined) throw new UserError(`The variable \${${name}} has no value.`);
    return found;
  });
}

/** Does the same as {@link fillVariables}, but leaves variables without a value as they are. */
export function fillKnown(value: Json, variables: JsonObject, budget = new FillBudget()): Json {
  return fill(value, budget, (name) => known(variables, name) ?? `\${${name}}`);
}

function known(variables: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** Returns the names of all variables that a value uses. */
export function variablesOf(value: Json): ReadonlySet<string> {
  const names = new Set<string>();
  fill(value, new FillBudget(), (name) => {
    names.add(name);
    return '';
  });
  return names;
}

/** Escapes a value whose strings are meant literally: {@link fillVariables} returns the original. */
export function escapeVariables(value: string): string;
export function escapeVariables(value: JsonObject): JsonObject;
export function escapeVariables(value: Json): Json;
export function escapeVariables(value: Json): Json {
  return mapTexts(value, (text) => text.replaceAll(variable, '$1$&'));
}

function fill(value: Json, budget: FillBudget, valueOf: (name: string) => Json): Json {
  return mapTexts(value, (text) => {
    const [, whole] = only.exec(text) ?? [];
    if (whole !== undefined) return counted(valueOf(whole), budget);
    return text.replaceAll(variable, (_, dollars: string, name: string) => {
      const plain = '$'.repeat(Math.floor(dollars.length / 2));
      return plain + (dollars.length % 2 === 0 ? `{${name}}` : budget.take(textOf(valueOf(name))));
    });
  });
}

/** Counts a value that is the same one wherever it is, but is written out each time. */
function counted(value: Json, budget: FillBudget): Json {
  budget.take(textOf(value));
  return value;
}

function mapTexts(value: Json, change: (text: string) => Json): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((part) => mapTexts(part, change));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, part && mapTexts(part, change)]),
  );
}

/** Returns a value as it appears inside a text: a string as it is, and anything else as JSON. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Replaces the variables in a value; a string that is nothing but a variable becomes its value, of any type. */
type Fill = (value: Json) => Json;

/**
 * Returns a request with its variables filled in; names, URIs, and what is completed remain strings, whatever
 * the values are.
 */
export function fillRequest(written: StepRequest, fillIn: Fill): StepRequest {
  const { meta } = written;
  const request = meta ? { ...written, meta: fillObject(meta, fillIn) } : written;
  const text = (value: string) => textOf(fillIn(value));
  switch (request.kind) {
    case 'call':
    case 'prompt':
      return {
        ...request,
        name: text(request.name),
        arguments: fillObject(request.arguments, fillIn),
      };
    case 'read':
      return { ...request, uri: text(request.uri) };
    case 'complete': {
      const { reference, argument, value, context } = request;
      return {
        ...request,
        reference:
          'prompt' in reference
            ? { prompt: text(reference.prompt) }
            : { resource: text(reference.resource) },
        argument: text(argument),
        value: text(value),
        context: fillObject(context, fillIn),
      };
    }
    case 'list':
      return request;
  }
}

/**
 * Returns an expectation with its variables filled in; what is compared with text remains a string, whatever
 * the values are.
 */
export function fillExpectation(expect: Expectation, fillIn: Fill): Expectation {
  const text = (value: string) => textOf(fillIn(value));
  const { error, text: texts, json, result, paths, snapshot, asked } = expect;
  return {
    ...expect,
    ...(error?.contains !== undefined && { error: { ...error, contains: text(error.contains) } }),
    ...(texts && {
      text: Object.fromEntries(Object.entries({ ...texts }).map(([key, one]) => [key, text(one)])),
    }),
    ...(json !== undefined && { json: fillIn(json) }),
    ...(result !== undefined && { result: fillIn(result) }),
    ...(paths && { paths: fillObject(paths, fillIn) }),
    ...(snapshot !== undefined && { snapshot: text(snapshot) }),
    ...(asked && { asked: asked.map(fillIn) }),
  };
}

/** Returns answers to a server's questions with their variables filled in; they keep their shape, whatever the values are. */
export function fillAnswers(answers: GivenAnswers, fillIn: Fill): GivenAnswers {
  const { sampling, elicitation, roots } = answers;
  return {
    ...(sampling && {
      sampling: sampling.map((one) =>
        typeof one === 'string' ? textOf(fillIn(one)) : fillObject(one, fillIn),
      ),
    }),
    ...(elicitation && { elicitation: elicitation.map((one) => fillObject(one, fillIn)) }),
    ...(roots && { roots: roots.map((one) => ({ ...one, uri: textOf(fillIn(one.uri)) })) }),
  };
}

function fillObject(value: JsonObject, fillIn: Fill): JsonObject {
  return fillIn(value) as JsonObject;
}
