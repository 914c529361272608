import { wholeJsonText } from '../base/text/jsonText';
import { wholeDocumentText } from '../base/text/text';
import type { CallsFile, CallStep, StepRequest } from '../calls/format/calls';
import { fillRequest } from '../calls/format/fillStep';
import { fillKnown } from '../calls/format/variables';
import type { Json } from '../mcp/protocol/types';

/** A request in words: what it asks for, and everything that it sends. */
export interface RequestText {
  readonly name: string;
  readonly given?: Json;
}

/**
 * Returns the requests of steps in the order in which they run, filled with variables whose values are known
 * in advance because no earlier step saves them.
 */
export function requestTexts(
  { variables }: Pick<CallsFile, 'variables'>,
  steps: readonly Pick<CallStep, 'request' | 'save'>[],
): readonly RequestText[] {
  const known = { ...variables };
  return steps.map(({ request, save }) => {
    const filled = fillRequest(request, (value) => fillKnown(value, known));
    for (const name of Object.keys(save)) delete known[name];
    return textOf(filled);
  });
}

/** Returns a request in one line. */
export function inOneLine({ name, given }: RequestText): string {
  return given === undefined ? name : `${name} ${JSON.stringify(given)}`;
}

/**
 * Returns requests as an editor shows them: a numbered list, with what each of them sends in indented lines;
 * `undefined` if that would not be all of it.
 */
export function inLines(requests: readonly RequestText[]): string | undefined {
  const parts: string[] = [];
  for (const [index, { name, given }] of requests.entries()) {
    const heading = `${index + 1}. ${name}`;
    const sent = given === undefined ? '' : wholeJsonText(given, 2);
    if (sent === undefined) return undefined;
    parts.push(sent ? `${heading}\n${sent}` : heading);
  }
  return wholeDocumentText(parts.join('\n\n'));
}

function textOf(request: StepRequest): RequestText {
  switch (request.kind) {
    case 'call':
      return { name: request.name, given: request.arguments };
    case 'prompt':
      return { name: `prompt ${request.name}`, given: request.arguments };
    case 'read':
      return { name: `read ${request.uri}` };
    case 'complete': {
      const { reference, argument, value, context } = request;
      return { name: 'complete', given: { ...reference, argument, value, context } };
    }
    case 'list':
      return { name: `list ${request.list}` };
  }
}
