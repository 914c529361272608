import assert from 'node:assert/strict';
import { useWorkbench } from '../support/journeys';

describe('tools', function () {
  this.timeout(120_000);
  const workbench = useWorkbench();

  before('start the servers', async () => {
    const { tree } = workbench();
    await workbench().openView('MCP Workbench');
    await (await tree.item('demo', 'Start Server')).click();
    await tree.item('demo', 'Tools');
  });

  it('a call of the model is asked about, allowed once, and answered with', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":2,"y":3}');
    await quickPick.waitForTitle('demo › ');
    await workbench().screenshot('tools-confirm');
    await quickPick.pick('Allow once');
    assert.match(await chat.completed(), /The tool says: 5/);
    await workbench().screenshot('tools-answer');
  });

  it('a denied call is not made, and the chat says so', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":20,"y":3}');
    await quickPick.waitForTitle('demo › ');
    await quickPick.pick('Deny');
    const answer = await chat.completed();
    assert.match(answer, /was denied and not called/);
    assert.doesNotMatch(answer, /23/);
  });
});
