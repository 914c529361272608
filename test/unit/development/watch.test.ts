import assert from 'node:assert/strict';
import { maxGlobLength, maxGlobs, readDevelopment } from '../../../src/config/development';
import { FileRestarts, maxPerMinute, settleMs } from '../../../src/development/fileRestarts';
import { FileTimes, isIgnored } from '../../../src/development/developedServer';
import { proposeGlobs } from '../../../src/development/turnOn';
import { useFakeClock } from '../../support/fakes/fakeClock';

describe('the files that a server is watched by', () => {
  for (const [title, dev, watch] of [
    ['one glob', { watch: 'src/**' }, ['src/**']],
    ['several', { watch: ['src/**', '!src/gen/**'] }, ['src/**', '!src/gen/**']],
    ['none', { watch: [] }, undefined],
    ['only what is left out', { watch: ['!src/**'] }, undefined],
    ['what is no glob', { watch: [1, ' ', '!', 'a'] }, ['a']],
    ['no text', { watch: 5 }, undefined],
    ['no object', true, undefined],
    ['none, but a debugger', { debug: { type: 'node' } }, []],
    ['neither globs nor a debugger', { watch: [], debug: { type: 'gdb' } }, undefined],
    ['too long', { watch: 'a'.repeat(maxGlobLength + 1) }, undefined],
    [
      'as many stars as there may be',
      { watch: ['**/a/**/b*.*.*', '**/*'] },
      ['**/a/**/b*.*.*', '**/*'],
    ],
    ['too many stars in one step', { watch: ['src/*a*a*a*b', 'a', '{*,*}{*,*}'] }, ['a']],
    [
      'as many choices as there may be',
      { watch: ['{a,b}/**/{c,d}*.{ts,js}'] },
      ['{a,b}/**/{c,d}*.{ts,js}'],
    ],
    [
      'too many choices',
      { watch: [`${'{a,aa}'.repeat(30)}b`, '{a/,a/a/}{a/,a/a/}{a/,a/a/}{a/,b', 'a'] },
      ['a'],
    ],
    [
      'too many stars in what only looks like several steps',
      {
        watch: [`${'*[/a]'.repeat(9)}b`, `${'*[!/]'.repeat(9)}b`, `*{${'*[/a]'.repeat(9)}b}`, 'a'],
      },
      ['a'],
    ],
    ['brackets within a step', { watch: ['src/[a-c]*/[!d].ts'] }, ['src/[a-c]*/[!d].ts']],
    ['too many stars and choices in one step', { watch: ['{a,aa}*{a,aa}*b', 'a'] }, ['a']],
    ['too many choices and steps of any depth', { watch: ['**/{a,b}/**/{c,d}/{e,f}', 'a'] }, ['a']],
    ['too many steps of any depth', { watch: ['**/a/**/b/**/c/**/d', 'a'] }, ['a']],
  ] as const)
    it(`are read: ${title}`, () => assert.deepEqual(readDevelopment({ dev })?.watch, watch));

  it('are a bounded number of globs', () => {
    const watch = Array.from({ length: maxGlobs + 10 }, (_, index) => `g${index}`);
    assert.equal(readDevelopment({ dev: { watch } })?.watch.length, maxGlobs);
  });

  for (const [line, globs] of [
    ['node server.mjs', ['server.mjs', '*.mjs', 'src/**']],
    ['node server/main.js', ['server/**', 'server/main.js', 'src/**']],
    ['npx tsx src/index.ts', ['src/**', 'src/index.ts']],
    ['node ./dist/index.js', ['dist/**', 'src/**']],
    ['node bin/server.js', ['src/**', 'bin/**']],
    ['node packages/a/build/index.js', ['packages/a/build/**', 'packages/a/src/**', 'src/**']],
    ['node ${workspaceFolder}/app/a.js', ['app/**', 'app/a.js', 'src/**']],
    ['node /work/app/a.js', ['app/**', 'app/a.js', 'src/**']],
    ['node /elsewhere/a.js', ['src/**']],
    ['python -m my_server.cli --port 1', ['my_server/**/*.py', 'src/**']],
    ['npx -y @scope/name', ['src/**']],
    ['https://example.com/mcp', ['src/**']],
  ] as const)
    it(`are guessed from ${line}`, () =>
      assert.deepEqual(proposeGlobs(line.split(' '), '/work'), globs));

  for (const [path, glob, ignored] of [
    ['src/a.ts', '**', false],
    ['node_modules/a/index.js', '**', true],
    ['a/.git/index', '**', true],
    ['dist/index.js', '**/*.js', true],
    ['dist/index.js', 'dist/**', false],
    ['dist/node_modules/a.js', 'dist/**', true],
    ['dist', '**', false],
  ] as const)
    it(`leave out ${path} of ${glob}: ${ignored}`, () =>
      assert.equal(isIgnored(path, glob), ignored));
});

describe('a server whose files change', () => {
  const clock = useFakeClock();
  let restarts: string[];
  let isUp: boolean;
  let holds: number;
  let running: Promise<void>;
  let watched: FileRestarts;

  beforeEach(() => {
    restarts = [];
    isUp = true;
    holds = 0;
    running = Promise.resolve();
    watched = new FileRestarts({
      isUp: () => isUp,
      now: () => Date.now(),
      onDidChangeHold: () => (holds += 1),
      restart: (path) => {
        restarts.push(path);
        return running;
      },
    });
  });
  const change = (path = 'a', isSaved = false, isNew = true) =>
    watched.changed({ path, isSaved, isNew });
  const later = (ms = settleMs) => clock.tick(ms);

  it('restarts once for what changes together', async () => {
    change('a');
    change('b');
    await later(settleMs - 1);
    change('c');
    await later(settleMs - 1);
    assert.deepEqual(restarts, []);
    await later(1);
    assert.deepEqual(restarts, ['c']);
  });

  it('is not started by a change when it is stopped, then or meanwhile', async () => {
    isUp = false;
    change();
    await later();
    isUp = true;
    change();
    isUp = false;
    await later();
    assert.deepEqual(restarts, []);
  });

  it('restarts again for what changed during a restart, after it', async () => {
    let finish = () => {};
    running = new Promise((resolve) => (finish = resolve));
    change('a');
    await later();
    // The server is down between its stop and its start.
    isUp = false;
    change('b');
    await later();
    assert.deepEqual(restarts, ['a']);
    isUp = true;
    finish();
    await later(0);
    await later();
    assert.deepEqual(restarts, ['a', 'b']);
  });

  it('is not restarted for ever by what it writes itself, until a file is saved', async () => {
    for (let turn = 0; turn < maxPerMinute * 3; turn += 1) {
      change('written');
      await later();
    }
    assert.equal(restarts.length, maxPerMinute);
    assert.equal(watched.heldBy, 'written');
    assert.equal(holds, 1);
    change('a', true);
    assert.equal(watched.heldBy, undefined);
    assert.equal(holds, 2);
    await later();
    assert.equal(restarts.at(-1), 'a');
  });

  it('restarts for every save, however many there are', async () => {
    for (let turn = 0; turn < maxPerMinute * 2; turn += 1) {
      change('a', true);
      await later();
    }
    assert.equal(restarts.length, maxPerMinute * 2);
  });

  it('restarts once for a save that the disk reports first, however long before', async () => {
    change('a');
    await later();
    change('a', true, false);
    await later();
    change('b');
    change('b', true, false);
    await later();
    assert.deepEqual(restarts, ['a', 'b']);
  });

  it('restarts for a save that the disk reported while restarts were held', async () => {
    for (let turn = 0; turn <= maxPerMinute; turn += 1) {
      change('written');
      await later();
    }
    assert.equal(watched.heldBy, 'written');
    change('a', true, false);
    await later();
    assert.equal(restarts.at(-1), 'a');
  });

  it('is not restarted once more for what changed before somebody else started it anew', async () => {
    change('a', true);
    watched.forget();
    await later();
    assert.deepEqual(restarts, []);
  });

  it('is left alone once nobody watches it', async () => {
    change();
    watched.dispose();
    await later();
    assert.deepEqual(restarts, []);
  });
});

describe('what is said of a watched file', () => {
  for (const [title, reports, areNew] of [
    ['a save and its echo from the disk', ['save 1', 'disk 1', 'disk 1'], [true, false, false]],
    ['the echo before the save', ['disk 1', 'save 1', 'disk 1'], [true, false, false]],
    ['a save while it was written', ['disk 1', 'save 2', 'disk 2'], [true, true, false]],
    ['two saves at one time', ['save 1', 'disk 1', 'save 1'], [true, false, true]],
    ['two changes by a program', ['disk 1', 'disk 2', 'disk 2'], [true, true, false]],
    ['a change after a save', ['save 1', 'disk 2'], [true, true]],
    ['that it is gone', ['disk 1', 'disk gone', 'disk gone'], [true, true, false]],
    ['a save where times are not known', ['disk gone', 'save gone'], [true, true]],
  ] as const)
    it(`is new or not: ${title}`, async () => {
      let time: number | undefined;
      const times = new FileTimes(async () => time);
      const said: boolean[] = [];
      for (const report of reports) {
        const [by, at] = report.split(' ');
        time = at === 'gone' ? undefined : Number(at);
        said.push(await (by === 'save' ? times.isNewSave('a') : times.isNewOnDisk('a')));
      }
      assert.deepEqual(said, areNew);
    });
});
