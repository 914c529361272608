import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import type { StartOutcome } from '../../../src/mcp/serverState';
import {
  activateWorkbench,
  folderNamed,
  processesWith,
  until,
  writeDocument,
} from '../../support/host/hostApi';
import { watchPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';

const trustVariable = 'MCP_WORKBENCH_TRUST_ALL';
const launch = (name: string) => ({ command: 'node', args: [`/srv/${name}.js`, '100%', 'ä b'] });
const json = (name: string) => encodeURIComponent(JSON.stringify({ name, ...launch(name) }));
const base64 = (name: string) =>
  encodeURIComponent(Buffer.from(JSON.stringify(launch(name))).toString('base64'));

const links: Readonly<Record<string, (name: string) => string>> = {
  vscode: (name) => `vscode:mcp/install?${json(name)}`,
  cursor: (name) =>
    `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${base64(name)}`,
  lmstudio: (name) => `lmstudio://add_mcp?name=${name}&config=${base64(name)}`,
  goose: (name) =>
    `goose://extension?name=${name}&cmd=node&arg=%2Fsrv%2F${name}.js&arg=100%25&arg=%C3%A4%20b`,
};

describe('a link that is pasted', function () {
  this.timeout(60_000);
  const { createInputBox, showInformationMessage } = vscode.window;
  const trusts = process.env[trustVariable];
  let api: WorkbenchApi;
  let file: vscode.Uri;
  let original = '';

  before(async () => {
    api = await activateWorkbench();
    file = vscode.Uri.joinPath(folderNamed('docs'), '.vscode/mcp.json');
    original = (await vscode.workspace.openTextDocument(file)).getText();
    process.env[trustVariable] = '0';
  });

  after(async () => {
    process.env[trustVariable] = trusts;
    Object.assign(vscode.window, { createInputBox, showInformationMessage });
    await writeDocument(file, original);
    await until(
      api.onDidChangeServers,
      () => api.servers.map(({ name }) => name).join() === 'demo,everything,filesystem',
    );
  });

  for (const [name, linkOf] of Object.entries(links))
    it(`leads to the question about its command line: ${name}`, async () => {
      let box: vscode.InputBox | undefined;
      Object.assign(vscode.window, {
        createInputBox: () => (box = createInputBox()),
        showInformationMessage: () => Promise.resolve(),
      });
      const picks = watchPicks();
      try {
        const adding = vscode.commands.executeCommand('mcpWorkbench.addServer', linkOf(name));
        const asked = await picks.next(/^Add Server: a link$/);
        assert.deepEqual(asked.labels, ['Not Now', 'Add…']);
        asked.choose('Add…');
        const shown = await poll('the question for a name', 20_000, () => Promise.resolve(box));
        assert.equal(shown.value, name);
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        const target = await picks.next(new RegExp(`^Where should "${name}" be saved`));
        target.choose('docs/.vscode/mcp.json');
        await adding;
        await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === name));
        const starting = vscode.commands.executeCommand<readonly StartOutcome[]>(
          'mcpWorkbench.startServer',
          name,
        );
        const question = await picks.next(new RegExp(`^Start "${name}"`));
        assert.match(
          // Rows end where the width does.
          question.labels.join('\n').replaceAll(/\s+/g, ' '),
          new RegExp(`[/\\\\]node(?:\\.exe')? /srv/${name}\\.js 100% 'ä b'(?: |$)`),
        );
        assert.deepEqual(await processesWith(`/srv/${name}.js`), []);
        question.escape();
        assert.notEqual((await starting)[0]?.kind, 'running');
      } finally {
        picks.dispose();
      }
    });
});
