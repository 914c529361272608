import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import {
  activateWorkbench,
  folderNamed,
  textOnDisk,
  until,
  writeDocument,
} from '../../support/host/hostApi';
import { registered, RegistryServer } from '../../support/fakes/registryServer';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';

const name = 'io.example/weather';
const packageOf = (version: string, more: object) => ({
  version,
  packages: [
    {
      registryType: 'npm',
      identifier: '@x/weather',
      version,
      transport: { type: 'stdio' },
      ...more,
    },
  ],
});
const cityVariable = { name: 'CITY', description: 'The city', isRequired: true };

describe('a server of a registry', function () {
  this.timeout(60_000);
  const { showErrorMessage, showInformationMessage } = vscode.window;
  const registry = new RegistryServer([
    registered(name, packageOf('1.0.2', {})),
    registered(name, packageOf('1.1.0', { environmentVariables: [cityVariable] })),
  ]);
  let api: WorkbenchApi;
  let file: vscode.Uri;
  let original = '';
  let url = '';
  let told: string[] = [];
  let answer: string | undefined;
  let picks: WatchedPicks;
  const use = (address: string | undefined) =>
    vscode.workspace
      .getConfiguration()
      .update('mcpWorkbench.registry', address, vscode.ConfigurationTarget.Global);
  const entry = () => ({
    type: 'stdio',
    command: 'npx',
    args: ['-y', '@x/weather@1.0.2', '--metric'],
    registry: { url, name, version: '1.0.2' },
    disabledTools: ['drop'],
  });
  const written = async () =>
    JSON.parse(await textOnDisk(file)) as {
      servers: Record<string, object>;
      inputs?: readonly object[];
    };

  before(async () => {
    api = await activateWorkbench();
    file = vscode.Uri.joinPath(folderNamed('docs'), '.vscode/mcp.json');
    original = (await vscode.workspace.openTextDocument(file)).getText();
    await use((url = await registry.start()));
  });
  beforeEach(async () => {
    [told, answer] = [[], undefined];
    picks = watchPicks();
    const tell = (message: string, ...buttons: readonly string[]) => {
      told.push(message);
      return Promise.resolve(answer !== undefined && buttons.includes(answer) ? answer : undefined);
    };
    Object.assign(vscode.window, { showErrorMessage: tell, showInformationMessage: tell });
    await writeDocument(file, JSON.stringify({ servers: { weather: entry() } }));
    await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'weather'));
  });
  afterEach(async () => {
    picks.dispose();
    Object.assign(vscode.window, { showErrorMessage, showInformationMessage });
    // What is there when the next test begins was read for it.
    await writeDocument(file, JSON.stringify({ servers: {} }));
    await until(api.onDidChangeServers, () => api.servers.every(({ id }) => id !== 'weather'));
  });
  after(async () => {
    registry.stop();
    await use(undefined);
    await writeDocument(file, original);
    await until(
      api.onDidChangeServers,
      () => api.servers.map((one) => one.name).join() === 'demo,everything,filesystem',
    );
  });

  /** Goes to the question that offers to update, which only does so after the difference was viewed. */
  const untilSeen = async () => {
    const done = vscode.commands.executeCommand('mcpWorkbench.updateServer', 'weather');
    const first = await picks.next(/^Update weather$/);
    assert.ok(!first.labels.includes('Update'));
    first.choose('Show Changes…');
    const isShown = () =>
      vscode.window.activeTextEditor?.document.getText().includes('@x/weather@1.1.0') || undefined;
    await poll('the difference', 20_000, () => Promise.resolve(isShown()));
    await vscode.commands.executeCommand('mcpWorkbench.answerDocument');
    return { question: await picks.next(/^Update weather$/), done };
  };
  const updated = () => ({
    ...entry(),
    args: ['-y', '@x/weather@1.1.0', '--metric'],
    env: { CITY: '${input:weather-CITY}' },
    registry: { url, name, version: '1.1.0' },
  });

  it('is told of its update, and gets it once the user has seen what changes', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.checkForUpdates', 'weather');
    assert.deepEqual(told, ['"weather" can be updated: 1.0.2 → 1.1.0.']);
    assert.deepEqual((await written()).servers, { weather: entry() });
    const { question, done } = await untilSeen();
    assert.deepEqual(question.labels.slice(3), [
      'Version 1.0.2 → 1.1.0',
      'npx -y @x/weather@1.1.0 --metric',
      'Asked for at the next start: The city',
      'It is asked about again before it starts.',
    ]);
    assert.deepEqual((await written()).servers, { weather: entry() });
    question.choose('Update');
    await done;
    const { servers, inputs = [] } = await written();
    assert.deepEqual(servers, { weather: updated() });
    assert.deepEqual(
      inputs.map((one) => Object.entries(one).find(([key]) => key === 'id')?.[1]),
      ['weather-CITY'],
    );
    assert.equal(told.at(-1), 'Updated: weather (1.0.2 → 1.1.0)');
  });

  it('gets its entry of before again where that is undone', async () => {
    answer = 'Undo';
    const { question, done } = await untilSeen();
    question.choose('Update');
    await done;
    assert.equal(told.at(-1), 'Updated: weather (1.0.2 → 1.1.0)');
    assert.deepEqual((await written()).servers, { weather: entry() });
  });

  it('keeps what was written while the difference was shown', async () => {
    const { question, done } = await untilSeen();
    const mine = { ...entry(), disabledTools: ['drop', 'erase'] };
    const servers = { weather: mine, other: { command: 'node', args: ['other.js'] } };
    await writeDocument(file, JSON.stringify({ servers }));
    await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'other'));
    question.choose('Update');
    await done;
    assert.match(told.at(-1) ?? '', /^weather has changed in the meantime\. Try again\.$/);
    assert.deepEqual((await written()).servers, servers);
  });
});
