import type { JsonSchema } from '../../mcp/protocol/types';
import { readFields } from '../../ui/steps/schemaFields';

/** The usual names of parameters for a text to work on, best first. */
const usual = ['text', 'content', 'input', 'code', 'source', 'query', 'message', 'body', 'prompt'];

/** Returns the name of the parameter that a selected text fits, if any: one that takes any text. */
export function fitSelection(schema: JsonSchema): string | undefined {
  const texts = readFields(schema).filter(
    ({ kind }) => kind.kind === 'text' && kind.format === undefined,
  );
  const byName = usual.flatMap((name) => texts.filter((each) => each.name.toLowerCase() === name));
  const containing = usual.flatMap((name) =>
    texts.filter((each) => each.name.toLowerCase().includes(name)),
  );
  return [...byName, ...containing, ...texts][0]?.name;
}
