import { createSchemaCheck } from '../../../src/mcp/schema/jsonSchema';
import type { JsonSchema } from '../../../src/mcp/protocol/types';
import { schemaThread } from '../../support/schemaChecks';
import { median, timed, type Row } from '../measure';

/**
 * Measures how long checking the arguments of a call takes, with a different schema each time, as for different
 * tools.
 */
export async function schemaChecks(): Promise<Row> {
  const thread = schemaThread();
  const { check } = createSchemaCheck(thread.run);
  const first = await timed(() => check(toolSchema(0), toolArguments));
  const times: number[] = [];
  for (let i = 1; i <= 300; i += 1) {
    const schema = toolSchema(i);
    times.push(await timed(() => check(schema, toolArguments)));
  }
  thread.dispose();
  const others = { 'ms of the first, its thread started': first };
  return { name: 'checking arguments', ratio: median(times), goal: 2, unit: 'ms', others };
}

const toolArguments = { path: 'x', depth: 2, kind: 'a', list: ['a', 'b'] };

function toolSchema(index: number): JsonSchema {
  return {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      depth: { type: 'integer', minimum: 0 },
      kind: { enum: ['a', 'b', `c${index}`] },
      list: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
    },
    required: ['path'],
    additionalProperties: false,
  };
}
