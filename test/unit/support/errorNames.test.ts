import assert from 'node:assert/strict';
import { complainsOf } from './tryRule';

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
  "export const a = (one: Error) => { switch (one.name) { case 'x': return 1; case 'XError': return 2; default: return 3; } };",
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
  it('finds each, and leaves what is none', async () =>
    assert.deepEqual(
      await complainsOf('errorNames.mjs', 'names/no-error-names', [...forbidden, ...allowed]),
      forbidden,
    ));
});
