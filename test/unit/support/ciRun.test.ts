import assert from 'node:assert/strict';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { repositoryRoot } from '../../support/paths';
import { formatEnd, type Counts } from '../../support/run/counts';
import { execute } from '../../support/run/execute';

const many = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) => `failed: ${name} ${number}: it is not so`);

/** A report as the test runner writes it, with a total of a part and an empty line before its end. */
const reported = (counts: Counts) =>
  [
    '  a suite',
    '    ✔ a test',
    'unit: 3 passed',
    '3 passed, 0 failed',
    '',
    ...formatEnd(counts),
  ].join('\n');

describe('the run of the CI', function () {
  let folder: string;

  before(function () {
    // It is written for the shell of the machines that the CI runs on.
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-ci-'));
    for (const name of ['.ci', 'bin', join('out', 'support', 'run')])
      await mkdir(join(folder, name), { recursive: true });
    await cp(join(repositoryRoot, '.ci', 'run'), join(folder, '.ci', 'run'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs it with programs that write these reports, and returns its exit code and the last lines of what it wrote. */
  async function run(quick: string, rest: string) {
    const npm = join(folder, 'bin', 'npm');
    const say = (text: string) =>
      `process.stdout.write(${JSON.stringify(`${text}\n`)}); process.exitCode = ${text.endsWith(' 0 failed') ? 0 : 1};`;
    await writeFile(
      npm,
      `#!${process.execPath}\nif (process.argv[2] === 'test') { ${say(quick)} console.log('npm error code 1'); }`,
    );
    await chmod(npm, 0o755);
    await writeFile(join(folder, 'out', 'support', 'run', 'testAll.js'), say(rest));
    const path = [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']];
    const { code, output } = await execute(join(folder, '.ci', 'run'), [], {
      env: { ...process.env, PATH: path.join(delimiter) },
    });
    return { code, end: output.trimEnd().split('\n').slice(-60) };
  }

  it('ends with all that failed in either half, and with the total of both', async () => {
    const { code, end } = await run(
      reported({ passed: 5, failed: 15, skipped: 0, remarks: many('quick', 15) }),
      reported({ passed: 7, failed: 15, skipped: 1, remarks: many('rest', 15) }),
    );
    assert.deepEqual(end.slice(-32), [
      '',
      ...many('quick', 15),
      ...many('rest', 15),
      '12 passed, 30 failed, 1 skipped',
    ]);
    assert.equal(code, 1);
  });

  it('has room for the failures of both, however many there are', async () => {
    const half = (name: string) =>
      reported({ passed: 0, failed: 900, skipped: 0, remarks: many(name, 900) });
    const { end } = await run(half('quick'), half('rest'));
    assert.ok(end.includes('failed: quick 0: it is not so'), end.join('\n'));
    assert.ok(end.includes('failed: rest 24: it is not so'), end.join('\n'));
    assert.equal(end.at(-1), '0 passed, 1800 failed');
  });

  it('ends with the checks that failed, without tests', async () => {
    const { code, end } = await run(
      '✔ types (3 s)\n✗ rules: oxlint\nsrc/a.ts: no',
      reported({ passed: 1, failed: 0, skipped: 0 }),
    );
    assert.deepEqual(end.slice(-5), [
      'failed: newcomer ended without a total:',
      '✗ rules: oxlint',
      'src/a.ts: no',
      'npm error code 1',
      '0 passed, 1 failed',
    ]);
    assert.equal(code, 1);
  });

  it('says nothing but the total where all passed', async () => {
    const good = reported({ passed: 2, failed: 0, skipped: 0 });
    const { code, end } = await run(good, good);
    assert.deepEqual([code, ...end.slice(-2)], [0, '', '4 passed, 0 failed']);
  });
});
