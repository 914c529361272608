import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute } from '../../support/run/execute';
import { repositoryRoot } from '../../support/paths';

const forbidden = [
  "export const a = (error: Error) => error.name === 'X';",
  "export const a = (one: Error) => one.name === 'ProtocolError';",
  'export const a = (one: Error) => /^(Unauthorized|InsufficientScope)Error$/.test(one.name);',
  "export const a = (one: unknown) => (one as Error).name !== 'X';",
  "export const a = (one: Error) => one.name.startsWith('TimeoutError');",
  "export const a = (one: Error) => ['AbortError'].includes(one.cause.name);",
  'export const a = (one: object) => one.constructor.name;',
  'export class A { x = 1; constructor() { console.log(new.target.name); } }',
  "export const a = (error: Error) => { switch (error.name) { case 'X': return 1; default: return 2; } };",
  'export const a = (error: Error) => { const { name } = error; return name; };',
  "export const a = (error: Error) => error['name'] === 'X';",
];

const allowed = [
  "export const a = (tool: { name: string }) => tool.name === 'read';",
  "export const a = (tool: { name: string }) => tool.name.startsWith('x');".replace('Error', 'x'),
  'export const a = (error: Error) => `${error.name}: ${error.message}`;',
  "export const a = (error: { code: string }) => error.code === 'ENOENT';",
  'export const a = ({ name }: { name: string }) => name;',
];

describe('the rule against decisions by names', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'error-names-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('finds each, and leaves what is none', async () => {
    const config = join(directory, 'config.json');
    const plugin = join(repositoryRoot, 'test', 'support', 'lint', 'errorNames.mjs');
    const rules = { 'names/no-error-names': 'error' };
    await writeFile(config, JSON.stringify({ jsPlugins: [plugin], categories: {}, rules }));
    const write = (kind: string) => (code: string, index: number) =>
      writeFile(join(directory, `${kind}${index}.ts`), `${code}\n`);
    await Promise.all([...forbidden.map(write('forbidden')), ...allowed.map(write('allowed'))]);
    const found = await lint(['-c', config, directory]);
    const files = new Set(found.match(/(?:forbidden|allowed)\d+(?=\.ts:.*no-error-names)/g));
    assert.deepEqual([...files].toSorted(), forbidden.map((_, i) => `forbidden${i}`).toSorted());
  });
});

/** What the linter writes, whichever way it ends. */
async function lint(args: readonly string[]): Promise<string> {
  const cli = join(repositoryRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');
  return (await execute(process.execPath, [cli, '-f', 'unix', ...args])).output;
}
