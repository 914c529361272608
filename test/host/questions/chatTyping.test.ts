import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { watchActions } from '../../../src/ui/questions/questions';
import { poll } from '../../support/poll';

const waitMs = 20_000;
const { executeCommand } = vscode.commands;

describe('a message that somebody writes in the chat', function () {
  this.timeout(60_000);

  it('is what the user does last, from its first letter until it has gone', async () => {
    let time = 1;
    const actions = watchActions(() => time);
    const untilLast = (expected: number) =>
      poll(`${expected} as the time of the last action`, waitMs, () =>
        Promise.resolve(actions.last.elsewhere === expected || undefined),
      );
    await executeCommand('workbench.action.chat.open', { query: 'H', isPartialQuery: true });
    await untilLast(1);
    time = 2;
    await executeCommand('type', { text: 'i' });
    await untilLast(2);
    time = 3;
    // Taken back letter by letter, it was not sent.
    for (const _letter of 'Hi') {
      time += 1;
      await executeCommand('deleteLeft');
      await untilLast(time);
    }
    await executeCommand('type', { text: 'Hi' });
    await executeCommand('deleteAllLeft');
    await untilLast(-Infinity);
    assert.equal(actions.last.ours, -Infinity);
    actions.dispose();
  });
});
