import type { Json, JsonObject } from '../../mcp/protocol/types';
import type { Expectation, StepRequest } from './calls';
import { textOf } from './variables';

/** Replaces the variables in a value; a string that is nothing but a variable becomes its value, of any type. */
type Fill = (value: Json) => Json;

/**
 * Returns a request with its variables filled in; names, URIs, and what is completed remain strings, whatever
 * the values are.
 */
export function fillRequest(request: StepRequest, fill: Fill): StepRequest {
  const text = (value: string) => textOf(fill(value));
  switch (request.kind) {
    case 'call':
    case 'prompt':
      return {
        ...request,
        name: text(request.name),
        arguments: fillObject(request.arguments, fill),
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
        context: fillObject(context, fill),
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
export function fillExpectation(expect: Expectation, fill: Fill): Expectation {
  const text = (value: string) => textOf(fill(value));
  const { error, text: texts, json, result, paths, snapshot } = expect;
  return {
    ...expect,
    ...(error?.contains !== undefined && { error: { ...error, contains: text(error.contains) } }),
    ...(texts && {
      text: Object.fromEntries(Object.entries(texts).map(([key, one]) => [key, text(one)])),
    }),
    ...(json !== undefined && { json: fill(json) }),
    ...(result !== undefined && { result: fill(result) }),
    ...(paths && { paths: fillObject(paths, fill) }),
    ...(snapshot !== undefined && { snapshot: text(snapshot) }),
  };
}

function fillObject(value: JsonObject, fill: Fill): JsonObject {
  return fill(value) as JsonObject;
}
