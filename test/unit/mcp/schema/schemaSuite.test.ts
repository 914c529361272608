import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonSchema } from '../../../../src/mcp/protocol/types';
import { repositoryRoot } from '../../../support/paths';
import { schemaCheck } from '../../../support/schemaChecks';

interface Group {
  readonly keyword: string;
  readonly description: string;
  readonly schema: JsonSchema | boolean;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

/** The suite expects documents from this address to be fetched, which never happens. */
const elsewhere = 'localhost:1234';

const drafts = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
};

describe('Of the required tests of the JSON Schema Test Suite', function () {
  this.timeout(120_000);
  for (const [draft, $schema] of Object.entries(drafts))
    it(`97 % of ${draft} and more are right, what would have to be fetched aside`, async () => {
      const file = join(repositoryRoot, 'test', 'fixtures', 'jsonSchemaSuite', `${draft}.json`);
      const groups = JSON.parse(await readFile(file, 'utf8')) as readonly Group[];
      const { check } = schemaCheck();
      const wrong: string[] = [];
      let [right, remote] = [0, 0];
      for (const { keyword, description, schema, tests } of groups) {
        const named = typeof schema === 'boolean' ? { allOf: [schema] } : { $schema, ...schema };
        for (const test of tests) {
          const { kind } = await check(named, test.data);
          if (kind === (test.valid ? 'valid' : 'invalid')) right += 1;
          else if (kind === 'unchecked' && JSON.stringify(schema).includes(elsewhere)) remote += 1;
          else wrong.push(`${keyword}: ${description}: ${test.description}: ${kind}`);
        }
      }
      const all = right + wrong.length;
      console.log(`      ${draft}: ${right} of ${all} right, ${remote} more need another document`);
      assert.ok(right / all >= 0.97, wrong.join('\n'));
      assert.ok(all > 800, `only ${all} tests were found`);
    });
});
