import { join } from 'node:path';
import { SchemaThread, type SchemaBudget } from '../../src/mcp/node/schema/schemaThread';
import { createSchemaCheck, type SchemaCheck } from '../../src/mcp/schema/jsonSchema';
import { repositoryRoot } from './paths';

/** The thread as it ships; a machine that is busy takes its time for what is harmless, too. */
export function schemaThread(budget: SchemaBudget = { ms: 10_000, megabytes: 64 }): SchemaThread {
  return new SchemaThread(budget, join(repositoryRoot, 'dist', 'schemaWorker.js'));
}

/** A check in such a thread, which ends with the process. */
export function schemaCheck(): SchemaCheck {
  return createSchemaCheck(schemaThread().run);
}
