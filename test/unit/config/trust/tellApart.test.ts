import assert from 'node:assert/strict';
import { tellApart } from '../../../../src/config/trust/manageTrust';

const long = `node ${'--option=/a/path '.repeat(60)}`;

describe('Launches that are alike', () => {
  for (const [what, lines, expected] of [
    ['where they are short', ['node a.js', 'node b.js'], ['node a.js', 'node b.js']],
    ['where there is one', [long], [long]],
    ['where nothing differs', [long, long], [long, long]],
    [
      'by what differs late',
      [`${long}--old`, `${long}--new=1`, 'node'],
      [
        'node --option=/a/path --o … n=/a/path --old',
        'node --option=/a/path --o … n=/a/path --new=1',
        'node',
      ],
    ],
    [
      'by what was appended',
      [long, `${long}--new=1`],
      [
        'node --option=/a/path --o … ion=/a/path ',
        'node --option=/a/path --o … ion=/a/path --new=1',
      ],
    ],
  ] as const)
    it(`are told apart ${what}`, () => assert.deepEqual(tellApart(lines), expected));
});
