import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkbench } from '../support/journeys';
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
