import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { listen } from '../fixtures/demoServer/http';
import { parseOptions } from '../fixtures/demoServer/options';
import { DemoState } from '../fixtures/demoServer/state';
import { useWorkbench } from '../support/workbench/journeys';
import type { PageElement } from '../support/workbench/pageElement';
import { poll } from '../support/poll';
import { untilRow, startFromRow } from '../support/workbench/serverSteps';

const state = new DemoState();

/** Configures a server that never announces changes of its resources. */
async function configureServers(directory: string): Promise<void> {
  const url = await listen(
    parseOptions(['--http', '0', '--page-size', '50', '--no-subscribe']),
    state,
  );
  const servers = { live: { type: 'http', url } };
  await writeFile(join(directory, 'app', '.vscode', 'mcp.json'), JSON.stringify({ servers }));
  await writeFile(join(directory, 'docs', '.vscode', 'mcp.json'), '{ "servers": {} }');
}

describe('resources in a user’s work', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({
    settings: { 'mcpWorkbench.resources.refreshOnFocus': true },
    prepare: ({ directory }) => configureServers(directory),
  });
  const attached = () =>
    workbench().page.locator('.chat-attached-context-attachment:not(.implicit)');

  before('start the server', async () => {
    await startFromRow(workbench(), 'live', 'Resources', 'demo://', 'Clock');
  });

  afterEach('close what was opened', () => workbench().runCommand('View: Close All Editors'));

  const drag = async (row: Locator, to: Locator) => {
    const { mouse } = workbench().page;
    await row.hover();
    await mouse.down();
    await to.hover();
    // The editor only accepts a drop after it has seen the pointer move.
    await to.hover({ position: { x: 20, y: 10 } });
    await mouse.up();
  };

  it('are read again when the window gets the focus, and marked on their row', async () => {
    const { tree } = workbench();
    await tree.click('live', 'Resources', 'demo://', 'Clock');
    await workbench().editorText('clock');
    const now = `tick ${state.advanceClock()}`;
    await workbench().comeBack();
    await untilRow(workbench(), 'Clock', /^changed · clock$/);
    assert.equal(await workbench().editorText('clock'), now);
    await workbench().screenshot('resources-marked');
  });

  it('are compared with the active file, where there is one', async () => {
    const { tree, page } = workbench();
    const clock = ['live', 'Resources', 'demo://', 'Clock'] as const;
    const compare = 'Compare with Active File';
    // A menu may still be that of the editor that was closed.
    await poll('the menu where no file is active', 20_000, async () => {
      const entries = await tree.entries(...clock);
      return (entries.includes('Save As…') && !entries.includes(compare)) || undefined;
    });
    await workbench().openFile('app/README.md');
    await tree.menu(compare, ...clock);
    await page.locator('.monaco-diff-editor .editor.original').getByText(/tick/).waitFor();
    await workbench().screenshot('resources-compared');
  });

  it('go to the chat together when several are selected', async () => {
    const { tree } = workbench();
    await tree.click('live', 'Resources', 'demo://', 'Clock');
    const second = await tree.item('live', 'Resources', 'demo://', 'Several Contents');
    await second.click({ modifiers: ['ControlOrMeta'] });
    await tree.menu('Attach to Chat', 'live', 'Resources', 'demo://', 'Clock');
    for (const name of ['clock', 'a.txt', 'b.md', 'c (png)'])
      await attached().getByText(name, { exact: true }).waitFor();
    await workbench().screenshot('resources-several-attached');
  });

  it('go to the chat when they are dragged there', async () => {
    const { tree, page } = workbench();
    const row = await tree.item('live', 'Resources', 'demo://', 'A Plain Text');
    await drag(row, page.locator('.interactive-session .chat-input-container'));
    await attached().getByText('notes.txt', { exact: true }).waitFor();
    await workbench().screenshot('resources-dragged-to-chat');
  });

  it('open when they are dragged into the editors', async () => {
    const { tree, page } = workbench();
    const row = await tree.item('live', 'Resources', 'demo://', 'Clock');
    await drag(row, page.locator('.part.editor .editor-group-container').first());
    assert.match(await workbench().editorText('clock'), /tick/);
  });

  it('are saved when they are dragged onto a folder', async () => {
    const { tree, workspace } = workbench();
    const row = await tree.item('live', 'Resources', 'demo://', 'Clock');
    await drag(row, await tree.item('Workspace Roots', 'docs'));
    const text = await poll('the saved file', 20_000, () =>
      readFile(join(workspace.directory, 'docs', 'clock'), 'utf8').catch(() => undefined),
    );
    assert.match(text, /^tick/);
  });

  it('open in the editor that the user picks', async () => {
    const { tree, page, quickPick } = workbench();
    await tree.menu('Open With…', 'live', 'Resources', 'demo://', 'annotated.md');
    await quickPick.item('Markdown Preview').waitFor();
    await quickPick.dismiss();
    const tab = page.locator('.part.editor .tab').filter({ hasText: 'annotated.md' });
    assert.equal(await tab.count(), 0);

    await tree.menu('Open With…', 'live', 'Resources', 'demo://', 'annotated.md');
    await quickPick.pick('Markdown Preview');
    await page
      .frameLocator('iframe.webview.ready')
      .frameLocator('#active-frame')
      .getByRole('heading', { name: 'For both' })
      .waitFor();
    await workbench().screenshot('resources-opened-with');
  });

  it('of a template take several values for an exploded variable, and none for an optional', async () => {
    const { tree, quickPick } = workbench();
    await tree.click('live', 'Resource Templates', 'Search');
    await quickPick.waitForTitle('Search (live): query (1/2)');
    await quickPick.accept();
    await quickPick.waitForTitle('tags (2/2)');
    await quickPick.type('first tag,second&third');
    await quickPick.accept();
    assert.match(
      await workbench().editorText('search'),
      /"query": null,\s+"tags": \[\s+"first tag",\s+"second&third"\s+\]/,
    );
  });

  it('that a tool’s result links to open from it', async () => {
    const { chat, page, quickPick } = workbench();
    await chat.send('@mcp call resource_links {}');
    await quickPick.waitForTitle('live › resource_links');
    await quickPick.pick('Allow Once');
    await chat.completed();
    await chat.answer.getByText('Show Result', { exact: true }).last().click();
    await page
      .frameLocator('iframe.webview.ready')
      .frameLocator('#active-frame')
      .getByRole('link', { name: 'main.rs' })
      .click();
    assert.match(await workbench().editorText('main.rs'), /fn main/);
    await workbench().screenshot('resources-linked');
    await workbench().runCommand('View: Close All Editors');
    // From the chat, it opens as the resource itself, with its actions.
    await chat.answer.getByText('main.rs', { exact: true }).click();
    assert.match(await workbench().editorText('main.rs'), /fn main/);
    await page
      .locator('.part.editor .editor-actions .action-label[aria-label^="Attach to Chat"]')
      .waitFor();
  });

  it('have whole names in a small window', async () => {
    const { page, tree } = workbench();
    await page.setViewportSize({ width: 900, height: 600 });
    await workbench().openView('MCP Workbench');
    await tree.item('live', 'Resources', 'demo://', 'Several Contents');
    await workbench().screenshot('resources-small');
    const rows = page.locator('.part.sidebar [role="treeitem"]');
    const cut = await rows.evaluateAll((elements: PageElement[]) =>
      elements
        .filter((row) => {
          const label = row.querySelector('.label-name')?.getBoundingClientRect();
          return label && label.right > row.getBoundingClientRect().right;
        })
        .map((row) => row.textContent),
    );
    assert.deepEqual(cut, []);
  });
});
