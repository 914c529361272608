import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AuthServer } from '../fixtures/authServer/authServer';
import { ProtectedServer } from '../fixtures/authServer/protectedServer';
import { openWorkbench } from '../support/workbench/journeys';
import { startServer, untilRow } from '../support/workbench/serverSteps';

describe('a window whose workspace is on another machine', function () {
  this.timeout(150_000);

  it('runs servers there, with the folders of there, and signs in by an address of its own', async () => {
    await using authServer = await AuthServer.start();
    await using server = await ProtectedServer.start(authServer);
    const script = `require('node:fs').writeFileSync('started', process.argv[2])`;
    await using workbench = await openWorkbench({
      host: 'workbench.test',
      async prepare({ directory }) {
        const file = join(directory, 'docs', '.vscode', 'mcp.json');
        const guarded = { type: 'http', url: server.url };
        await writeFile(join(directory, 'docs', 'there.js'), script);
        const there = { command: 'node', args: ['there.js', '${workspaceFolder}'] };
        await writeFile(file, JSON.stringify({ servers: { guarded, there } }));
      },
    });
    const { quickPick, page, tree } = workbench;
    assert.equal(new URL(page.url()).hostname, 'workbench.test');
    await workbench.openView('MCP Workbench');
    await startServer(workbench, 'there');
    await untilRow(workbench, 'there', /exited with code 0/);
    const docs = join(workbench.workspace.directory, 'docs');
    assert.equal(await readFile(join(docs, 'started'), 'utf8'), docs);

    await startServer(workbench, 'guarded');
    await untilRow(workbench, 'guarded', /^Sign-in needed/);
    // This editor redirects every page on its machine through its own proxy, which leads nowhere here and breaks up
    // any address that the page's own address contains.
    await page.context().route(/\/proxy\/\d+\/authorize/, (route) => {
      const sent = new URL(route.request().url()).searchParams;
      const [registered] = authServer.requestsTo('/register');
      sent.set('redirect_uri', String(registered?.params['redirect_uris']));
      const location = `${authServer.issuer}/authorize?${sent.toString()}`;
      return route.fulfill({ status: 302, headers: { location } });
    });
    await tree.click('guarded', 'Sign In');
    await quickPick.waitForTitle('guarded needs you to sign in');
    await quickPick.pick('Open in Browser');
    await untilRow(workbench, 'guarded', /^docs\/\.vscode\/mcp\.json/);
    await page.bringToFront();
    const [back] = authServer.requestsTo('/authorize');
    assert.equal(new URL(back?.params['redirect_uri'] ?? '').hostname, 'workbench.test');
    await tree.item('guarded', 'Tools');
    await workbench.screenshot('remote');
  });
});
