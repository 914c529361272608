import assert from 'node:assert/strict';
import { poll } from '../support/poll';
import { useWorkbench } from '../support/workbench/journeys';
import { startFromRow } from '../support/workbench/serverSteps';

const shownMs = 60_000;
/** How many documents a reload shows side by side. */
const besides = 3;

describe('a window that is reloaded', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({ theme: 'dark' });
  const run = (title: string) => workbench().runCommand(`MCP Workbench: ${title}`);
  const pick = (label: string) => workbench().quickPick.pick(label);

  const runTool = async (tool: string) => {
    await run('Run MCP Tool…');
    await workbench().quickPick.type(tool);
    await pick(tool);
  };
  const openRow = (text: string) =>
    workbench().page.locator('.part.sidebar [role="treeitem"]', { hasText: text }).first().click();

  /** Every kind of document, the way to it, the name of its tab, and what is read there afterwards; a tool starts its server. */
  const documents: readonly (readonly [
    what: string,
    open: () => Promise<void>,
    tab: string,
    text: RegExp,
  ])[] = [
    [
      'a resource',
      async () => {
        await run('Open MCP Resource…');
        await workbench().quickPick.type('项目说明文档');
        await pick('项目说明文档');
      },
      'readme.md',
      /# 项目说明文档/,
    ],
    [
      'the result of a tool',
      async () => {
        await runTool('advance_clock');
        await workbench().quickPick.waitForTitle('demo › advance_clock');
        await pick('Run');
      },
      'advance_clock',
      /It was the result of a tool\./,
    ],
    [
      'a message of the traffic',
      async () => {
        await workbench().tree.menu('Show Traffic', 'demo');
        await openRow('tools/list');
      },
      'tools_list',
      /It was a message of the traffic/,
    ],
    [
      'arguments that are being written',
      () => runTool('echo'),
      'echo (demo).json',
      /It was part of a question, which ended with the window\./,
    ],
    [
      'an entry of the log',
      async () => {
        await run('Show Tool Log');
        await openRow('advance_clock');
      },
      'advance_clock.mcp-review',
      /It was an entry of the tool log\./,
    ],
    [
      'a report',
      async () => {
        await run('Diagnose Start and Connection');
        await pick('demo');
      },
      'Diagnosis of demo',
      /It was a report about a server\./,
    ],
  ];

  before('start the server', () => startFromRow(workbench(), 'demo', 'Tools'));

  it('says once that a call was lost with the window, and runs it again', async () => {
    const told = /The window was closed while demo › Long Task was running\. Its result is lost/;
    await run('Run MCP Tool…');
    await workbench().quickPick.type('long_task');
    await pick('Long Task');
    for (const [step, value] of [
      [/: durationMs/, '600000'],
      [/: steps/, '10'],
    ] as const) {
      await workbench().quickPick.waitForTitle(step);
      await workbench().quickPick.fillIn(value);
    }
    await workbench().quickPick.waitForTitle(/^demo › /);
    await pick('Run');
    await workbench().page.locator('.statusbar-item', { hasText: 'Long Task' }).first().waitFor();
    await workbench().reload();
    const notification = await workbench().notification(told);
    await workbench().screenshot('reload-lost');
    await notification.getByRole('button', { name: 'Run Again' }).click();
    await workbench().quickPick.waitForTitle(/: durationMs/);
    assert.equal(await workbench().quickPick.input.inputValue(), '600000');
    await workbench().quickPick.dismiss();
    await run('Show Tool Log');
    await workbench()
      .page.getByText(/lost when the window was closed/)
      .first()
      .waitFor();
    await workbench().screenshot('reload-lost-log');
  });

  /** The editor group in front of which is this tab. */
  const groupOf = (tab: string) => {
    const { page } = workbench();
    const front = page.locator('.tab.active').filter({ hasText: tab });
    return page.locator('.part.editor .editor-group-container').filter({ has: front }).first();
  };

  /** Opens documents side by side, so that each is in front as the window is reloaded. */
  const openAndReload = async (some: typeof documents) => {
    await workbench().runCommand('View: Close All Editors');
    for (const [index, [, open, tab]] of some.entries()) {
      if (index > 0) await workbench().runCommand('View: New Editor Group to the Right');
      await open();
      await workbench().editorText(tab);
    }
    await workbench().reload();
  };

  for (const [index, [what, , tab, text]] of documents.entries())
    it(`shows what is in front, or says what it was: ${what}`, async () => {
      const first = index - (index % besides);
      if (index === first) await openAndReload(documents.slice(first, first + besides));
      await poll(`the text of ${tab}`, shownMs, async () => {
        const lines = await groupOf(tab).locator('.editor-instance .view-line').allTextContents();
        // A narrow editor breaks lines.
        return text.test(lines.join(' ').replaceAll(/\s+/g, ' ')) || undefined;
      });
      const said = await workbench().page.locator('.part.editor').allInnerTexts();
      assert.doesNotMatch(said.join(), /could not be opened/);
      await workbench().screenshot(`reload-${what}`);
    });
});
