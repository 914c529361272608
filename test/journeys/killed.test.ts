import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { userFolder } from '../support/editor/editorData';
import { hostKilled, useWorkbench, type Workbench } from '../support/workbench/journeys';
import { poll } from '../support/poll';
import { built } from '../support/paths';
import { selectors } from '../support/workbench/selectors';
import { askForServer, configureServers, startServer } from '../support/workbench/serverSteps';
import { trustAndStart, untilTrustAsked } from '../support/workbench/trustQuestion';

const startMs = 60_000;
const logMs = 30_000;
const installMs = 30_000;

/** Prepares to kill the extension host of the only window; the returned function does it immediately. */
async function aim(workbench: Workbench): Promise<() => void> {
  const processes = await workbench.editor.processes();
  const host = processes.find(({ command }) => command.includes('--type=extensionHost'));
  assert.ok(host);
  workbench.expectProblem(hostKilled);
  return () => process.kill(host.pid, 'SIGKILL');
}

/** Kills the extension host as soon as a file with a matching name is written to a folder; returns whether it has. */
async function killAt(workbench: Workbench, folder: string, name: RegExp): Promise<() => boolean> {
  const kill = await aim(workbench);
  let isKilled = false;
  const watcher = watch(folder, (_event, file) => {
    if (!name.test(file ?? '')) return;
    watcher.close();
    kill();
    isKilled = true;
  });
  return () => isKilled;
}

describe('an extension host that is killed while it writes', function () {
  this.timeout(180_000);
  before(function () {
    // The test harness cannot list processes there.
    if (process.platform === 'win32') this.skip();
  });
  const workbench = useWorkbench({
    settings: { 'mcpWorkbench.palette': 'off' },
    prepare: (workspace) =>
      configureServers(
        workspace,
        {
          keyed: {
            command: 'node',
            args: [built('fixtures', 'badServers', 'main.js'), 'good'],
            env: { KEY: '${input:key}' },
          },
          listed: {
            command: 'node',
            args: [built('fixtures', 'badServers', 'main.js'), 'good', 'listed'],
          },
        },
        [{ id: 'key', type: 'promptString', password: true }],
      ),
  });
  const user = () => userFolder(workbench().editor.data);
  const storage = () => join(user(), 'globalStorage', 'mcp-workbench.mcp-workbench');

  const openAgain = async (server: string) => {
    const { page, tree } = workbench();
    await page.reload();
    await workbench().openView('MCP Workbench');
    await tree.item(server);
  };

  /** Starts a server and answers its questions until it runs; resolves to the questions. */
  const startAgain = async (server: string): Promise<readonly string[]> => {
    const { quickPick, tree } = workbench();
    const asked: string[] = [];
    await askForServer(workbench(), server);
    const trust = `Start "${server}"?`;
    const value = `${server} needs a value: key`;
    const title = (text: string) =>
      quickPick.widget.locator('.quick-input-title').filter({ hasText: text });
    await poll(`${server} to run`, startMs, async () => {
      const row = (await tree.rows()).find(({ label }) => label === server);
      if (row?.description.startsWith('app/.vscode/mcp.json')) return true;
      if (await title(trust).isVisible()) {
        asked.push(trust);
        await trustAndStart(workbench());
      } else if (await title(value).isVisible()) {
        asked.push(value);
        await quickPick.type('hunter2');
        await quickPick.pressUntilGone('Enter');
      }
      return undefined;
    });
    return asked;
  };

  it('has kept that a server is trusted and what it was given, or asks again', async () => {
    const { quickPick } = workbench();
    await workbench().openView('MCP Workbench');
    await askForServer(workbench(), 'keyed');
    await untilTrustAsked(workbench(), 'keyed');
    const killNow = await aim(workbench());
    await quickPick.widget.getByText('Trust and Start').click();
    killNow();
    await openAgain('keyed');

    await askForServer(workbench(), 'keyed');
    const isAsked = await quickPick.titleAmong(
      new Set(['Start "keyed"?', 'keyed needs a value: key']),
    );
    if (isAsked.startsWith('Start')) {
      await trustAndStart(workbench());
      await quickPick.waitForTitle('keyed needs a value: key');
    }
    await quickPick.type('hunter2');
    const kill = await aim(workbench());
    await quickPick.pressUntilGone('Enter');
    kill();
    await openAgain('keyed');

    const asked = await startAgain('keyed');
    assert.ok(!asked.includes('Start "keyed"?'), 'what was kept once stays');
  });

  it('has its prompts in the palette, although it was killed while they were installed', async () => {
    await startAgain('demo');
    const isKilled = await killAt(workbench(), storage(), /\.vsix$/);
    await workbench().runCommand('MCP Workbench: Add Prompts to Command Palette');
    await poll('the package', installMs, () => Promise.resolve(isKilled() || undefined));
    await openAgain('demo');
    await startAgain('demo');
    await workbench().runCommand('demo: Show Media');
    await workbench().editorText('Show Media');
    await workbench().closeEditor();
  });

  it('has whole lists of what its servers offer, or none, and takes them again', async () => {
    const lists = join(storage(), 'lists');
    const isKilled = await killAt(workbench(), lists, /./);
    await startServer(workbench(), 'listed');
    await poll('a list to be written', startMs, () => Promise.resolve(isKilled() || undefined));
    await openAgain('listed');
    await startAgain('listed');
    const files = (await readdir(lists)).filter((file) => file.endsWith('.json'));
    assert.notEqual(files.length, 0);
    for (const file of files) JSON.parse(await readFile(join(lists, file), 'utf8'));
  });

  it('has every call in the log but the one that it was writing, and says so', async () => {
    const { chat, quickPick, page } = workbench();
    const call = '@mcp call calculate {"operation":"add","x":2,"y":3}';
    await chat.send(call);
    await quickPick.waitForTitle('demo › calculate');
    const kill = await aim(workbench());
    await quickPick.pick('Always Allow');
    kill();
    // A kill in the middle of a write leaves this behind, but no test can time one.
    const path = await poll('the log of calls', logMs, async () => {
      const all = await readdir(user(), { recursive: true });
      return all.find((file) => file.endsWith('audit.jsonl'));
    });
    await appendFile(join(user(), path), '{"kind":"callBegun","id":"');
    await openAgain('demo');
    await startAgain('demo');

    await chat.send(call);
    const question = quickPick.widget
      .locator('.quick-input-title')
      .filter({ hasText: 'demo › calculate' });
    await poll('the question or the answer', startMs, async () => {
      const isAsked = await question.isVisible();
      if (isAsked) await quickPick.pick('Allow Once');
      return isAsked || (await chat.answer.locator(selectors.completed).isVisible()) || undefined;
    });
    assert.match(await chat.completed(), /5\.00/);
    await workbench().runCommand('MCP Workbench: Show Tool Log');
    const log = page
      .locator('.part.sidebar .pane')
      .filter({ has: page.locator('.pane-header', { hasText: 'Tool Log' }) });
    await log.getByText('Incomplete entries left out: 1.').waitFor();
    await log
      .locator('[role="treeitem"]')
      .filter({ hasText: 'calculate · demo' })
      .filter({ hasText: 'done' })
      .first()
      .waitFor();
    await workbench().screenshot('killed-log');
  });
});
