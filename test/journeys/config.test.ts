import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readlink, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AuthServer } from '../fixtures/authServer/authServer';
import { ProtectedServer } from '../fixtures/authServer/protectedServer';
import { chosenVersion } from '../support/editor/editor';
import { trustAll } from '../support/editor/workspace';
import { countInputs } from '../support/countInputs';
import { openWorkbench, useWorkbench } from '../support/workbench/journeys';
import { poll } from '../support/poll';
import { built } from '../support/paths';
import { askForServer, startServer, untilRow } from '../support/workbench/serverSteps';
import { untilTrustAsked } from '../support/workbench/trustQuestion';
import { onWindows } from '../support/windows/inWine';
import { windowsPath } from '../support/windows/wine';

/** The most inputs from importing seven servers until all of them run. */
const mostImportInputs = 8;

describe('a server of a file', function () {
  this.timeout(180_000);
  let authServer: AuthServer;
  let server: ProtectedServer;
  const opened = useWorkbench({
    // The variable for development windows has no effect on an installed extension.
    env: trustAll,
    async prepare({ directory }) {
      authServer = await AuthServer.start();
      server = await ProtectedServer.start(authServer);
      const script = 'console.error("no license for " + process.env.API_KEY); process.exit(4)';
      await writeFile(join(directory, 'docs', 'broken.js'), script);
      const env = { API_KEY: 'hush-hush-0123456789' };
      const servers = {
        broken: { command: 'node', args: ['broken.js'], env },
        guarded: { type: 'http', url: server.url },
      };
      const file = join(directory, 'docs', '.vscode', 'mcp.json');
      await writeFile(file, JSON.stringify({ servers }));
    },
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await authServer[Symbol.asyncDispose]();
  });

  describe('a server that does not start', () => {
    it('is diagnosed from its row: what was found, what to do, and a report to copy', async () => {
      const workbench = opened();
      const { tree } = workbench;
      await workbench.openView('MCP Workbench');
      await untilRow(workbench, 'broken', /^Stopped/);
      await startServer(workbench, 'broken');
      await untilRow(workbench, 'broken', /exited with code 4/);
      await tree.click('broken', 'Diagnose Start and Connection');
      const report = await workbench.editorText('Diagnosis of broken');
      assert.match(report, /✗ The server exited with code 4: no license for ‹redacted›\./);
      assert.match(report, /→ The last lines below usually say why\./);
      assert.match(report, /✓ node v\d+/);
      await workbench.screenshot('diagnosis');
      await workbench.runCommand('MCP Workbench: Copy Report');
      await workbench.closeEditor();
    });
  });

  describe('a launch configuration', () => {
    it('runs only after a yes, and asks again with the difference when it changed', async () => {
      const workbench = opened();
      const { quickPick, page } = workbench;
      await workbench.openView('MCP Workbench');
      await untilRow(workbench, 'demo', /^Stopped/);
      const isRunning = async () =>
        (await workbench.editor.processes()).some(({ command }) => command.includes('demoServer'));

      await askForServer(workbench, 'demo');
      await untilTrustAsked(workbench, 'demo');
      await untilRow(workbench, 'demo', /^Waiting for your answer · app\/\.vscode/);
      const rows = (await quickPick.items()).map(({ label }) => label);
      // A long path goes on in the next row.
      const line = rows.join('').replaceAll(/\s/g, '');
      assert.match(line, /[/\\]node(?:\.exe')?.*demoServer[/\\]main\.js/);
      await workbench.screenshot('trust-question');
      // Pressing Enter for something else counts as a no.
      await quickPick.pressUntilGone('Enter');
      await untilRow(workbench, 'demo', /^Stopped/);
      assert.equal(await isRunning(), false);

      await startServer(workbench, 'demo');
      await untilRow(workbench, 'demo', /^app\/\.vscode\/mcp\.json/);
      assert.equal(await isRunning(), true);
      // The list of the next command would be closed by redrawing the tree.
      await workbench.tree.item('demo', 'Tools');

      await workbench.runCommand('MCP Workbench: Restart Server');
      await quickPick.pick('demo');
      await untilRow(workbench, 'demo', /^app\/\.vscode\/mcp\.json/);

      const file = join(workbench.workspace.directory, 'app', '.vscode', 'mcp.json');
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace('"args": ["', '"args": ["--trace-warnings", "'));
      await untilTrustAsked(workbench, 'demo', 'changed');
      await quickPick.item('+ --trace-warnings').waitFor();
      await workbench.screenshot('trust-changed');
      await quickPick.pick('Show What Changed');
      const difference = page.locator('.monaco-diff-editor .modified');
      await difference.getByText('--trace-warnings').first().waitFor();
      // Nothing covers the difference: the question comes back when it is closed.
      await quickPick.widget.waitFor({ state: 'hidden' });
      await workbench.screenshot('trust-difference');
      await workbench.closeEditor();
      await untilTrustAsked(workbench, 'demo', 'changed');
      await quickPick.dismiss();
      await untilRow(workbench, 'demo', /^Stopped/);
    });
  });

  describe('a server that needs you to sign in', () => {
    it('shows where it leads, signs in with the browser, and signs out', async () => {
      const workbench = opened();
      const { quickPick, page, tree } = workbench;
      await workbench.openView('MCP Workbench');
      await untilRow(workbench, 'guarded', /^Stopped/);
      await startServer(workbench, 'guarded');
      await untilRow(workbench, 'guarded', /^Sign-in needed/);
      await workbench.screenshot('sign-in-row');

      // Pressing Enter for something else does not open a page.
      await tree.click('guarded', 'Sign In');
      await quickPick.waitForTitle('guarded needs you to sign in');
      await quickPick.item(new URL(authServer.issuer).host).waitFor();
      await workbench.screenshot('sign-in-question');
      await quickPick.pressUntilGone('Enter');
      await untilRow(workbench, 'guarded', /^Sign-in needed/);
      assert.deepEqual(authServer.requestsTo('/authorize'), []);

      // A reloaded window loses its question, which does not count as a no.
      const signIn = async () => {
        await tree.click('guarded', 'Sign In');
        await quickPick.waitForTitle('guarded needs you to sign in');
      };
      await signIn();
      await workbench.reload();
      await workbench.openView('MCP Workbench');
      await untilRow(workbench, 'guarded', /^Stopped/);
      await askForServer(workbench, 'guarded');
      await untilRow(workbench, 'guarded', /^Sign-in needed/);
      assert.deepEqual(authServer.requestsTo('/authorize'), []);
      await signIn();
      // This editor redirects every page on this machine through its own proxy, which leads nowhere here.
      await page.context().route(/\/proxy\/\d+\/authorize/, (route) => {
        const { pathname, search } = new URL(route.request().url());
        const location = authServer.issuer + pathname.replace(/^\/proxy\/\d+/, '') + search;
        return route.fulfill({ status: 302, headers: { location } });
      });
      const popup = page.context().waitForEvent('page');
      await quickPick.pick('Open in Browser');
      const signedIn = await popup;
      await signedIn.getByText('You are signed in.').waitFor();
      // A window behind another page may not draw anything, and then nothing in it can be clicked.
      await signedIn.close();
      await page.bringToFront();
      await untilRow(workbench, 'guarded', /^docs\/\.vscode\/mcp\.json/);
      await tree.item('guarded', 'Tools');
      await workbench.screenshot('signed-in');

      await tree.menu('Sign Out', 'guarded');
      await untilRow(workbench, 'guarded', /^Stopped/);
      await askForServer(workbench, 'guarded');
      await untilRow(workbench, 'guarded', /^Sign-in needed/);
    });
  });
});

describe('a workspace that is not trusted', function () {
  this.timeout(120_000);
  const program = built('fixtures', 'hostile', 'flood.js');
  const own = { command: 'node', args: [program, '--own'] };
  const reaching = {
    command: 'node',
    args: [program, '--reaching'],
    cwd: '${workspaceFolder:app}',
  };
  const opened = useWorkbench({
    trust: true,
    settings: { 'mcpWorkbench.servers': { own, reaching } },
    // A shell would find this file first in its working directory.
    prepare: ({ directory }) => writeFile(join(directory, 'app', 'node'), '', { mode: 0o755 }),
  });

  it('has its servers listed and not started, even by hand', async () => {
    const workbench = opened();
    await workbench.openView('MCP Workbench');
    await untilRow(workbench, 'demo', /^Stopped · Workspace not trusted/);
    await askForServer(workbench, 'demo');
    await workbench.notification('"demo" was not started. This workspace is not trusted.');
    await workbench.screenshot('restricted-why');
    await untilRow(workbench, 'demo', /^Stopped/);
    const trustEditor = workbench.page.locator('.workspace-trust-editor');
    const trustTab = workbench.page.locator('.part.editor .tab.active', {
      hasText: 'Workspace Trust',
    });
    for (const lead of [
      () => workbench.button('Manage Workspace Trust').click(),
      () => workbench.tree.click('demo', 'Manage Workspace Trust'),
    ]) {
      await lead();
      await trustEditor.waitFor();
      // Older versions of the editor show it in a tab, later ones as an overlay.
      if (await trustTab.isVisible()) await workbench.closeEditor();
      else await workbench.page.keyboard.press('Escape');
      await trustEditor.waitFor({ state: 'hidden' });
    }
    const processes = await workbench.editor.processes();
    assert.ok(!processes.some(({ command }) => command.includes('demoServer')));
  });

  it("starts the user's own server in the home folder, and none of which the workspace is a part", async function () {
    // On other systems, no file says where a process runs.
    if (process.platform !== 'linux') this.skip();
    const workbench = opened();
    const processes = async (part: string) =>
      (await workbench.editor.processes()).filter(({ command }) => command.includes(part));
    await workbench.openView('MCP Workbench');
    await startServer(workbench, 'own');
    await untilRow(workbench, 'own', /^User Settings/);
    const [running] = await processes('--own');
    assert.ok(running);
    assert.equal(await readlink(`/proc/${running.pid}/cwd`), await realpath(homedir()));

    await untilRow(workbench, 'reaching', /^Stopped · Workspace not trusted/);
    await workbench.tree.item('reaching', 'Manage Workspace Trust');
    await askForServer(workbench, 'reaching');
    await workbench.notification(/"reaching" was not started\. It uses \$\{workspaceFolder\}/);
    await workbench.button('Manage Workspace Trust').waitFor();
    assert.deepEqual(await processes('--reaching'), []);
    await workbench.screenshot('restricted-mode');
  });
});

describe('servers of another application', function () {
  this.timeout(180_000);

  it('are checked, imported without their secrets, trusted and then run', async () => {
    const secret = 'hush-hush-0123456789';
    await using workbench = await openWorkbench({
      async prepare({ directory }) {
        const folder = join(directory, 'app', '.cursor');
        await mkdir(folder);
        const imported = {
          command: 'node',
          args: [built('fixtures', 'demoServer', 'main.js')],
          env: { API_KEY: secret },
        };
        // Like the ones in READMEs: a launcher that downloads what it runs, and a variable. This one works offline.
        const isWindows = chosenVersion() === onWindows;
        const path = join(directory, isWindows ? 'npx.cmd' : 'npx');
        const launcher = isWindows ? windowsPath(path) : path;
        const main = JSON.stringify(imported.args[0]);
        const script = `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${main}\n`;
        await writeFile(path, isWindows ? `@node ${main}\r\n` : script);
        await chmod(path, 0o755);
        const seven = Array.from({ length: 7 }, (_, index) => [
          `short-${index}`,
          { command: launcher, args: ['-y', `package-${index}`], env: { LEVEL: `${index}` } },
        ]);
        const text = JSON.stringify({
          mcpServers: { imported, again: imported, ...Object.fromEntries(seven) },
        });
        await writeFile(join(folder, 'mcp.json'), text);
      },
    });
    const { quickPick } = workbench;
    await workbench.openView('MCP Workbench');
    await untilRow(workbench, 'demo', /^Stopped/);

    await workbench.runCommand('MCP Workbench: Find My Servers…');
    await quickPick.waitForTitle('Find My Servers');
    await quickPick.item('imported').waitFor();
    await workbench.screenshot('import-servers');
    await quickPick.pick('imported');
    await quickPick.accept();
    await quickPick.waitForTitle('Where should "imported" be saved?');
    await quickPick.pick('Workspace Settings');
    await quickPick.waitForTitle('These values look like secrets: API_KEY');
    await quickPick.pick('Move to Secret Storage');
    await untilRow(workbench, 'imported', /^Stopped/);
    await startServer(workbench, 'imported');
    await untilRow(workbench, 'imported', /^Workspace Settings/);
    await workbench.tree.item('imported', 'Prompts');
    await workbench.screenshot('imported');

    const written = await readFile(workbench.workspace.file, 'utf8');
    assert.match(written, /\$\{input:imported-API_KEY\}/);
    assert.ok(!written.includes(secret));

    // The imported server is not offered again, and seven others run after a few inputs.
    const inputs = countInputs();
    const { give } = inputs;
    await give(() => workbench.runCommand('MCP Workbench: Find My Servers…'));
    await quickPick.waitForTitle('Find My Servers');
    await quickPick.widget.getByText('Configured already: imported').waitFor();
    await quickPick.item('short-6').waitFor();
    assert.equal(await quickPick.item('again').isVisible(), false);
    await give(() => quickPick.widget.getByRole('checkbox', { name: /all checkboxes/i }).click());
    await workbench.screenshot('import-again');
    await give(() => quickPick.accept());
    await quickPick.waitForTitle('Where should 7 servers be saved?');
    await give(() => quickPick.pick('Workspace Settings'));
    const added = await workbench.notification('Added: 7 servers');
    await give(() => added.getByRole('button', { name: 'Start' }).click());
    await quickPick.waitForTitle('7 servers wait to be started');
    await give(() => quickPick.pick('Check All (7)'));
    await workbench.screenshot('import-seven');
    await give(() => quickPick.pick('Review and Start Checked (7)…'));
    const launches = /^Server 1 of 7\n[^]*fetches the latest version[^]*package-0[^]*LEVEL = 0/;
    // While it is being drawn, an editor can have the same lines twice.
    await poll('the launches', 20_000, async () =>
      launches.test(await workbench.editorText('7 servers')) ? true : undefined,
    );
    await workbench.screenshot('import-seven-review');
    const yes = workbench.page
      .locator('.codelens-decoration a')
      .filter({ hasText: 'Trust and Start' });
    await give(() => yes.click());
    assert.ok(inputs.count <= mostImportInputs, `${inputs.count} inputs`);
    // The status bar counts the running servers; the tree has no room for all of them.
    await workbench.page
      .locator('.statusbar-item')
      .getByText(/^\s*8\s*$/)
      .first()
      .waitFor();
    await workbench.screenshot('import-seven-running');
  });
});
