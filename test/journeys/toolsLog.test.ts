import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { openWindow, useWorkbench } from '../support/workbench/journeys';
import type { PageElement } from '../support/workbench/pageElement';
import { startFromRow } from '../support/workbench/serverSteps';

describe('tools and their log', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({
    trusted: ['everything', 'filesystem'],
    theme: 'dark',
    settings: { 'mcpWorkbench.chat.maxRounds': 2 },
  });

  /** Returns the log rows that contain this text. */
  const logged = (text: string, { page } = workbench()): Locator =>
    page
      .locator('.part.sidebar .pane')
      .filter({ has: page.locator('.pane-header', { hasText: 'Tool Log' }) })
      .locator('[role="treeitem"]')
      .filter({ hasText: text });

  before('start the demo server', async () => {
    await startFromRow(workbench(), 'demo', 'Tools');
  });

  const call = '@mcp call calculate {"operation":"add","x":2,"y":3}';

  it('an allowance for exact arguments is listed, explained, and taken back', async () => {
    const { chat, quickPick } = workbench();
    await chat.send(call);
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.pick('Applies to: this tool');
    await quickPick.item('Applies to: this tool with these arguments').waitFor();
    await workbench().screenshot('tools-confirm-dark');
    await quickPick.pick('Allow for This Session');
    await chat.completed();
    await chat.send(call);
    assert.match(await chat.completed(), /5\.00/);

    await workbench().runCommand('MCP Workbench: Manage Tool Approvals…');
    const [given] = await quickPick.items();
    assert.equal(given?.label, 'demo › calculate');
    assert.equal(given.description, 'this tool with these arguments');
    assert.match(given.detail, /"operation":"add"/);
    await workbench().screenshot('tools-approvals-dark');
    await quickPick.pick('demo › calculate');
    const covered = await workbench().editorText('approval.txt');
    assert.match(covered, /Covers: this tool with these arguments\nFor this session\nGiven /);
    assert.doesNotMatch(covered, /fingerprint|[0-9a-f]{64}/);
    await workbench().screenshot('tools-approval-explained');
    await workbench().closeEditor();

    await workbench().runCommand('MCP Workbench: Manage Tool Approvals…');
    await quickPick.item('demo › calculate').hover();
    await quickPick.button('Withdraw');
    await quickPick.item('demo › calculate').waitFor({ state: 'hidden' });
    await quickPick.dismiss();
    await chat.send(call);
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.pick('Deny');
    await chat.completed();
  });

  it('an answer stops after the rounds that are allowed, says so, and can go on', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call forever echo {"round":"again"}');
    await quickPick.waitForTitle('demo › echo');
    await quickPick.pick('Allow for This Session');
    assert.match(await chat.completed(), /Stopped after 2 rounds of tool calls\./);
    await page.getByText('Continue', { exact: true }).first().waitFor();
  });

  it('a double click opens an entry of the log once, and keeps its tab', async () => {
    const { page } = workbench();
    await workbench().runCommand('MCP Workbench: Show Tool Log');
    const row = logged('calculate').first();
    await row.dblclick();
    const tab = page.locator('.part.editor .tab').filter({ hasText: 'calculate.mcp-review' });
    await tab.locator('.monaco-icon-label:not(.italic)').waitFor();
    await workbench().runCommand('File: New Untitled Text File');
    await page.locator('.part.editor .tab.active').filter({ hasText: 'Untitled' }).waitFor();
    // A tab that was kept open comes to the front.
    await row.click();
    await tab.and(page.locator('.active')).waitFor();
    assert.equal(await tab.count(), 1);
    await workbench().closeEditor();
    await workbench().closeEditor();
  });

  it('a filter opens the section and has a row of its own, which takes it off, also where it finds nothing', async () => {
    const { quickPick, page } = workbench();
    await logged('calculate').first().waitFor();
    const headings = await page.locator('.part.sidebar .pane-header .title').allInnerTexts();
    assert.deepEqual(headings, ['Servers', 'Tool Log']);
    await page.locator('.part.sidebar .pane-header', { hasText: 'Tool Log' }).click();
    await logged('').first().waitFor({ state: 'detached' });
    await workbench().runCommand('MCP Workbench: Filter Tool Log…');
    await quickPick.waitForTitle('Filter Tool Log');
    await logged('calculate').first().waitFor();
    await quickPick.type('nothing has this');
    await quickPick.accept();
    const note = logged('“nothing has this”: 0 of ');
    await note.waitFor();
    assert.equal(await logged('').count(), 1);
    await workbench().screenshot('tools-log-filtered');
    await note.click();
    await note.waitFor({ state: 'detached' });
    await logged('calculate').first().waitFor();
  });

  it('has figures, whose names lead to their entries', async () => {
    const { page } = workbench();
    await workbench().runCommand('MCP Workbench: Show Statistics');
    const text = await workbench().editorText('Statistics.mcp-review');
    assert.match(text, /── Last 24 hours ──\n\ncalls: \d+/);
    assert.match(text, /demo › calculate +█+\n +calls: \d+ · not sent: 1 · p50 \d+\.\d\d s/);
    await workbench().screenshot('tools-statistics-dark');
    const links = page.locator('.detected-link').filter({ hasText: 'calculate' });
    await links.first().waitFor({ state: 'attached' });
    // Lines are not drawn in order, and drawn anew meanwhile: what is at the place of the topmost one stays the same.
    const places = await links.evaluateAll((elements: PageElement[]) =>
      elements.map((link) => {
        const { right, top } = link.getBoundingClientRect();
        return { right, top };
      }),
    );
    const { right, top } = places.toSorted((a, b) => a.top - b.top)[0] ?? assert.fail();
    await page.keyboard.down('ControlOrMeta');
    await page.mouse.click(right - 10, top + 5);
    await page.keyboard.up('ControlOrMeta');
    await logged('“demo › calculate”: ').waitFor();
    assert.equal(await logged('echo · everything').count(), 0);
    await logged('“demo › calculate”: ').click();
    await logged('“demo › calculate”: ').waitFor({ state: 'detached' });
    await workbench().closeEditor();
  });

  it('a call appears in the log of another window of the workspace, which need not be looked at', async () => {
    const { page, chat, quickPick } = workbench();
    const other = await openWindow(workbench());
    await other.openView('MCP Workbench');
    await other.runCommand('MCP Workbench: Show Tool Log');
    await logged('calculate', other).first().waitFor();
    const count = await logged('calculate', other).count();
    await page.bringToFront();
    await chat.send(call);
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.pick('Deny');
    await chat.completed();
    await logged('calculate', other).nth(count).waitFor();
    await other.page.close();
  });

  it('a call that a crash cut off stays in the log', async () => {
    const { page, chat, quickPick, editor } = workbench();
    await chat.send('@mcp call long_task {"durationMs":600000,"steps":600}');
    await quickPick.waitForTitle('demo › Long Task');
    await quickPick.pick('Allow Once');
    await page.locator('.statusbar-item').filter({ hasText: 'Long Task' }).waitFor();
    await workbench().runCommand('MCP Workbench: Show Tool Log');
    const row = logged('running').filter({ hasText: 'Long Task' });
    await row.click();
    assert.match(
      await workbench().editorText('Long Task.mcp-review'),
      /Tool: long_task\n[^]*Called by: a model, for @mcp/,
    );
    await workbench().screenshot('tools-log-entry');
    const processes = await editor.processes();
    const hosts = processes.filter(({ command }) => command.includes('--type=extensionHost'));
    // The extension host of the window that was closed before may still be there.
    assert.notEqual(hosts.length, 0);
    for (const { pid } of hosts) process.kill(pid, 'SIGKILL');
    await page.reload();
    await workbench().openView('MCP Workbench');
    await workbench().runCommand('MCP Workbench: Show Tool Log');
    // Where the killed window held on to its storage, the next one does not know that it is gone.
    await logged('Long Task')
      .filter({ hasText: /no result recorded|lost when the window was closed/ })
      .waitFor();
  });
});
