import { asRecord, isRecord } from '../../base/json';
import type { Json, JsonObject } from '../../mcp/protocol/types';
import { textOfResult, valueOfResult, type StepAnswered } from '../expect/answer';
import type { StepRequest } from '../format/calls';
import { escapeVariables } from '../format/variables';
import { isChanging, openPattern, openValues } from './openValues';

/** Of a text longer than this, in UTF-16 units, only the first line is expected. */
const longestText = 4000;

/** Returns the `expect` of a step for which this answer is right; times, ids, and secrets are left open. */
export function expectationOf(request: StepRequest, answer: StepAnswered): JsonObject {
  return escapeVariables(plainExpectation(request, answer));
}

function plainExpectation(request: StepRequest, answer: StepAnswered): JsonObject {
  if (answer.kind === 'error')
    return {
      error: {
        ...(answer.code !== undefined && { code: answer.code }),
        ...(answer.code === undefined && { contains: answer.message }),
      },
    };
  const { result, tool } = answer;
  if (request.kind === 'list') return { json: { [request.list]: namesOf(result, request.list) } };
  const failed = asRecord(result)['isError'] === true;
  const value = valueOfResult(result);
  const structured = asRecord(result)['structuredContent'] !== undefined;
  const text = textOfResult(result);
  return {
    ...(failed && { isError: true }),
    ...(structured && tool?.outputSchema && !failed && { schema: true }),
    ...(value !== result || request.kind === 'complete'
      ? { json: openValues(value) }
      : text === ''
        ? { result: openValues(typesOf(result)) }
        : { text: expectedText(text) }),
  };
}

function expectedText(text: string): JsonObject {
  if (text.length > longestText)
    return { contains: text.slice(0, longestText).split('\n')[0] ?? '' };
  return isChanging(text) ? { matches: openPattern(text) } : { equals: text };
}

/** Returns only the types of content blocks, for images and other binary content. */
function typesOf(result: unknown): Json {
  const { content } = asRecord(result);
  if (!Array.isArray(content)) return {};
  return { content: content.map((block) => ({ type: String(asRecord(block)['type']) })) };
}

function namesOf(result: unknown, list: string): Json {
  const items = asRecord(result)[list];
  if (!Array.isArray(items)) return [];
  return items.filter(isRecord).map(({ name }) => ({ name: String(name) }));
}
