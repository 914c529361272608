import { join } from 'node:path';
import { SchemaThread, type SchemaBudget } from '../../src/mcp/node/schema/schemaThread';
import { createSchemaCheck, type SchemaCheck } from '../../src/mcp/schema/jsonSchema';
import { repositoryRoot } from './paths';

/**
 * Creates the schema thread as it ships, with a generous budget: on a busy machine, even harmless schemas take time.
 */
export function schemaThread(budget: SchemaBudget = { ms: 10_000, megabytes: 64 }): SchemaThread {
  return new SchemaThread(budget, join(repositoryRoot, 'dist', 'schemaWorker.js'));
}

/** Creates a schema check that uses such a thread, which ends with the process. */
export function schemaCheck(): SchemaCheck {
  return createSchemaCheck(schemaThread().run);
}
