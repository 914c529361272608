import assert from 'node:assert/strict';
import { fitSelection } from '../../../../src/tools/run/runToolOnSelection';

describe('The argument for a selected text', () => {
  const schemas: readonly [properties: Record<string, object>, argument: string | undefined][] = [
    [{ name: { type: 'string' }, text: { type: 'string' } }, 'text'],
    [{ path: { type: 'string' }, fileContent: { type: 'string' } }, 'fileContent'],
    [{ first: { type: 'string' }, second: { type: 'string' } }, 'first'],
    [{ text: { type: 'string', enum: ['a'] }, other: { type: 'string' } }, 'other'],
    [{ text: { type: 'string', format: 'uri' } }, undefined],
    [{ count: { type: 'number' } }, undefined],
    [{}, undefined],
  ];
  for (const [properties, argument] of schemas)
    it(`is ${argument ?? 'none'} of ${Object.keys(properties).join(', ') || 'nothing'}`, () =>
      assert.equal(fitSelection({ type: 'object', properties }), argument));
});
