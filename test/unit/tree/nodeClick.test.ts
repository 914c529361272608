import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { nodeClick, throughRowClicks } from '../../../src/ui/rows/rowClicks';
import { Command } from '../../../src/ui/ids';
import { byUser } from '../../../src/ui/questions/question';

const row = { id: 'a', parent: undefined };

describe('A click on a row of the servers', () => {
  it('runs its command with the arguments of that, and has what came of it', async () => {
    const ran: unknown[] = [];
    const opening = vscode.commands.registerCommand(Command.openResource, (...given: unknown[]) => {
      ran.push(given);
      return true;
    });
    const command = { title: 'Do', command: Command.openResource, arguments: ['b', 1] };
    const click = nodeClick({ ...row, item: () => ({ id: 'a', command }) });
    assert.equal(await click?.run(byUser()), true);
    assert.deepEqual([click?.row, ran], ['a', [['b', 1]]]);
    opening.dispose();
  });

  it('does nothing where the row has nothing to do', () =>
    assert.equal(nodeClick({ ...row, item: () => ({ id: 'a' }) }), undefined));

  it('needs no arguments, as those of a row that has just changed are gone', () => {
    const command = { title: 'Open', command: Command.openResource, arguments: ['a'] };
    assert.deepEqual(throughRowClicks({ id: 'a', command }).command, {
      title: 'Open',
      command: Command.clickRow,
    });
    for (const item of [{ id: 'a' }, { command }]) assert.equal(throughRowClicks(item), item);
  });
});
