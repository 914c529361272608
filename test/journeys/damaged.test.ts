import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extensionsIn } from '../support/editor/editorData';
import { configureApps, runFromRow } from '../support/workbench/apps';
import { useWorkbench } from '../support/workbench/journeys';
import { askForServer, startServer, untilRow } from '../support/workbench/serverSteps';

/** The files that are loaded only when needed. */
const files = ['appView', 'fflate', 'sdk', 'smol-toml', 'tldts', 'yaml'];
describe('an installation that lacks files', function () {
  this.timeout(120_000);
  let home = '';
  let dist = '';
  let kept = '';
  const env: NodeJS.ProcessEnv = {};
  before('have servers in other applications', async () => {
    home = await mkdtemp(join(tmpdir(), 'mcp-workbench-home-'));
    env['HOME'] = home;
    for (const [path, text] of [
      ['.codex/config.toml', '[mcp_servers.one]\ncommand = "node"\n'],
      ['.continue/config.yaml', 'mcpServers:\n  - name: two\n    command: node\n'],
    ] as const) {
      await mkdir(join(home, path, '..'), { recursive: true });
      await writeFile(join(home, path), text);
    }
  });
  after(() => rm(home, { recursive: true, force: true }));
  const workbench = useWorkbench({
    env,
    prepare: configureApps,
  });
  before('lose the files', async () => {
    const extensions = extensionsIn(workbench().editor.data);
    const names = await readdir(extensions);
    const own = names.find((name) => /^mcp-workbench\.mcp-workbench-\d/.test(name)) ?? '';
    dist = join(extensions, own, 'dist');
    kept = join(home, 'kept');
    await mkdir(kept);
    for (const name of files) await rename(join(dist, `${name}.js`), join(kept, `${name}.js`));
    await workbench().openView('MCP Workbench');
  });

  const restore = (name: string) => rename(join(kept, `${name}.js`), join(dist, `${name}.js`));
  const sentence = (ability: string, name: string) =>
    `MCP Workbench cannot ${ability}: its file ${name}.js is missing or damaged. Reinstall the extension.`;
  const said = async (ability: string, name: string) => {
    await workbench().notification(sentence(ability, name));
    await workbench().hideNotifications();
  };

  it('says in the list of other applications whose servers it cannot read', async () => {
    const { quickPick } = workbench();
    await workbench().runCommand('MCP Workbench: Find My Servers…');
    await quickPick.waitForTitle('Find My Servers');
    for (const [ability, name] of [
      ['import servers from Codex', 'smol-toml'],
      ['check skills, or import servers from Continue or goose', 'yaml'],
    ] as const)
      await quickPick.widget.getByText(sentence(ability, name)).waitFor();
    await workbench().screenshot('damaged-import');
    await quickPick.dismiss();
  });

  it('says on the row of a server that it cannot connect to it, and can once it is mended', async () => {
    await startServer(workbench(), 'demo');
    await untilRow(workbench(), 'demo', /MCP Workbench cannot connect to servers: .* sdk\.js/);
    await workbench().screenshot('damaged-start');
    await restore('sdk');
    await askForServer(workbench(), 'demo');
    await untilRow(workbench(), 'demo', /^app\/\.vscode\/mcp\.json/);
  });

  it('says that it cannot add prompts to the Command Palette', async () => {
    await workbench().runCommand('MCP Workbench: Add Prompts to Command Palette');
    await said('add prompts to the Command Palette or unpack bundles', 'fflate');
  });

  it('says in the tab of an app, and when it was to be asked about, that it cannot show it', async () => {
    const { quickPick } = workbench();
    await startServer(workbench(), 'apps');
    await untilRow(workbench(), 'apps', /^app\/\.vscode\/mcp\.json/);
    await runFromRow(workbench(), 'apps', 'probe');
    await quickPick.waitForTitle('apps › probe');
    await quickPick.pick('Run');
    await said('tell the site of a web page', 'tldts');
    await restore('tldts');
    await workbench().closeEditor();
    await runFromRow(workbench(), 'apps', 'probe');
    await quickPick.waitForTitle('apps › probe');
    await quickPick.pick('Run');
    await quickPick.waitForTitle('App of apps');
    await quickPick.pick('Open App');
    await said('show apps of servers', 'appView');
    await workbench().screenshot('damaged-app');
  });
});
