import assert from 'node:assert/strict';
import { keybindingText, parseRunCommand } from '../../../src/prompts/runRequest';

describe('the command that runs a prompt', () => {
  it('takes a server, a prompt, arguments and where the messages go', () => {
    const given = { server: 's', prompt: 'p', arguments: { a: ' 1\n' }, action: 'insert' };
    assert.deepEqual(parseRunCommand(given), given);
  });

  for (const given of [
    undefined,
    null,
    'text',
    3,
    [],
    {},
    { server: 's' },
    { server: 1, prompt: 'p' },
  ])
    it(`takes ${JSON.stringify(given)} for no prompt at all`, () =>
      assert.equal(parseRunCommand(given), undefined));

  for (const [problem, extra] of [
    ['action', { action: 'fly' }],
    ['arguments', { arguments: { a: 1 } }],
    ['arguments', { arguments: ['a'] }],
    ['arguments', { arguments: 'a' }],
  ] as const)
    it(`finds fault with ${JSON.stringify(extra)}`, () =>
      assert.deepEqual(parseRunCommand({ server: 's', prompt: 'p', ...extra }), { problem }));

  it('is copied as a keybinding that it reads back', () => {
    const args = { server: 'a "b"', prompt: 'p\n' };
    const keybinding = JSON.parse(keybindingText('mcpWorkbench.runPrompt', args)) as {
      command: string;
      args: unknown;
    };
    assert.equal(keybinding.command, 'mcpWorkbench.runPrompt');
    assert.deepEqual(parseRunCommand(keybinding.args), args);
  });
});
