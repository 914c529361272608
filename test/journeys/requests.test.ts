import assert from 'node:assert/strict';
import { useWorkbench } from '../support/workbench/journeys';
import { startFromRow } from '../support/workbench/serverSteps';

describe('what servers ask', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({ trusted: ['everything', 'filesystem'] });

  before('start the demo server', async () => {
    await startFromRow(workbench(), 'demo', 'Tools');
  });

  /** Makes the chat's model call a tool of the demo server. */
  const call = async (tool: string, args = '{}') => {
    const { chat, quickPick } = workbench();
    await chat.send(`@mcp call ${tool} ${args}`);
    await quickPick.waitForTitle(`demo › ${tool}`);
    await quickPick.pick('Allow Once');
  };
  /** Clicks a choice above the open document. */
  const choose = (choice: string) =>
    workbench().page.locator('.codelens-decoration a').filter({ hasText: choice }).click();

  it('a request to a language model is looked at, sent, and its answer looked at before it goes back', async () => {
    const { chat, quickPick, page } = workbench();
    await call('ask_sampling');
    await quickPick.waitForTitle('demo asks: use of a language model');
    await workbench().screenshot('requests-consent');
    await quickPick.pick('Review This Request');
    const request = await workbench().editorText('demo.mcp-prompt');
    assert.match(request, /你是一名文件系统助手。/);
    assert.match(request, /当前目录下有哪些文件？/);
    assert.match(request, /"maxTokens": 100/);
    assert.match(request, /asked for its own context to be included\.\s+Nothing is \s*added/);
    await page.locator('.codelens-decoration a').filter({ hasText: 'Change Model…' }).waitFor();
    await workbench().screenshot('requests-sampling-request');
    await choose('Change Model…');
    await quickPick.waitForTitle('Model for the request of demo');
    await workbench().screenshot('requests-sampling-model');
    await quickPick.pick('Demo Model');
    await choose('Send to Demo Model');
    await page.locator('.codelens-decoration a').filter({ hasText: 'Regenerate' }).waitFor();
    assert.match(await workbench().editorText('demo.mcp-prompt'), /I am the Demo Model/);
    await workbench().screenshot('requests-sampling-answer');
    await choose('Return to demo');
    const answer = await chat.completed();
    assert.match(answer, /endTurn/);
    assert.match(answer, /I am the Demo Model/);
    await workbench().screenshot('requests-sampling-returned');
  });

  it('a form is filled in, looked at and sent', async () => {
    const { chat, quickPick } = workbench();
    await call('ask_elicitation');
    await quickPick.waitForTitle('demo asks: Name');
    await workbench().screenshot('requests-form-text');
    await quickPick.fillIn('Ada');
    await quickPick.waitForTitle('demo asks: E-mail');
    await quickPick.type('nobody');
    await quickPick.accept();
    await quickPick.widget.getByText('Not an email address').waitFor();
    await workbench().screenshot('requests-form-problem');
    await quickPick.type('ada@example.com');
    await quickPick.accept();
    for (const title of ['Date of birth', 'Age', 'Height in metres', 'Subscribe', 'Colour']) {
      await quickPick.waitForTitle(`demo asks: ${title}`);
      await quickPick.accept();
    }
    await quickPick.waitForTitle('demo asks: Size');
    await quickPick.pick('Large');
    await quickPick.waitForTitle('demo asks: Tags');
    await workbench().screenshot('requests-form-choices');
    await quickPick.accept();
    await quickPick.waitForTitle('demo asks: Days');
    await quickPick.accept();
    await quickPick.waitForTitle('demo asks: Your answer');
    await workbench().screenshot('requests-form-review');
    await quickPick.pick('Send to demo');
    assert.match(await chat.completed(), /"accept".*"name":"Ada".*"size":"l"/);
  });

  it('a page that a server wants visited is shown with its domain, and declined', async () => {
    const { chat, quickPick } = workbench();
    const url = 'https://login.xn--pple-43d.com:8443/connect?to=a-rather-long-address-of-a-page';
    await call('ask_url', JSON.stringify({ url: `${url}&${'x'.repeat(80)}` }));
    await quickPick.waitForTitle('demo asks: visit a page');
    await quickPick.item('xn--pple-43d.com').waitFor();
    await workbench().screenshot('requests-visit');
    await quickPick.pick('Decline');
    assert.match(await chat.completed(), /"decline"/);
  });

  it('several questions are counted, and declined together', async () => {
    const { chat, quickPick } = workbench();
    await call('ask_many', '{"count":3}');
    await quickPick.waitForTitle('demo asks (1 of 3): Name');
    await workbench().screenshot('requests-queue');
    await quickPick.button('Decline All 3 from demo');
    assert.match(await chat.completed(), /("action":"decline".*){3}/s);
  });

  it('what a server may of a language model is decided and taken back later', async () => {
    const { quickPick } = workbench();
    await workbench().runCommand('MCP Workbench: Manage Sampling…');
    await quickPick.waitForTitle('Language models for servers');
    await workbench().screenshot('requests-manage');
    await quickPick.pick('demo');
    await quickPick.waitForTitle('Language models for demo');
    await workbench().screenshot('requests-manage-server');
    await quickPick.pick('Never');
    await quickPick.waitForTitle('Language models for servers');
    await quickPick.dismiss();
    await call('ask_sampling');
    assert.match(await workbench().chat.completed(), /User rejected sampling request/);
  });
});
