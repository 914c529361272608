import assert from 'node:assert/strict';
import {
  endingSentence,
  endingShort,
  tellingLine,
} from '../../../../src/mcp/connection/endingSentence';

const rows: readonly (readonly [string, string, string | undefined])[] = [
  ['nothing', '', undefined],
  ['blank lines', '\n  \n', undefined],
  ['one line', 'Missing account ID. Usage: run [id]', 'Missing account ID. Usage: run [id]'],
  [
    'a line of usage after it',
    'Missing account ID.\nUsage: run [id]\n  --help',
    'Missing account ID.',
  ],
  ['only a line of usage', 'usage: run [id]', 'usage: run [id]'],
  [
    'an exception of Node',
    `/srv/main.js:3\nthrow new Error('x')\n^\n\nError: no token\n    at Object.<anonymous> (/srv/main.js:3:7)\n    at node:internal/main {\n  code: 'X'\n}\n\nNode.js v20.20.0`,
    'Error: no token',
  ],
  [
    'an exception of Python',
    'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\n    main()\nKeyError: \'TOKEN\'',
    "KeyError: 'TOKEN'",
  ],
  [
    'a failure of npm',
    'npm error code E404\nnpm error 404 Not Found - GET https://registry.test/no-such\nnpm error 404\nnpm error A complete log of this run can be found in: /x.log',
    'npm error 404 Not Found - GET https://registry.test/no-such',
  ],
  ['an error before other lines', 'ERROR: no token\nshutting down', 'ERROR: no token'],
  ['lines without a level', 'starting\nno token, giving up', 'no token, giving up'],
];

describe('the line that says why a process ended', () => {
  for (const [what, words, line] of rows)
    it(`is found in ${what}`, () => assert.equal(tellingLine(words), line));
});

describe('the sentence about an ending', () => {
  it('is the ending alone where nothing was said', () =>
    assert.equal(endingSentence('exited with code 1', {}), 'exited with code 1.'));

  it('ends as a sentence does, once', () => {
    for (const stderrTail of ['no token', 'no token.'])
      assert.equal(endingSentence('exited', { stderrTail }), 'exited: no token.');
  });

  it('is one line of bounded length, with hidden characters shown', () => {
    const stderrTail = `a\u202Eb\u001B[31m \tc ${'x'.repeat(5000)}`;
    const sentence = endingSentence('exited', { stderrTail });
    assert.match(sentence, /^exited: a⟨U\+202E⟩b⟨U\+001B⟩\[31m c x+…$/);
    assert.ok(sentence.length < 400);
  });
});

describe('the ending on a row', () => {
  it('begins with what the server said, of bounded length and with hidden characters shown', () => {
    const short = endingShort('exited', `starting\nError: a\u202Eb ${'x'.repeat(5000)}`);
    assert.match(short, /^Error: a⟨U\+202E⟩b x+… · exited$/);
    assert.ok(short.length < 400);
  });

  for (const [said, shown] of [
    [
      '/srv/a/src/server.ts:3:10: ERROR: Expected ";"',
      'ERROR: Expected ";" · /srv/a/src/server.ts:3:10',
    ],
    ['src/server.ts(3,5): error TS1005: x', 'error TS1005: x · src/server.ts(3,5)'],
    ['a.py:1: b', 'a.py:1: b'],
  ] as const)
    it(`begins with what is wrong, and not with where: ${said}`, () =>
      assert.equal(endingShort('exited', said), `${shown} · exited`));

  it('is the ending where the server wrote nothing but white space', () =>
    assert.equal(endingShort('exited', ' \n'), 'exited'));
});
