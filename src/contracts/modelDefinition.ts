import { measureJson } from '../base/measureJson';
import { formatBytes, revealHidden } from '../base/text/text';
import type { JsonSchema, Tool } from '../mcp/protocol/types';
import { namedSchemas } from '../mcp/protocol/readAs';
import { modelSchema } from './modelSchema';

/** What a model is told about a tool besides its name. */
export interface ModelDefinition {
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The size of both as JSON. */
  readonly bytes: number;
}

const maxBytes = 100_000;
const maxDepth = 100;

/** The keywords whose strings a call must repeat or match exactly. */
const exact = new Set(['enum', 'const', 'default', 'required', 'dependentRequired', 'pattern']);

/** Says why a tool is not offered to models; `undefined` for all but the largest and most deeply nested. */
export function definitionProblem({ description, inputSchema }: Tool): string | undefined {
  const { bytes, depth } = measureJson([description, inputSchema]);
  if (bytes > maxBytes)
    return `its description and schema have ${formatBytes(bytes)}, more than ${formatBytes(maxBytes)}`;
  return depth > maxDepth ? `its schema is nested more than ${maxDepth} deep` : undefined;
}

/**
 * Returns what a model is told about a tool without a {@link definitionProblem}: the server's words with their
 * hidden characters made visible, but the names and values that a call must contain as they are; its schema as
 * {@link modelSchema} makes it.
 */
export function modelDefinition(tool: Tool): ModelDefinition {
  const description = revealHidden(tool.description ?? '');
  const inputSchema = revealSchema(modelSchema(tool.inputSchema)) as JsonSchema;
  const { bytes } = measureJson([description, inputSchema]);
  return { description, inputSchema, bytes };
}

function revealSchema(schema: unknown, isNamed = false): unknown {
  if (typeof schema === 'string') return revealHidden(schema);
  if (Array.isArray(schema)) return schema.map((part) => revealSchema(part));
  if (typeof schema !== 'object' || schema === null) return schema;
  const reveal = (key: string, part: unknown) =>
    !isNamed && exact.has(key) ? part : revealSchema(part, !isNamed && namedSchemas.has(key));
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, reveal(key, part)]));
}
