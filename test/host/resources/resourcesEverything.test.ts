import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { toResourceUri } from '../../../src/ui/resourceUri';
import { activateWorkbench, serverNamed, until } from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import { watchPicks } from '../../support/host/shownPicks';

const waitMs = 20_000;
const text = 'demo://resource/dynamic/text/1';

describe('resources of the reference server', function () {
  this.timeout(60_000);
  let api: WorkbenchApi;
  let serverId: string;

  before(async () => {
    api = await activateWorkbench();
    serverId = serverNamed(api, 'everything').id;
    assert.deepEqual(await api.startServer(serverId), [{ kind: 'running' }]);
  });

  afterEach(async () => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const read = async (uri: string) =>
    Buffer.from(
      await vscode.workspace.fs.readFile(toResourceUri({ serverId, uri }, 'x.txt')),
    ).toString();

  const untilOpen = () =>
    poll('the document', waitMs, () => Promise.resolve(vscode.window.activeTextEditor?.document));

  for (const uri of [
    'demo://nowhere',
    'demo://resource/dynamic/text/none',
    'demo://resource/static/document/../../../package.json',
    'demo://resource/static/document/%2e%2e%2f%2e%2e%2f%2e%2e%2fpackage.json',
    'file:///../../etc/passwd',
    'file:///C:/Windows/system.ini',
    'file:///nul%00byte.txt',
  ])
    it(`that are not there say so in one sentence: ${uri}`, () =>
      assert.rejects(
        () => read(uri),
        ({ message }: Error) => {
          assert.match(message, /everything/);
          assert.ok(message.includes(uri), message);
          assert.ok(!message.includes('\n'), message);
          return true;
        },
      ));

  it('that are text in base64 are read as text', async () =>
    assert.match(
      await read('demo://resource/dynamic/blob/1'),
      /^Resource 1: This is a base64 blob/,
    ));

  it('of a template are found by it, filled in and opened', async () => {
    const picks = watchPicks();
    try {
      const done = vscode.commands.executeCommand('mcpWorkbench.findResource');
      const found = await picks.next(/^Open MCP Resource$/);
      found.pick.value = 'Dynamic Text';
      await poll('the template', waitMs, () =>
        Promise.resolve(found.labels.includes('Dynamic Text Resource…') || undefined),
      );
      found.choose('Dynamic Text Resource…');
      const step = await picks.next(/Dynamic Text Resource \(everything\): resourceId/);
      await step.enter('7');
      await done;
    } finally {
      picks.dispose();
    }
    assert.match((await untilOpen()).getText(), /^Resource 7: This is a plaintext resource/);
  });

  it('are read again when it says that they changed', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.openResource', { serverId, uri: text });
    const document = await untilOpen();
    const before = document.getText();
    await toggleUpdates();
    try {
      // It announces a change right away and then periodically; the text changes with the second one.
      await until(vscode.workspace.onDidChangeTextDocument, () => document.getText() !== before);
    } finally {
      await toggleUpdates();
    }
    assert.match(document.getText(), /^Resource 1: This is a plaintext resource/);
  });
});

async function toggleUpdates(): Promise<void> {
  const picks = watchPicks();
  try {
    const called = vscode.lm.invokeTool('mcpWorkbench_callTool', {
      input: { name: 'everything__toggle-subscriber-updates', arguments: {} },
      toolInvocationToken: undefined,
    });
    (await picks.next(/^everything › /)).choose('Allow Once');
    await called;
  } finally {
    picks.dispose();
  }
}
