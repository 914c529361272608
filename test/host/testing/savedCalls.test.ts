import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateWorkbench, folderNamed } from '../../support/host/hostApi';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { setSetting } from '../tools/toolsSteps';

const { executeCommand } = vscode.commands;

const calculate = (name: string, x: number, expect: object = {}) => ({
  name,
  call: 'calculate',
  arguments: { operation: 'add', x, y: 2 },
  expect,
});

describe('saved calls in the editor', function () {
  this.timeout(60_000);
  let picks: WatchedPicks;
  let uri: vscode.Uri;
  let count = 0;

  before(async () => {
    await activateWorkbench();
  });
  beforeEach(() => {
    count += 1;
    uri = vscode.Uri.joinPath(folderNamed('app'), `host${count}.mcp-calls.jsonc`);
    picks = watchPicks();
  });
  afterEach(async () => {
    picks.dispose();
    await executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uri).then(undefined, () => {});
  });

  const write = async (...steps: object[]) => {
    const text = JSON.stringify({ from: 'demo', steps }, undefined, 2);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  };
  const read = async () => new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const run = (name: string) => executeCommand('mcpWorkbench.runSavedCall', uri, name);

  it('run once the user has agreed to what they ask, and are not asked about again', async () => {
    await write(
      calculate('adds', 1, { text: { equals: '3.00' } }),
      calculate('fails', 2, { text: { equals: '9' } }),
    );
    const first = run('adds');
    const question = await picks.next(/^Run host\d+\.mcp-calls\.jsonc on demo\?/);
    assert.deepEqual(question.labels.slice(2), [
      'calculate {"operation":"add","x":1,"y":2}',
      'calculate {"operation":"add","x":2,"y":2}',
    ]);
    question.choose('Run 2 Requests');
    assert.deepEqual(await first, [{ name: 'adds', outcome: 'passed' }]);
    assert.deepEqual(await run('fails'), [{ name: 'fails', outcome: 'failed' }]);
  });

  it('are asked about again when a request changes, and do not run without a yes', async () => {
    await write(calculate('adds', 40));
    const ran = run('adds');
    (await picks.next(/^Run host/)).choose('Do Not Run');
    assert.deepEqual(await ran, []);
  });

  it('do not pass the rules of the user', async () => {
    await setSetting('tools.denyList', ['demo/calculate']);
    try {
      await write(calculate('denied', 41));
      const ran = run('denied');
      (await picks.next(/^Run host/)).choose('Run 1 Request');
      assert.deepEqual(await ran, [{ name: 'denied', outcome: 'failed' }]);
    } finally {
      await setSetting('tools.denyList', undefined);
    }
  });

  it('take what comes back as their expectation', async () => {
    await write(calculate('adds', 5, { text: { equals: 'wrong' }, maxMs: 9000 }));
    const updated = executeCommand('mcpWorkbench.updateExpectation', uri, 'adds');
    (await picks.next(/^Run host/)).choose('Run 1 Request');
    await updated;
    assert.match(await read(), /7/);
    assert.match(await read(), /"maxMs": 9000/);
    assert.doesNotMatch(await read(), /wrong/);
    assert.deepEqual(await run('adds'), [{ name: 'adds', outcome: 'passed' }]);
  });

  it('have what can be done with a step above it', async () => {
    await write(calculate('adds', 1));
    await vscode.workspace.openTextDocument(uri);
    const lenses = await executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      ['$(play) Run', 'Update Expectation'],
    );
  });
});
