import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useWorkbench } from '../support/workbench/journeys';
import { poll } from '../support/poll';
import { askForServer, startServer, untilRow } from '../support/workbench/serverSteps';
import { trustAndStart, untilTrustAsked } from '../support/workbench/trustQuestion';

describe('the tree of servers', function () {
  this.timeout(90_000);
  const workbench = useWorkbench({
    settings: {
      'mcpWorkbench.servers': {
        broken: { command: 'no-such-program' },
        odd: { type: 'websocket', url: 'ws://example.com' },
      },
    },
  });

  it('begins with the workspace roots, then has each server and what cannot be used', async () => {
    await workbench().openView('MCP Workbench');
    await untilRow(workbench(), 'odd', /^The type "websocket" is unknown/);
    await workbench().tree.item('Workspace Roots', 'docs');
    const rows = await workbench().tree.rows();
    assert.deepEqual(
      rows.filter(({ level }) => level === 1).map(({ label }) => label),
      ['Workspace Roots', 'broken', 'demo', 'everything', 'filesystem', 'odd'],
    );
    assert.deepEqual(
      rows.slice(1, 3).map(({ label }) => label),
      ['app', 'docs'],
    );
    assert.deepEqual(
      rows.filter(({ level, expanded }) => level === 1 && expanded).map(({ label }) => label),
      ['Workspace Roots'],
    );
  });

  it('opens the row of a server once it was started by the button there, with counts of what it offers', async () => {
    const { tree } = workbench();
    await tree.action('Start Server', 'demo');
    await untilTrustAsked(workbench(), 'demo');
    await trustAndStart(workbench());
    for (const section of ['Resources', 'Resource Templates', 'Prompts', 'Tools'])
      await poll(`a count of ${section}`, 30_000, async () => {
        const row = (await tree.rows()).find(({ label }) => label === section);
        return /^\d+$/.test(row?.description ?? '') || undefined;
      });
    await workbench().screenshot('servers-running');
  });

  it('says on the row of a server why it failed, and leads to its log', async () => {
    await askForServer(workbench(), 'broken');
    await untilRow(workbench(), 'broken', /no-such-program/);
    await workbench().tree.click('broken', 'Show Log');
    const channel = workbench().page.locator('.part.panel .monaco-select-box');
    await channel.filter({ hasText: 'MCP: broken' }).first().waitFor();
    await workbench().screenshot('servers-failed');
  });

  it('keeps what is open and selected while another server changes', async () => {
    const { tree } = workbench();
    await tree.expand('demo', 'Prompts');
    const before = (await tree.rows()).filter(({ expanded }) => expanded).map(({ label }) => label);
    await startServer(workbench(), 'filesystem');
    await untilRow(workbench(), 'filesystem', /^docs\/\.vscode\/mcp\.json/);
    const after = (await tree.rows()).filter(({ expanded }) => expanded).map(({ label }) => label);
    assert.deepEqual(
      before.filter((label) => !after.includes(label)),
      [],
    );
  });

  it('follows mcp.json: a mistake has a row of its own and takes no server away', async () => {
    const { directory } = workbench().workspace;
    const file = join(directory, 'docs', '.vscode', 'mcp.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"command"', 'oops "command"'));
    await untilRow(workbench(), 'docs/.vscode/mcp.json', /^Line /);
    await untilRow(workbench(), 'filesystem', /^docs\/\.vscode\/mcp\.json/);
    await workbench().screenshot('servers-mistake');
  });

  it('offers on several rows, whatever lies between them, what is done to servers', async () => {
    const { tree, quickPick } = workbench();
    await tree.click('broken');
    await tree.item('broken', 'Show Log');
    const last = await tree.item('demo');
    await last.click({ modifiers: ['Shift'] });
    await tree.menu('Disable Server…', 'demo');
    await quickPick.waitForTitle('Disable broken, demo');
    await quickPick.dismiss();
  });
});
