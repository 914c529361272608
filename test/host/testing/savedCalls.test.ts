import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { TrafficRecorder } from '../../../src/mcp/traffic/trafficRecorder';
import {
  activateWorkbench,
  folderNamed,
  serverNamed,
  textOnDisk,
  until,
} from '../../support/host/hostApi';
import { fakeServer } from '../../support/fakes/fakeServer';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { setSetting } from '../../support/host/toolsSteps';

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

  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
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
  const read = () => textOnDisk(uri);
  const run = (name?: string) => executeCommand('mcpWorkbench.runSavedCall', uri, name);

  it('run once the user has agreed to what they ask, and are not asked about again', async () => {
    await write(
      calculate('adds', 1, { text: { equals: '3.00' } }),
      calculate('fails', 2, { text: { equals: '9' } }),
    );
    const all = run();
    const question = await picks.next(/^Run host\d+\.mcp-calls\.jsonc on demo\?/);
    assert.deepEqual(question.labels.slice(2), [
      'calculate {"operation":"add","x":1,"y":2}',
      'calculate {"operation":"add","x":2,"y":2}',
    ]);
    question.choose('Run 2 Requests');
    const outcomes = [
      { name: 'adds', outcome: 'passed' },
      { name: 'fails', outcome: 'failed' },
    ];
    assert.deepEqual(await all, outcomes);
    assert.deepEqual(await run('fails'), outcomes.slice(1));
  });

  it('answer what their server asks as they say, which the user sees before', async () => {
    const answers = { elicitation: [{ action: 'decline' }] };
    const step = {
      name: 'asks',
      call: 'ask_elicitation',
      expect: { json: answers.elicitation[0], asked: [{ method: 'elicitation/create' }] },
    };
    const text = JSON.stringify({ from: 'demo', answers, steps: [step] });
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    const ran = run();
    const question = await picks.next(/^Run host/);
    assert.deepEqual(question.labels.slice(2), [
      `answers ${JSON.stringify(answers)}`,
      'ask_elicitation {}',
    ]);
    question.choose('Run 1 Request');
    assert.deepEqual(await ran, [{ name: 'asks', outcome: 'passed' }]);
    assert.deepEqual(await run(), [{ name: 'asks', outcome: 'passed' }]);
    await vscode.workspace.fs.writeFile(
      uri,
      new TextEncoder().encode(text.replaceAll('decline', 'cancel')),
    );
    const again = run();
    (await picks.next(/^Run host/)).choose('Do Not Run');
    assert.deepEqual(await again, []);
  });

  it('are asked about as far as they run: a step, and those whose values it needs', async () => {
    await write({ ...calculate('first', 60), save: { sum: '$' } }, calculate('other', 61), {
      name: 'last',
      call: 'echo',
      arguments: { text: '${sum}' },
    });
    const one = run('other');
    const alone = await picks.next(/^Run host/);
    assert.deepEqual(alone.labels.slice(2), ['calculate {"operation":"add","x":61,"y":2}']);
    alone.choose('Run 1 Request');
    assert.deepEqual(await one, [{ name: 'other', outcome: 'passed' }]);
    const last = run('last');
    const both = await picks.next(/^Run host/);
    assert.deepEqual(both.labels.slice(2), [
      'calculate {"operation":"add","x":60,"y":2}',
      'echo {"text":"${sum}"}',
    ]);
    both.choose('Run 2 Requests');
    await last;
    assert.deepEqual(await run('other'), [{ name: 'other', outcome: 'passed' }]);
    const whole = run();
    (await picks.next(/^Run host/)).choose('Do Not Run');
    assert.deepEqual(await whole, []);
  });

  it('are agreed to with the values of the file in view', async () => {
    const step = { name: 'says', call: 'echo', arguments: { text: '${what}' } };
    const text = JSON.stringify({ from: 'demo', variables: { what: 'all of it' }, steps: [step] });
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    const ran = run();
    const question = await picks.next(/^Run host/);
    assert.deepEqual(question.labels.slice(2), ['echo {"text":"all of it"}']);
    question.choose('Do Not Run');
    assert.deepEqual(await ran, []);
  });

  it('are agreed to in an editor that has all of them where the rows have no room', async () => {
    const text = `${'much '.repeat(1000)}and this`;
    await write({ name: 'says', call: 'echo', arguments: { text } });
    const ran = run();
    const answerIn = async (choice: string) => {
      (await picks.next(/^Run host/)).choose('Review and Run 1 Request…');
      const opened = () => vscode.window.activeTextEditor?.document;
      await until(
        vscode.window.onDidChangeActiveTextEditor,
        () => opened()?.fileName.endsWith('.mcp-review') === true,
      );
      assert.match(opened()?.getText() ?? '', /^1\. echo\n[^]* and this/);
      await executeCommand('mcpWorkbench.answerDocument', opened()?.uri, choice);
    };
    await answerIn('close');
    await answerIn('run');
    assert.deepEqual(await ran, [{ name: 'says', outcome: 'passed' }]);
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

  for (const [what, answer, expect, told] of [
    [
      'the code of an error of the protocol',
      { error: { code: -32011, message: 'no' } },
      { error: { code: -32011 } },
      [],
    ],
    [
      'nothing where nothing came back, and say so',
      undefined,
      undefined,
      [/^The step has no expectation, /],
    ],
  ] as const)
    for (const again of ['', ' once more, after their file was deleted,'])
      it(`saved from the traffic${again} expect ${what}`, async () => {
        const server = fakeServer({ name: answer ? 'answered' : 'unanswered' });
        const saved = vscode.Uri.joinPath(folderNamed('app'), `${server.name}.mcp-calls.jsonc`);
        const recorder = new TrafficRecorder((text) => text);
        const request = { jsonrpc: '2.0', id: 1 };
        recorder.note('sent', { ...request, method: 'tools/call', params: { name: 'a' } });
        if (answer) recorder.note('received', { ...request, ...answer });
        const [traffic] = recorder.entries;
        const { showInformationMessage } = vscode.window;
        const said: string[] = [];
        vscode.window.showInformationMessage = (message: string) => {
          said.push(message);
          return Promise.resolve(undefined);
        };
        try {
          await executeCommand('mcpWorkbench.saveAsTest', { traffic, server });
          const text = await textOnDisk(saved);
          const [step] = (JSON.parse(text) as { steps: { expect?: object }[] }).steps;
          assert.deepEqual(step?.expect, expect);
          assert.equal(said.length, told.length);
          for (const [index, pattern] of told.entries()) assert.match(said[index] ?? '', pattern);
        } finally {
          vscode.window.showInformationMessage = showInformationMessage;
          await executeCommand('workbench.action.closeAllEditors');
          await vscode.workspace.fs.delete(saved).then(undefined, () => {});
        }
      });

  it('leave their server as it ran before, also where each step has a session of its own', async () => {
    const { id } = serverNamed(api, 'demo');
    const state = () => serverNamed(api, 'demo').state;
    const steps = [calculate('adds', 70), calculate('adds more', 71)];
    const text = JSON.stringify({ from: 'demo', session: 'step', steps });
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    const passed = steps.map(({ name }) => ({ name, outcome: 'passed' }));
    await executeCommand('mcpWorkbench.startServer', id);
    const ran = run();
    (await picks.next(/^Run host/)).choose('Run 2 Requests');
    assert.deepEqual(await ran, passed);
    assert.equal(state(), 'running');
    await executeCommand('mcpWorkbench.stopServer', id);
    assert.deepEqual(await run(), passed);
    assert.equal(state(), 'stopped');
  });

  for (const [where, session, isFresh] of [
    ['a process of their own', undefined, true],
    ['a new process for each step', 'step', true],
    ['the process that is running, where their file says so', 'running', false],
  ] as const)
    it(`run in ${where}, so that ${isFresh ? 'no' : 'an'} earlier run is seen`, async () => {
      const { id } = serverNamed(api, 'demo');
      const state = () => serverNamed(api, 'demo').state;
      await executeCommand('mcpWorkbench.stopServer', id);
      // A run that the editor begins is not the user's: it leaves alone what they have stopped.
      if (!isFresh) await executeCommand('mcpWorkbench.startServer', id);
      const name = `note${count}`;
      const steps = [
        { name: 'finds none', read: `demo://notes/${name}`, expect: { error: {} } },
        { name: 'writes', call: 'write_note', arguments: { name, text: 'kept' } },
      ];
      const text = JSON.stringify({ from: 'demo', session, steps });
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
      const ended = (first: string) => [
        { name: 'finds none', outcome: first },
        { name: 'writes', outcome: 'passed' },
      ];
      const ran = run();
      (await picks.next(/^Run host/)).choose('Run 2 Requests');
      assert.deepEqual(await ran, ended('passed'));
      assert.equal(state(), isFresh ? 'stopped' : 'running');
      assert.deepEqual(await run(), ended(isFresh ? 'passed' : 'failed'));
    });

  it('are asked about in a check, too, which leaves the server in use as it is', async () => {
    const { id } = serverNamed(api, 'demo');
    await executeCommand('mcpWorkbench.stopServer', id);
    const checked = executeCommand('mcpWorkbench.checkServer', id);
    const question = await picks.next(/^Run the check on demo\?/);
    question.choose('Do Not Run');
    await checked;
    // Rendered, not as its source.
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputCustom);
    assert.equal(input.viewType, 'vscode.markdown.preview.editor');
    assert.match(input.uri.path, /Check of demo\.md$/);
    const report = new TextDecoder().decode(await vscode.workspace.fs.readFile(input.uri));
    assert.match(report, /^# Check of demo\n\n\d+ passed, .*not tried\.\n/);
    assert.match(report, /tools were not called/);
    assert.equal(serverNamed(api, 'demo').state, 'stopped');
    // Other tests use it, too.
    await executeCommand('mcpWorkbench.startServer', id);
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
