import assert from 'node:assert/strict';
import { useWorkbench } from '../support/journeys';

describe('tools', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({
    settings: { 'editor.autoClosingBrackets': 'never', 'editor.autoClosingQuotes': 'never' },
  });

  before('start the demo server', async () => {
    const { tree } = workbench();
    await workbench().openView('MCP Workbench');
    await (await tree.item('demo', 'Start Server')).click();
    await tree.item('demo', 'Tools');
  });

  it('a call of the model is asked about, allowed once, and answered with', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":2,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    await workbench().screenshot('tools-confirm');
    await quickPick.pick('Allow once');
    assert.match(await chat.completed(), /The tool says: [^]*5\.00/);
    await workbench().screenshot('tools-answer');
  });

  it('a denied call is not made, and the chat says so', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":20,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.pick('Deny');
    const answer = await chat.completed();
    assert.match(answer, /was denied and not called/);
    assert.doesNotMatch(answer, /23\.00/);
  });

  it('Enter on a question that has just appeared denies', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":30,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    // What was typed for something else must not filter its way to an allowance.
    await page.keyboard.type('al');
    await page.keyboard.press('Enter');
    assert.match(await chat.completed(), /was denied and not called/);
  });

  it('a reason for a denial reaches the model', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":40,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.pick('Deny and tell the model why…');
    await quickPick.waitForTitle('Deny');
    await quickPick.type('Use the other calculator');
    await quickPick.accept();
    assert.match(await chat.completed(), /The tool says: [^]*Use the other calculator/);
  });
});
