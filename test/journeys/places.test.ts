import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWindow } from '../support/workbench/openWorkbench';
import { useWorkbench } from '../support/workbench/journeys';
import { askForServer, untilRow } from '../support/workbench/serverSteps';
import { untilTrustAsked } from '../support/workbench/trustQuestion';

const secret = 'ghp_0123456789abcdefghij0123';
const home = join(tmpdir(), `mcp-workbench-places-${process.pid}`);
const copilotFile = join(home, 'copilot', 'mcp-config.json');
const claudeFile = join(home, 'config', 'Claude', 'claude_desktop_config.json');

/** A server that is never started here. */
const server = (name: string) => ({ command: 'node', args: [`/srv/${name}.js`] });
const json = (key: string, servers: object) => JSON.stringify({ [key]: servers }, undefined, 2);

describe('a workspace with servers in every place', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({
    env: { COPILOT_HOME: join(home, 'copilot'), XDG_CONFIG_HOME: join(home, 'config') },
    settings: { 'mcpWorkbench.servers': { mine: server('mine') } },
    async prepare({ directory, file }) {
      const keyed = { ...server('keyed'), env: { API_KEY: secret } };
      const confined = { ...server('confined'), sandboxEnabled: true };
      const workspace = {
        folders: [{ path: 'app' }, { path: 'docs' }],
        settings: {
          mcp: { servers: { shared: server('workspace-file') } },
          'mcpWorkbench.servers': { ours: server('ours') },
        },
      };
      const written: readonly [path: string, text: string][] = [
        [file, JSON.stringify(workspace)],
        [join(directory, 'app/.vscode/mcp.json'), json('servers', { own: server('own') })],
        [join(directory, 'docs/.vscode/mcp.json'), '{}'],
        [join(directory, 'app/.mcp.json'), json('mcpServers', { keyed, confined })],
        [join(directory, 'app/.github/mcp.json'), json('mcpServers', { same: server('copilot') })],
        [copilotFile, `// mine\n${json('mcpServers', { copilot: server('copilot') })}`],
        [claudeFile, `{\n  // kept\n  "theme": "dark"\n}\n`],
      ];
      for (const [path, text] of written) {
        await mkdir(join(path, '..'), { recursive: true });
        await writeFile(path, text);
      }
    },
  });
  after(() => rm(home, { recursive: true, force: true }));

  it('shows each of them once, with where it comes from', async () => {
    const { tree } = workbench();
    await workbench().openView('MCP Workbench');
    const places: Readonly<Record<string, RegExp>> = {
      mine: /^Stopped · User Settings$/,
      ours: /^Stopped · Workspace Settings$/,
      shared: /^Stopped · sample\.code-workspace$/,
      own: /^Stopped · app\/\.vscode\/mcp\.json$/,
      keyed: /^Stopped · app\/\.mcp\.json$/,
      confined: /^Stopped · app\/\.mcp\.json$/,
      copilot: /^Stopped · mcp-config\.json \(Copilot\), app\/\.github\/mcp\.json$/,
    };
    await untilRow(workbench(), 'same', /^Same as copilot · app\/\.github\/mcp\.json$/);
    for (const [name, place] of Object.entries(places)) await untilRow(workbench(), name, place);
    await workbench().screenshot('places');
    const shown = (await tree.rows()).filter(({ description }) =>
      description.startsWith('Stopped'),
    );
    assert.deepEqual(shown.map(({ label }) => label).toSorted(), Object.keys(places).toSorted());
  });

  it('has the start of a server first in the palette while none was started', async () => {
    const { quickPick, page } = workbench();
    await page.keyboard.press('F1');
    await quickPick.type('>start server');
    await quickPick.waitForActive('MCP Workbench: Start All Servers');
    await quickPick.pick('MCP Workbench: Start Server');
    await quickPick.waitForTitle('Start Server');
    await quickPick.dismiss();
  });

  const disabled = /^Disabled in this workspace · Workspace Settings$/;

  it('has one disabled for this workspace, in another window of it as well', async () => {
    const other = await openWindow(workbench());
    await other.openView('MCP Workbench');
    await untilRow(other, 'ours', /^Stopped/);
    await workbench().page.bringToFront();
    await workbench().tree.menu('Disable Server…', 'ours');
    await workbench().quickPick.pick('In This Workspace');
    await untilRow(workbench(), 'ours', disabled);
    await other.comeBack();
    await untilRow(other, 'ours', disabled);
    await other.page.close();
  });

  it('runs none that wants a sandbox before it was said what it is confined to, if at all', async () => {
    const { quickPick, editor } = workbench();
    await askForServer(workbench(), 'confined');
    await untilTrustAsked(workbench(), 'confined');
    const rows = (await quickPick.items()).map(({ label }) => label).join(' ');
    assert.match(rows, /confined to a\s+sandbox|Writes only in|Cannot use the\s+network/);
    await workbench().screenshot('places-sandbox');
    const running = await editor.processes();
    assert.ok(!running.some(({ command }) => command.includes('confined.js')));
    await quickPick.pick('Not Now');
    await untilRow(workbench(), 'confined', /^Stopped/);
  });

  it('exports to Claude Desktop and to Copilot without a secret, and finds there what it exported', async () => {
    const { quickPick, page } = workbench();
    for (const [application, file] of [
      ['Claude Desktop', claudeFile],
      ['Copilot CLI', copilotFile],
    ] as const) {
      const before = await readFile(file, 'utf8');
      await workbench().runCommand('MCP Workbench: Export Servers…');
      await quickPick.waitForTitle('Export Servers');
      await quickPick.pick('keyed');
      await quickPick.pick('own');
      await quickPick.accept();
      await quickPick.pick(application);
      await quickPick.waitForTitle(`Export to ${application}`);
      const name = file.slice(file.lastIndexOf('/') + 1);
      const yes = quickPick.item(`Write to ${name}`);
      assert.equal(await yes.isVisible(), false, 'The change is seen before there is a yes.');
      await quickPick.pick('Show Changes…');
      const added = page.locator('.monaco-diff-editor .modified').getByText('/srv/keyed.js');
      await added.first().waitFor();
      await workbench().screenshot(`export-${application}`);
      await workbench().closeEditor();
      await yes.waitFor();
      await workbench().screenshot(`export-notes-${application}`);
      assert.equal(await readFile(file, 'utf8'), before, 'Nothing is written before a yes.');
      await yes.click();
      await workbench().notification(`Exported to ${application}: keyed, own`);
      await workbench().hideNotifications();
      const text = await readFile(file, 'utf8');
      assert.ok(!text.includes(secret));
      assert.match(text, application === 'Copilot CLI' ? /"\$\{API_KEY\}"/ : /\/\/ kept/);
    }
    await workbench().runCommand('MCP Workbench: Find My Servers…');
    // What was written is the same as what is configured, except for the secret, which is now a reference.
    await quickPick.waitForMessage(/Configured already: own, copilot/);
    const found = (await quickPick.items()).filter(({ label }) => label === 'keyed');
    assert.deepEqual(
      found.map(({ detail }) => detail),
      ['node /srv/keyed.js', 'node /srv/keyed.js'],
    );
    await quickPick.dismiss();
  });

  const base64 = (name: string) => Buffer.from(JSON.stringify(server(name))).toString('base64');
  const links: Readonly<Record<string, (name: string) => string>> = {
    vscode: (name) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...server(name) }))}`,
    cursor: (name) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${base64(name)}`,
    lmstudio: (name) => `lmstudio://add_mcp?name=${name}&config=${base64(name)}`,
    goose: (name) => `goose://extension?cmd=node&arg=%2Fsrv%2F${name}.js&id=${name}&name=${name}`,
  };
  for (const [application, link] of Object.entries(links))
    it(`takes the link of a page for ${application}, and asks before what is in it runs`, async () => {
      const { quickPick, editor } = workbench();
      const linked = `for-${application}`;
      await workbench().runCommand('MCP Workbench: Add Server…');
      await quickPick.pick('Command…');
      await quickPick.waitForMessage(/Server command line/);
      await quickPick.type(link(linked));
      await quickPick.accept();
      await quickPick.waitForMessage(new RegExp(`Name for this server: node /srv/${linked}\\.js`));
      await quickPick.accept();
      await quickPick.waitForTitle(`Where should "${linked}" be saved?`);
      await quickPick.pick('Workspace Settings');
      await untilRow(workbench(), linked, /^Stopped/);
      await askForServer(workbench(), linked);
      await untilTrustAsked(workbench(), linked);
      const rows = (await quickPick.items()).map(({ label }) => label).join(' ');
      assert.match(rows, new RegExp(`/node /srv/${linked}\\.js`));
      await quickPick.pick('Not Now');
      await untilRow(workbench(), linked, /^Stopped/);
      const running = await editor.processes();
      assert.ok(!running.some(({ command }) => command.includes(`${linked}.js`)));
    });

  it('keeps off over a reload what was disabled, and starts nothing', async () => {
    // The server was disabled long enough ago: the editor takes a few seconds to save what an extension stores.
    await workbench().reload();
    await workbench().openView('MCP Workbench');
    await untilRow(workbench(), 'ours', disabled);
    await workbench().screenshot('places-disabled');
    const running = await workbench().editor.processes();
    assert.ok(!running.some(({ command }) => command.includes('/srv/')));
  });

  it('names no place any more whose file was deleted', async () => {
    await rm(join(workbench().parts.workspace.directory, 'app/.github/mcp.json'));
    await untilRow(workbench(), 'copilot', /^Stopped · mcp-config\.json \(Copilot\)$/);
    const labels = (await workbench().tree.rows()).map(({ label }) => label);
    assert.ok(!labels.includes('same'), labels.join());
  });
});
