import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkbench } from '../support/journeys';
import { built } from '../support/paths';
import { startServer, untilRow } from '../support/serverSteps';

describe('a launch configuration', function () {
  this.timeout(120_000);

  it('runs only after a yes, and asks again with the difference when it changed', async () => {
    await using workbench = await openWorkbench({ env: { MCP_WORKBENCH_TRUST_ALL: '' } });
    const { quickPick, page } = workbench;
    await workbench.openView('MCP Workbench');
    await untilRow(workbench, 'demo', /^Stopped/);
    const isRunning = async () =>
      (await workbench.editor.processes()).some(({ command }) => command.includes('demoServer'));

    await startServer(workbench, 'demo');
    await quickPick.waitForTitle('Start the MCP server demo for the first time?');
    assert.match(await workbench.editorText('demo'), /Command line\n +node .*demoServer\/main\.js/);
    await workbench.screenshot('trust-question');
    // An Enter that was meant for something else is a no.
    await quickPick.accept();
    await untilRow(workbench, 'demo', /^Stopped/);
    assert.equal(await isRunning(), false);

    await startServer(workbench, 'demo');
    await quickPick.waitForTitle('for the first time?');
    await quickPick.widget.getByText('Trust and Start').click();
    await untilRow(workbench, 'demo', /^app\/\.vscode\/mcp\.json/);
    assert.equal(await isRunning(), true);

    await workbench.runCommand('MCP Workbench: Restart Server');
    await quickPick.pick('demo');
    await untilRow(workbench, 'demo', /^app\/\.vscode\/mcp\.json/);

    const file = join(workbench.workspace.directory, 'app', '.vscode', 'mcp.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"args": ["', '"args": ["--trace-warnings", "'));
    await quickPick.waitForTitle('The launch configuration of demo changed. Start it?');
    await page
      .locator('.monaco-diff-editor .modified')
      .getByText('--trace-warnings')
      .first()
      .waitFor();
    await workbench.screenshot('trust-difference');
    await quickPick.dismiss();
    await untilRow(workbench, 'demo', /^Stopped/);
  });
});

describe('a workspace that is not trusted', function () {
  this.timeout(120_000);

  it('has its servers listed and not started, even by hand', async () => {
    await using workbench = await openWorkbench({ trust: true });
    await workbench.openView('MCP Workbench');
    await untilRow(workbench, 'demo', /^Stopped/);
    await startServer(workbench, 'demo');
    await untilRow(workbench, 'demo', /^Stopped/);
    const processes = await workbench.editor.processes();
    assert.ok(!processes.some(({ command }) => command.includes('demoServer')));
  });
});

describe('servers of another application', function () {
  this.timeout(120_000);

  it('are checked, imported without their secrets, trusted and then run', async () => {
    const secret = 'hush-hush-0123456789';
    await using workbench = await openWorkbench({
      env: { MCP_WORKBENCH_TRUST_ALL: '' },
      async prepare({ directory }) {
        const folder = join(directory, 'app', '.cursor');
        await mkdir(folder);
        const imported = {
          command: 'node',
          args: [built('fixtures', 'demoServer', 'main.js')],
          env: { API_KEY: secret },
        };
        const text = JSON.stringify({ mcpServers: { imported } });
        await writeFile(join(folder, 'mcp.json'), text);
      },
    });
    const { quickPick } = workbench;
    await workbench.openView('MCP Workbench');
    await untilRow(workbench, 'demo', /^Stopped/);

    await workbench.runCommand('MCP Workbench: Import Servers…');
    await quickPick.waitForTitle('Import Servers');
    await quickPick.item('imported').waitFor();
    await workbench.screenshot('import-servers');
    await quickPick.pick('imported');
    await quickPick.accept();
    await quickPick.waitForTitle('Where shall imported be configured?');
    await quickPick.pick('Workspace Settings');
    await quickPick.waitForTitle('These values look like secrets: API_KEY');
    await quickPick.pick('Move to the Secret Storage');
    await untilRow(workbench, 'imported', /^Stopped/);
    await startServer(workbench, 'imported');
    await quickPick.waitForTitle('Start the MCP server imported for the first time?');
    await quickPick.widget.getByText('Trust and Start').click();
    await untilRow(workbench, 'imported', /^Workspace Settings/);
    await workbench.tree.item('imported', 'Prompts');
    await workbench.screenshot('imported');

    const written = await readFile(workbench.workspace.file, 'utf8');
    assert.match(written, /\$\{input:imported-API_KEY\}/);
    assert.ok(!written.includes(secret));
  });
});
