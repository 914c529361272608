import assert from 'node:assert/strict';
import { complainsOf } from './tryRule';

const past = [
  "export const a = { message: 'The server is gone.' };",
  'export const a = (x: string) => `The file ${x} cannot be read.`;',
  "export const a = () => { throw new UserError('Nothing is there to read.'); };",
  'export const a = [{ problem: \'"env" must be an object.\' }];',
];

const through = [
  "export const a = (t: T) => t('The server is gone.');",
  "export const a = () => vscode.l10n.t('The server is gone.');",
  "export const a = (t: T, b: boolean) => t('{0} is not a file.', b ? 'x' : 'y');",
  "export const a = (log: L) => log.warn('The session is lost.');",
  "export const a = () => { throw new Error('This cannot happen here.'); };",
  "export const a = 'mcpWorkbench.servers';",
  "export const a = 'two words.';",
];

describe('the rule of translated sentences', () => {
  it('finds each that goes past the translation, and no other', async () =>
    assert.deepEqual(
      await complainsOf('translated.mjs', 'translated/translated', [...past, ...through]),
      past,
    ));
});
