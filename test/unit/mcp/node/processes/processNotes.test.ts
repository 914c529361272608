import assert from 'node:assert/strict';
import {
  type ProcessNote,
  isLeft,
  mayBeOwned,
  tellingWords,
} from '../../../../../src/mcp/node/processes/orphans';
import type { ProcessEntry } from '../../../../../src/mcp/node/processes/processTable';

const host = '/opt/editor/host';
const at = 1_000_000;

const note: ProcessNote = {
  pid: 70,
  startedAt: at,
  command: '/bin/npx',
  words: tellingWords(['-y', 'some-server@^1.2.0', '--root=(a b)']),
  owner: { pid: 50, startedAt: at - 60_000, command: host },
};
const onLinux: ProcessNote = { ...note, boot: 'now' };

const entry = (pid: number, more: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid,
  parent: 1,
  group: pid,
  startedAt: at,
  command: '/bin/other',
  ...more,
});

describe('a process that was noted', () => {
  const earlier = at - 60_000;
  const owners: readonly (readonly [
    string,
    ProcessNote,
    string | undefined,
    ProcessEntry[],
    boolean,
  ])[] = [
    ['nothing has the id of its host', note, undefined, [entry(70)], false],
    ['the host runs', note, undefined, [entry(50, { startedAt: earlier + 2000 })], true],
    ['its id is that of another', note, undefined, [entry(50)], false],
    ['the clock was set', note, undefined, [entry(50, { command: `"${host}" -x` })], true],
    [
      'the host goes by another name, and the clock was set',
      note,
      undefined,
      [entry(50), entry(70, { parent: 50 })],
      true,
    ],
    ['the host runs on Linux', onLinux, 'now', [entry(50, { startedAt: earlier })], true],
    [
      'another like the host has its id on Linux',
      onLinux,
      'now',
      [entry(50, { startedAt: earlier + 10, command: host })],
      false,
    ],
    [
      'Linux was started again',
      onLinux,
      'later',
      [entry(50, { startedAt: earlier, command: host })],
      false,
    ],
  ];
  for (const [name, noted, boot, table, expected] of owners)
    it(`${expected ? 'may be' : 'is not'} owned where ${name}`, () => {
      assert.equal(mayBeOwned(noted, { table, boot }), expected);
    });

  const npx = '/bin/npx -y some-server@^1.2.0';
  const rest = { group: 70, command: 'node some-server@^1.2.0' };
  const left: readonly (readonly [
    string,
    ProcessNote,
    string | undefined,
    ProcessEntry[],
    boolean,
  ])[] = [
    ['it runs', note, undefined, [entry(70, { startedAt: at + 2000, command: npx })], true],
    ['it began later', note, undefined, [entry(70, { startedAt: at + 4000, command: npx })], false],
    ['another command has its id', note, undefined, [entry(70)], false],
    ['it is gone', note, undefined, [entry(71)], false],
    ['it is gone, but not all of its group', note, undefined, [entry(71, rest)], true],
    [
      'an earlier group has its id',
      note,
      undefined,
      [entry(71, { ...rest, startedAt: at - 4000 })],
      false,
    ],
    ['it runs on Linux', onLinux, 'now', [entry(70, { command: npx })], true],
    [
      'one like it began a moment later on Linux',
      onLinux,
      'now',
      [entry(70, { startedAt: at + 10, command: npx })],
      false,
    ],
    ['Linux was started again', onLinux, 'later', [entry(70, { command: npx })], false],
    [
      'a group has its id since Linux was started again',
      onLinux,
      'later',
      [entry(71, { ...rest, startedAt: at + 10 })],
      false,
    ],
  ];
  for (const [name, noted, boot, table, expected] of left)
    it(`${expected ? 'is' : 'is not'} left where ${name}`, () => {
      assert.equal(isLeft(noted, { table, boot }), expected);
    });

  for (const [name, one, expected] of [
    ['what it started', { parent: 70 }, true],
    ['what another started', { parent: 71 }, false],
    ['what a later one with its id started', { parent: 70, startedAt: at - 60_000 }, false],
    ['another program below its id', { parent: 70, command: 'other.exe' }, false],
  ] as const)
    it(`${expected ? 'is' : 'is not'} left where it ended and Windows still runs ${name}`, () => {
      const below = { command: npx, group: 80, ...one };
      assert.equal(isLeft(note, { table: [entry(80, below)], boot: undefined }), expected);
    });

  const onWindows: ProcessNote = {
    ...note,
    command: 'C:\\Program Files\\nodejs\\npx.CMD',
    words: tellingWords(['-y', 'some-server@^1.2.0', '(a b)']),
  };
  const shell = 'C:\\Windows\\System32\\cmd.exe /d /q /e:on /v:off /s /c';
  for (const [name, command, expected] of [
    ['it', `${shell} ""C:\\Program Files\\nodejs\\npx.CMD" -y x"`, true],
    ['what it starts', `node npx-cli.js -y "some-server@^1.2.0" "(a b)"`, true],
    ['another', `${shell} ""C:\\Program Files\\other.CMD" -y other"`, false],
  ] as const)
    it(`${expected ? 'is' : 'is not'} left where the command prompt of Windows runs ${name}`, () => {
      const table = [entry(70, { command })];
      assert.equal(isLeft(onWindows, { table, boot: undefined }), expected);
    });
});
