import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { poll } from '../support/poll';
import { useWorkbench } from '../support/workbench/journeys';
import { startFromRow, untilRow } from '../support/workbench/serverSteps';

/** A server in plain Node with one tool, which prints a line to stderr when it has started. */
const source = `
console.error('ready to greet');
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'greeter', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'greet', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'good day' }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return;
  const body = answers[method] ? { result: answers[method](params) } : { error: { code: -32601, message: method } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
});
`;

describe('the traffic of a server, as its developer sees it', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({
    theme: 'dark',
    prepare: async (workspace) => {
      const app = join(workspace.directory, 'app');
      const greeter = { command: 'node', args: ['greeter/main.cjs'] };
      await writeFile(join(app, '.mcp.json'), JSON.stringify({ mcpServers: { greeter } }));
      await mkdir(join(app, 'greeter'));
      await writeFile(join(app, 'greeter', 'main.cjs'), source);
    },
  });

  /** Returns how many rows have this label. */
  const count = async (label: string) =>
    (await workbench().tree.rows()).filter((row) => row.label === label).length;

  it('is there from the start of the server, before anybody looked', async () => {
    const { tree } = workbench();
    await startFromRow(workbench(), 'greeter', 'Tools');
    await tree.menu('Show Traffic', 'greeter');
    await tree.item('→ initialize');
    await untilRow(workbench(), '← stderr', /^ready to greet · \d\d:\d\d:\d\d/);
    await untilRow(workbench(), '→ tools/list', / ms · \d+ B \/ \d+ B$/);
    await workbench().screenshot('traffic');
  });

  it('opens as JSON, and is sent again', async () => {
    const { page, tree } = workbench();
    await tree.click('→ tools/list');
    assert.match(await workbench().editorText('tools_list.json'), /"response": \{/);
    // One click opens a preview, a double click keeps it open, and neither opens it twice.
    const tab = page.locator('.part.editor .tab').filter({ hasText: 'tools_list.json' });
    await tab.locator('.monaco-icon-label.italic').waitFor();
    await (await tree.item('→ tools/list')).dblclick();
    await tab.locator('.monaco-icon-label:not(.italic)').waitFor();
    await tree.click('→ initialize');
    await page.locator('.part.editor .tab.active').filter({ hasText: 'initialize' }).waitFor();
    // A tab that was kept open comes to the front.
    await tree.click('→ tools/list');
    await tab.and(page.locator('.active')).waitFor();
    assert.equal(await tab.count(), 1);
    await workbench().closeEditor();
    await workbench().closeEditor();
    const before = await count('→ tools/list');
    await tree.menu('Replay', '→ tools/list');
    await poll('the row of what was sent again', 20_000, async () =>
      (await count('→ tools/list')) === before + 1 ? true : undefined,
    );
    await workbench().screenshot('traffic-replayed');
  });

  it('sends any request that is written down, and has a call of a tool confirmed', async () => {
    const { page, quickPick } = workbench();
    await workbench().runCommand('MCP Workbench: Send Request…');
    await workbench().editorText('ping.json');
    await page.locator('.codelens-decoration a').filter({ hasText: 'Send to greeter' }).waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(
      '{ "method": "tools/call", "params": { "name": "greet", "arguments": {} } }',
    );
    await workbench().answerDocument('ping.json');
    await quickPick.waitForTitle('greeter › greet');
    await workbench().screenshot('traffic-call');
    // A user who goes back finds what they wrote.
    await quickPick.pressUntilGone('Escape');
    assert.match(await workbench().editorText('ping.json'), /"name": "greet"/);
    await workbench().answerDocument('ping.json');
    await quickPick.waitForTitle('greeter › greet');
    await quickPick.pick('Run');
    await untilRow(workbench(), '→ tools/call', /^greet · .* ms · /);
    // The result takes the keyboard from a menu that is open when it comes up.
    assert.match(await workbench().editorText('greet.txt'), /good day/);
  });

  it('has what a row sent edited, and sends that', async () => {
    const { page, tree } = workbench();
    await tree.menu('Edit and Send…', '→ tools/list');
    await page.locator('.codelens-decoration a').filter({ hasText: 'Send to greeter' }).waitFor();
    assert.match(await workbench().editorText('tools_list.json'), /"method": "tools\/list"/);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('{ "method": "resources/list", "params": {} }');
    await workbench().answerDocument('tools_list.json');
    await tree.item('→ resources/list');
  });

  it('makes a test of a call', async () => {
    const { tree } = workbench();
    await tree.menu('Save as Test…', '→ tools/call');
    assert.match(await workbench().editorText('greeter.mcp-calls.jsonc'), /"call": "greet"/);
  });

  it('shows what is pinned above the rest, and what holds the words of a filter', async () => {
    const { quickPick, tree } = workbench();
    await tree.menu('Pin', '→ initialize');
    await workbench().runCommand('MCP Workbench: Filter Traffic…');
    await quickPick.waitForTitle('Filter Traffic');
    await quickPick.type('tools/call greet');
    await quickPick.accept();
    await poll('the other rows to go', 20_000, async () =>
      (await count('→ tools/list')) === 0 ? true : undefined,
    );
    const labels = (await tree.rows()).map(({ label }) => label).filter((one) => /^[→←]/.test(one));
    assert.deepEqual(labels, ['→ initialize', '→ tools/call']);
    await workbench().screenshot('traffic-filtered');
    await workbench().runCommand('MCP Workbench: Filter Traffic…');
    await quickPick.waitForTitle('Filter Traffic');
    await quickPick.type('nothing has this');
    await quickPick.accept();
    const note = workbench()
      .page.locator('.part.sidebar [role="treeitem"]')
      .filter({ hasText: /“nothing has this”: 0 of \d+/ });
    await note.click();
    await note.waitFor({ state: 'detached' });
    await tree.item('→ tools/list');
  });
});
