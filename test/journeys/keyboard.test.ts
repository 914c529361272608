import assert from 'node:assert/strict';
import { poll } from '../support/poll';
import { emptyFolder } from '../support/editor/workspace';
import { useWorkbench } from '../support/workbench/journeys';

const server = 'MCP Workbench Demo';
const commandMs = 60_000;
const offeredMs = 3000;

/** Counts, in the page, how often a mouse button was pressed. */
const countPresses = `
  globalThis.presses = 0;
  addEventListener('pointerdown', () => { globalThis.presses += 1; }, true);`;

/** Resolves to true if something finished in time. */
function within(begun: Promise<void>): Promise<true | undefined> {
  return begun.then(
    () => true,
    () => undefined,
  );
}

describe('with the keyboard alone', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({ ...emptyFolder, theme: 'contrastLight' });

  /** Runs a command from the palette, which does not show an entry that is added while it is open. */
  async function run(title: string): Promise<void> {
    const { page, quickPick } = workbench();
    const row = quickPick.item(title).and(page.locator('.focused'));
    const comes = (state: 'visible' | 'hidden') =>
      within(row.waitFor({ state, timeout: offeredMs }));
    await poll(`the command ${title}`, commandMs, async () => {
      await page.keyboard.press('F1');
      // A window that is busy drawing may miss the key.
      if (!(await within(quickPick.input.waitFor({ timeout: offeredMs })))) return undefined;
      await quickPick.type(`>${title}`);
      if (await comes('visible')) {
        await page.keyboard.press('Enter');
        return comes('hidden');
      }
      await page.keyboard.press('Escape');
      return undefined;
    });
  }

  /** Opens a row of the tree. */
  async function open(...path: string[]): Promise<void> {
    await run('MCP Workbench: Focus on MCP Workbench View');
    await workbench().tree.goTo(server, ...path);
    await workbench().page.keyboard.press('Enter');
  }

  before('start the demo', async () => {
    const { page, quickPick, tree } = workbench();
    await page.evaluate(countPresses);
    await run('MCP Workbench: Try the Demo');
    await quickPick.waitForTitle(`Start "${server}"?`);
    await quickPick.takeNext('Not Now', 'Trust and Start');
    await poll('the row of the server to open', commandMs, async () =>
      (await tree.rows()).some(({ label }) => label === 'Tools') ? true : undefined,
    );
  });

  it('a prompt of the palette is run and answered', async () => {
    const { chat, quickPick } = workbench();
    await run('MCP Workbench: Run MCP Prompt…');
    await quickPick.type('Explain a Term');
    await quickPick.waitForActive('Explain a Term');
    await quickPick.accept();
    await quickPick.waitForTitle(`Explain a Term (${server})`);
    await quickPick.type('tool');
    await quickPick.waitForActive('tool');
    await quickPick.accept();
    await workbench().editorText('Explain a Term');
    await workbench().answerDocument('Explain a Term.mcp-prompt');
    await chat.waitFor(/In the Model Context Protocol, a tool is an action/);
    await chat.completed();
  });

  it('a resource of the tree is opened', async () => {
    await open('Resources', 'What You Decide');
    assert.match(await workbench().editorText('decisions.md'), /# What You Decide/);
  });

  it('a tool of the tree is filled in, confirmed and run', async () => {
    const { page, quickPick } = workbench();
    await open('Tools', 'Add a Note');
    await quickPick.waitForTitle(`Add a Note (${server})`);
    await quickPick.type('written without a mouse');
    await quickPick.accept();
    await quickPick.waitForTitle(`${server} › Add a Note`);
    await quickPick.waitForActive('Run');
    await quickPick.pressUntilGone('Enter');
    const result = page.frameLocator('iframe.webview.ready').frameLocator('iframe');
    await result.getByText('The note was added.').waitFor();
  });

  it('a call of the model is allowed once', async () => {
    const { chat, quickPick } = workbench();
    await chat.sendWithKeys('@mcp call roll_dice {"count":2,"sides":6}');
    await quickPick.waitForTitle(/Roll Dice/);
    await quickPick.takeNext('Deny', 'Allow Once');
    assert.match(await chat.completed(), /Rolled \d, \d/);
  });

  it('no button of the mouse was pressed for all of it', async () => {
    assert.equal(await workbench().page.evaluate('globalThis.presses'), 0);
  });
});
