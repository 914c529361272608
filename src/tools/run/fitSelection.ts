import type { JsonSchema } from '../../mcp/protocol/types';
import { readFields } from '../../ui/steps/schemaFields';

/** Names that parameters for a text to work on usually have, the best first. */
const usual = ['text', 'content', 'input', 'code', 'source', 'query', 'message', 'body', 'prompt'];

/** The parameter of a tool that a selected text fits, if any: a text that is not one of a few values. */
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
