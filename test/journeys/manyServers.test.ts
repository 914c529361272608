import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { built } from '../support/paths';
import { poll } from '../support/poll';
import { readCallLog } from '../support/editor/callLog';
import { useWorkbench } from '../support/workbench/journeys';
import { untilRow } from '../support/workbench/serverSteps';

const count = 30;
/**
 * How long the first answer may take, no matter how many servers are waiting for the user: 3 s plus time for other
 * programs.
 */
const answerMs = 10_000;
const sizes = [
  { width: 900, height: 600 },
  { width: 1280, height: 800 },
];

const nameOf = (index: number) => `server-${String(index + 1).padStart(2, '0')}`;

/** How long a click may take to show, in milliseconds. */
const timeout = 5000;

describe('a workspace of 30 servers', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({
    theme: 'dark',
    async prepare({ directory, file }) {
      const main = built('fixtures', 'demoServer', 'main.js');
      const servers = Array.from({ length: count }, (_, index) => [
        nameOf(index),
        { command: 'node', args: [main], env: { NUMBER: String(index) } },
      ]);
      for (const folder of ['app', 'docs'])
        await writeFile(join(directory, folder, '.vscode', 'mcp.json'), '{}');
      // Not in the files that the editor's own client reads, too: it would start them before each answer.
      const workspace = {
        folders: [{ path: 'app' }, { path: 'docs' }],
        settings: { 'mcpWorkbench.servers': Object.fromEntries(servers) },
      };
      await writeFile(file, JSON.stringify(workspace));
    },
  });

  const review = (left: number) =>
    workbench().chat.answer.getByText(`Review ${left} Servers and Ask Again…`);

  /** Takes screenshots in a small window and in a larger one. */
  const picture = async (name: string) => {
    const { page } = workbench();
    for (const size of sizes) {
      await page.setViewportSize(size);
      await workbench().screenshot(`${name}-${size.width}`);
    }
  };

  it('has its first answer at once, and one list for the trust in all', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp Hello');
    const sent = Date.now();
    await chat.completed();
    const took = Date.now() - sent;
    console.log(`    first answer: ${took} ms`);
    assert.ok(took <= answerMs, `${took} ms`);
    assert.equal(await quickPick.widget.isVisible(), false);

    await review(count).click();
    await quickPick.waitForTitle(`${count} servers wait to be started`);
    await picture('many-list');
    // A click right after a launch has come in may be meant for what was at its place: people click again then.
    await poll('a checked server', 60_000, async () => {
      await quickPick.pick(nameOf(2));
      const isChecked = quickPick.item('Not for This Workspace: Checked (1)').waitFor({ timeout });
      return isChecked.then(() => true).catch(() => undefined);
    });
    await quickPick.pick('Not for This Workspace: Checked (1)');
    await quickPick.waitForTitle(`${count - 1} servers wait to be started`);
    await quickPick.pick(nameOf(0));
    await quickPick.pick(nameOf(1));
    await picture('many-checked');
    await quickPick.pick('Review and Start Checked (2)…');
    // Their command lines are too long for a row, so they are confirmed in a document that shows both in full.
    const launches = await workbench().editorText('2 servers.mcp-review');
    for (const name of [nameOf(0), nameOf(1)]) assert.ok(launches.includes(name), launches);
    await page
      .locator('.codelens-decoration a')
      .filter({ hasText: 'Trust and Start 2 Servers' })
      .waitFor();
    const title = page.locator('.editor-actions').getByRole('button');
    assert.equal(await title.and(page.getByLabel(/^Continue/)).count(), 0);
    await title.and(page.getByLabel(/^Trust and Start/)).click();
    // The user is not asked again about the servers that were left out.
    await quickPick.widget.waitFor({ state: 'hidden' });
    await workbench().untilKept(`"serverName":"${nameOf(count - 1)}"`);
    await workbench().openView('MCP Workbench');
    for (const name of [nameOf(0), nameOf(1)])
      await untilRow(workbench(), name, /^Workspace Settings/);
  });

  it('asks about none of them again that were declined, over a reload too', async () => {
    const { chat } = workbench();
    await workbench().reload();
    await workbench().openView('MCP Workbench');
    await untilRow(workbench(), nameOf(2), /^Stopped/);
    await chat.send('@mcp Hello again');
    await chat.completed();
    assert.equal(await chat.answer.getByText('Ask Again…').count(), 0);
  });

  it('has all questions of an answer end when that is stopped', async () => {
    const { chat, quickPick, page, editor } = workbench();
    const call = `call ${nameOf(0)}__echo`;
    await chat.send(`@mcp ${call} {"n":1} and ${call} {"n":2} and ${call} {"n":3}`);
    await quickPick.waitForTitle(/echo \(1 of 3\)/);
    await chat.cancel();
    await quickPick.widget.waitFor({ state: 'hidden' });
    await page.locator('.statusbar').getByText('for your answer').waitFor({ state: 'hidden' });
    const decisions = await poll('three records', 20_000, async () => {
      const begun = (await readCallLog(editor.data)).flatMap((record) =>
        record.kind === 'callBegun' ? [[record.decision, record.decidedBy] as const] : [],
      );
      return begun.length === 3 ? begun : undefined;
    });
    for (const decision of decisions)
      assert.deepEqual(decision, ['withdrawn', { kind: 'nobody', because: 'cancelled' }]);
  });
});
