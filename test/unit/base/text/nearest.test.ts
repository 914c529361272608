import assert from 'node:assert/strict';
import { nearestWord } from '../../../../src/base/text/text';

const words = ['command', 'args', 'env', 'envFile', 'url', 'headers'];

describe('the nearest word', () => {
  for (const [word, nearest] of [
    ['comand', 'command'],
    ['commmand', 'command'],
    ['cammand', 'command'],
    ['ocmmand', 'command'],
    ['COMMAND', 'command'],
    ['arg', 'args'],
    ['envfile', 'envFile'],
    ['evn', 'env'],
    ['ulr', 'url'],
    ['header', 'headers'],
    ['command ', 'command'],
    ['x', undefined],
    ['', undefined],
    ['description', undefined],
    ['timeout', undefined],
    ['a'.repeat(100_000), undefined],
  ] as const)
    it(`to "${word.slice(0, 20)}" is ${nearest ?? 'none'}`, () =>
      assert.equal(nearestWord(word, words), nearest));
});
