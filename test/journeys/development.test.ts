import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { built } from '../support/paths';
import { poll } from '../support/poll';
import { execute } from '../support/run/execute';
import { useWorkbench } from '../support/workbench/journeys';
import { startFromRow, untilRow } from '../support/workbench/serverSteps';

/** The line of the server's source that is edited: what its tool says, and whether it requires a name. */
const line = (words: string, required = false) =>
  `const [words, required] = [${JSON.stringify(words)}, ${required ? "['name']" : '[]'}];`;

/** A server in plain Node with one tool. */
const source = (first: string) => `${first}
const tool = {
  name: 'greet',
  description: 'Says ' + words,
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required },
};
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => ({ content: [{ type: 'text', text: words }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return;
  const body = answers[method] ? { result: answers[method](params) } : { error: { code: -32601, message: method } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
});
`;

describe('the bench of a server’s developer', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({
    theme: 'dark',
    prepare: async (workspace) => {
      const app = join(workspace.directory, 'app');
      const bench = { command: 'node', args: ['server/main.cjs'] };
      // Not in the editor's own file, because its own client would start the server, too.
      await writeFile(join(app, '.mcp.json'), JSON.stringify({ mcpServers: { bench } }));
      await mkdir(join(app, 'server'));
      await writeFile(join(app, 'server', 'main.cjs'), source(line('hello')));
    },
  });
  const inApp = (...path: string[]) => join(workbench().workspace.directory, 'app', ...path);
  const calls = 'bench.mcp-calls.jsonc';

  /** Replaces the first line of the server's source, which has the keyboard, and saves it. */
  const edit = async (text: string) => {
    const { page } = workbench();
    const { keyboard } = page;
    await keyboard.press('ControlOrMeta+Home');
    await keyboard.press('Shift+End');
    // What comes before the line is selected stands beside it.
    await page.locator('.statusbar-item', { hasText: /Ln 1, Col \d+ \(\d+ selected\)/ }).waitFor();
    await keyboard.insertText(text);
    await keyboard.press('ControlOrMeta+S');
  };

  const update = (): Locator =>
    workbench().page.locator('.codelens-decoration a').filter({ hasText: 'Update Expectation' });

  /** Returns the row of the file in the Test Explorer when it is in this state. */
  const testItem = (state: 'Passed' | 'Failed'): Locator =>
    workbench().page.locator(`.test-explorer [aria-label^="app/${calls} (${state})"]`);

  it('turns on development mode from the row of a server', async () => {
    const { tree, quickPick } = workbench();
    await startFromRow(workbench(), 'bench', 'Tools');
    await tree.menu('Turn On Development Mode…', 'bench');
    await quickPick.waitForTitle('Turn On Development Mode of bench');
    await quickPick.item('server/**').waitFor();
    await workbench().screenshot('development-turn-on');
    await quickPick.pick('server/**');
    await poll('the glob in the settings', 20_000, async () =>
      /"watch": "server\/\*\*"/.test(await readFile(workbench().workspace.file, 'utf8')),
    );
  });

  it('saves a call of the tool log as a test, which runs again and again', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call greet {}');
    await quickPick.waitForTitle('bench › greet');
    await quickPick.pick('Allow Once');
    assert.match(await chat.completed(), /hello/);
    await workbench().runCommand('MCP Workbench: Show Tool Log');
    const row = page.locator('.part.sidebar [role="treeitem"]').filter({ hasText: 'greet' }).last();
    await row.click({ button: 'right' });
    await page.locator('.monaco-menu').getByText('Save as Test…', { exact: true }).hover();
    await page.keyboard.press('Enter');
    assert.match(await workbench().editorText(calls), /"call": "greet"/);
    await page
      .locator('.codelens-decoration a')
      .filter({ hasText: 'Update Expectation' })
      .waitFor();
    await workbench().screenshot('development-saved-call');
  });

  it('restarts the server when its source changes, says what breaks, and runs the test, which fails', async () => {
    const { quickPick, tree } = workbench();
    await workbench().runCommand('Test: Start Continuous Run');
    await writeFile(inApp('server', 'main.cjs'), source(line('good day', true)));
    await quickPick.waitForTitle(`Run ${calls} on bench?`);
    await quickPick.pick('Run 1 Request');
    await tree.item('bench', '1 changed', 'greet');
    await untilRow(workbench(), '1 changed', /^1 breaking$/);
    await untilRow(workbench(), 'greet', /^"name" is required now\.$/);
    await workbench().screenshot('development-changed');
    await workbench().openView('Testing');
    await testItem('Failed').waitFor();
    await workbench().screenshot('development-failed');
  });

  it('takes what comes back as right, and the test passes by itself', async () => {
    await update().click();
    await testItem('Passed').waitFor();
    await workbench().screenshot('development-passed');
  });

  it('restarts on a save as well, and shows the difference', async () => {
    const { quickPick, tree, page } = workbench();
    await workbench().openFile('main.cjs');
    await workbench().waitForEditorKeyboard();
    await edit(line('good evening', true));
    // The tool is described by other words, so the user is asked again.
    await quickPick.waitForTitle(`Run ${calls} on bench?`);
    await quickPick.pick('Run 1 Request');
    await testItem('Failed').waitFor();
    await workbench().openFile('main.cjs');
    await workbench().waitForEditorKeyboard();
    await edit(line('good day', true));
    await testItem('Passed').waitFor();
    await workbench().openView('MCP Workbench');
    await tree.click('bench', '1 changed');
    await page.locator('.tab').filter({ hasText: 'bench (before ↔ now)' }).waitFor();
    const lines = page.locator('.editor-instance .view-line');
    await lines.filter({ hasText: /Says.good.day/ }).waitFor();
    await workbench().screenshot('development-difference');
  });

  it('leaves a file that the command runs in a terminal', async () => {
    const report = inApp('report.xml');
    const { code, output } = await execute(
      process.execPath,
      [built('command', 'mcp-workbench.js'), 'test', '--reporter', 'junit', '--output', report],
      { cwd: inApp() },
    );
    assert.equal(code, 0, output);
    assert.match(await readFile(report, 'utf8'), /<testsuites? [^>]*tests="1"[^]*name="greet"/);
  });

  it('is turned on in a file that the editor reads, without its own client taking the keyboard on ten saves', async () => {
    const { quickPick, tree, page } = workbench();
    const file = inApp('.vscode', 'mcp.json');
    const before = await readFile(file, 'utf8');
    const started = inApp('server', 'started.txt');
    const start = `require('node:fs').appendFileSync(${JSON.stringify(started)}, process.pid + '\\n');`;
    await writeFile(inApp('server', 'typed.cjs'), `${source(line('typed'))}\n${start}\n`);
    const typed = { command: 'node', args: ['server/typed.cjs'] };
    await writeFile(file, JSON.stringify({ servers: { typed } }));
    try {
      await startFromRow(workbench(), 'typed', 'Tools');
      await tree.menu('Turn On Development Mode…', 'typed');
      await quickPick.waitForTitle('Turn On Development Mode of typed');
      await quickPick.pick('server/**');
      await poll('the glob in the settings', 20_000, async () =>
        /"typed": \{/.test(await readFile(workbench().workspace.file, 'utf8')),
      );
      assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { servers: { typed } });
      await workbench().openFile('typed.cjs');
      await workbench().waitForEditorKeyboard();
      await page.keyboard.press('ControlOrMeta+End');
      const words = Array.from({ length: 10 }, (_, index) => `// typed ${index}`);
      for (const word of words) {
        await page.keyboard.type(`${word}\n`);
        await page.keyboard.press('ControlOrMeta+S');
        await poll(`${word} on disk`, 20_000, async () =>
          (await readFile(inApp('server', 'typed.cjs'), 'utf8')).includes(word),
        );
      }
      await poll('all that was typed', 20_000, async () =>
        (await readFile(inApp('server', 'typed.cjs'), 'utf8')).includes(words.join('\n')),
      );
      await poll('the last restart', 20_000, async () => (await alive(started)).length === 1);
    } finally {
      await writeFile(file, before);
    }
  });
});

/** The processes of a list that still run. */
async function alive(started: string): Promise<readonly number[]> {
  const all = (await readFile(started, 'utf8')).split('\n').filter(Boolean).map(Number);
  return all.filter((pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  });
}
