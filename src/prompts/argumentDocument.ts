import type { JsonSchema, PromptArgument } from '../mcp/protocol';
import type { Translate } from './previewText';
import type { PromptArguments } from './promptEntry';

/** What completes and checks a document with all arguments of a prompt. */
export function argumentSchema(args: readonly PromptArgument[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      args.map(({ name, title, description }) => [
        name,
        { type: 'string', ...(title && { title }), ...(description && { description }) },
      ]),
    ),
    required: args.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The document to begin with: what is given, and an empty text for every other required argument. */
export function argumentText(args: readonly PromptArgument[], given: PromptArguments): string {
  const members = args.flatMap(({ name, required }) => {
    const value = given[name] ?? (required ? '' : undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return `${JSON.stringify(Object.fromEntries(members), undefined, 2)}\n`;
}

/** Reads the document back; a `problem` is one sentence. */
export function parseArguments(
  text: string,
  args: readonly PromptArgument[],
  t: Translate,
): { readonly values: PromptArguments } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: t('This is not valid JSON: {0}', (error as Error).message) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: t('The arguments must be an object with a text for each name.') };
  const entries = Object.entries(value as Record<string, unknown>);
  const values: Record<string, string> = {};
  for (const [name, text_] of entries) {
    if (!args.some((argument) => argument.name === name))
      return { problem: t('The prompt has no argument {0}.', JSON.stringify(name)) };
    if (typeof text_ !== 'string')
      return { problem: t('The argument {0} must be a text in quotes.', JSON.stringify(name)) };
    values[name] = text_;
  }
  const missing = args.find(({ name, required }) => required && values[name] === undefined);
  return missing
    ? { problem: t('The argument {0} is required.', JSON.stringify(missing.name)) }
    : { values };
}
