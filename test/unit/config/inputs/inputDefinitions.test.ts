import assert from 'node:assert/strict';
import { inputsIn } from '../../../../src/config/add/importedServer';
import { readInput } from '../../../../src/config/inputs/askInput';

describe('an input of mcp.json', () => {
  it('is a text, hidden where it is a password', () =>
    assert.deepEqual(
      readInput(
        [{ id: 'key', type: 'promptString', description: 'The key', password: true }],
        'key',
      ),
      { input: { id: 'key', type: 'promptString', description: 'The key', password: true } },
    ));

  it('is a choice from a list, with labels where they are given', () =>
    assert.deepEqual(
      readInput(
        [{ id: 'o', type: 'pickString', options: ['a', { label: 'B', value: 'b' }], default: 'b' }],
        'o',
      ),
      {
        input: {
          id: 'o',
          type: 'pickString',
          default: 'b',
          options: [
            { label: 'a', value: 'a' },
            { label: 'B', value: 'b' },
          ],
        },
      },
    ));

  for (const [title, inputs, problem] of [
    ['there is no list', undefined, /No input is called "x"/],
    ['the list is no list', {}, /No input is called "x"/],
    ['its type is unknown', [{ id: 'x', type: 'command' }], /must be "promptString" or/],
    ['it has nothing to pick from', [{ id: 'x', type: 'pickString' }], /needs a list/],
  ] as const)
    it(`is a problem where ${title}`, () => {
      const read = readInput(inputs, 'x');
      assert.ok('problem' in read);
      assert.match(read.problem, problem);
    });
});

describe('the inputs that a server uses', () => {
  it('are those of all its values, each once and in their order', () =>
    assert.deepEqual(
      inputsIn({
        type: 'stdio',
        command: '${input:b}/serve',
        args: ['--key=${input:a}', '${input:b}', '${env:c}', '${input'],
        env: { KEY: '${input:d e}', '${input:name}': '${input:"q"}' },
      }),
      ['b', 'a', 'd e', '"q"'],
    ));
});
