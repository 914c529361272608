import assert from 'node:assert/strict';
import { useWorkbench } from '../support/workbench/journeys';
import { startFromRow } from '../support/workbench/serverSteps';

describe('the reference server', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({ theme: 'dark', trusted: ['demo', 'filesystem'] });

  before('start the server', async () => {
    await startFromRow(workbench(), 'everything', 'Tools');
  });

  it('has its prompts run: picked, asked with completion, answered in the chat', async () => {
    const { quickPick, chat } = workbench();
    await workbench().runCommand('MCP Workbench: Run MCP Prompt…');
    await quickPick.type('Team');
    await quickPick.pick('Team Management');
    await quickPick.waitForTitle('department (1/2)');
    await quickPick.type('Eng');
    // The rows keep moving until the one for the typed text is there.
    await quickPick.item('Eng').waitFor();
    await quickPick.pick('Engineering');
    await quickPick.waitForTitle('name (2/2)');
    // The names offered depend on the first argument.
    await quickPick.pick('Alice');
    assert.match(await workbench().editorText('Team Management'), /Alice/);
    await workbench().screenshot('everything-prompt');
    await workbench().answerDocument('Team Management.mcp-prompt');
    await chat.waitFor(/You wrote: .*Alice/);
  });

  it('has its resources opened from the tree', async () => {
    const { tree, page } = workbench();
    // The chat has started the other servers, and their new rows move these.
    for (const other of ['demo', 'filesystem']) await tree.item(other, 'Tools');
    await tree.expand('everything', 'Resources');
    await tree.click('everything', 'Resources', 'features.md');
    assert.match(await workbench().editorText('features.md'), /# Everything Server/);
    await page.locator('.statusbar').getByText('Markdown').waitFor();
    await workbench().screenshot('everything-resource');
    await workbench().closeEditor();
  });

  it('has its tools called once they are allowed', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call get-sum {"a":40,"b":2}');
    await quickPick.waitForTitle('everything › ');
    await workbench().screenshot('everything-tool');
    await quickPick.pick('Allow Once');
    assert.match(await chat.completed(), /The tool \S+ says:[^]*42/);
  });

  it('does not have its tools called where they are denied', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call get-sum {"a":20,"b":3}');
    await quickPick.waitForTitle('everything › ');
    await quickPick.pick('Deny');
    const answer = await chat.completed();
    assert.match(answer, /was not called \(denied by/);
    assert.doesNotMatch(answer, /23/);
  });
});
