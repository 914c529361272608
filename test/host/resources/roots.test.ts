import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { shownPath } from '../../../src/base/uri/fileAddress';
import { activateWorkbench, folderNamed, serverNamed, until } from '../../support/host/hostApi';
import { built, repositoryRoot } from '../../support/paths';
import { poll } from '../../support/poll';
import { watchPicks } from '../../support/host/shownPicks';

const waitMs = 20_000;
const hidden = 'mcpWorkbench.roots.hidden';
const added = 'mcpWorkbench.roots.added';
const servers = 'mcpWorkbench.servers';

interface Line {
  readonly from: 'client' | 'server' | 'folders' | 'log';
  readonly said: string;
}

/** What a server answers to the call of a tool. */
interface ToolAnswer {
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

const set = async (key: string, value: unknown, target: vscode.ConfigurationTarget) =>
  vscode.workspace.getConfiguration().update(key, value, target);

describe('roots', function () {
  this.timeout(60_000);
  let api: WorkbenchApi;
  let directory: string;

  before(async () => {
    api = await activateWorkbench();
    directory = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-roots-')));
    const filesystem = ['@modelcontextprotocol', 'server-filesystem', 'dist', 'index.js'];
    const args = [
      built('fixtures', 'tap', 'main.js'),
      join(directory, 'said.jsonl'),
      join(repositoryRoot, 'node_modules', ...filesystem),
    ];
    await set(
      servers,
      { tapped: { command: process.execPath, args } },
      vscode.ConfigurationTarget.Global,
    );
    await until(api.onDidChangeServers, () => api.servers.some(({ name }) => name === 'tapped'));
    const [outcome] = await api.startServer('tapped');
    assert.deepEqual(outcome, { kind: 'running' });
  });

  after(async () => {
    await set(hidden, undefined, vscode.ConfigurationTarget.Workspace);
    await set(added, undefined, vscode.ConfigurationTarget.Workspace);
    await set(servers, undefined, vscode.ConfigurationTarget.Global);
    await until(api.onDidChangeServers, () => api.servers.every(({ name }) => name !== 'tapped'));
    await rm(directory, { recursive: true, force: true });
  });

  const said = async (from: Line['from']): Promise<string[]> => {
    const text = await readFile(join(directory, 'said.jsonl'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line.from === from)
      .map((line) => line.said);
  };

  const announced = async () =>
    (await said('client')).filter((line) => line.includes('roots/list_changed')).length;

  /** Waits until the server itself reports exactly these folders as allowed. */
  const untilFolders = (...folders: readonly vscode.Uri[]) =>
    poll(`the folders ${folders.join(', ')}`, waitMs, async () => {
      const last = JSON.parse((await said('folders')).at(-1) ?? '{}') as ToolAnswer;
      const [, ...listed] = last.result?.content[0]?.text.split('\n') ?? [];
      const expected = folders.map((folder) => shownPath(folder));
      return listed.toSorted().join() === expected.toSorted().join() || undefined;
    });

  it('are the folders of the workspace at first', () =>
    untilFolders(folderNamed('app'), folderNamed('docs')));

  it('reach a running server live when one is hidden from it and shown again', async () => {
    await set(hidden, { docs: ['tapped'] }, vscode.ConfigurationTarget.Workspace);
    await untilFolders(folderNamed('app'));
    await set(hidden, undefined, vscode.ConfigurationTarget.Workspace);
    await untilFolders(folderNamed('app'), folderNamed('docs'));
  });

  it('stay with a server when one is hidden from another, which is not even announced', async () => {
    const before = await announced();
    await set(hidden, { docs: ['demo'] }, vscode.ConfigurationTarget.Workspace);
    await set(hidden, { docs: ['demo'], app: ['tapped'] }, vscode.ConfigurationTarget.Workspace);
    await untilFolders(folderNamed('docs'));
    assert.equal(await announced(), before + 1);
    await set(hidden, undefined, vscode.ConfigurationTarget.Workspace);
    await untilFolders(folderNamed('app'), folderNamed('docs'));
  });

  it('of another folder are nothing to a server that a folder brings itself', async () => {
    await api.startServer(serverNamed(api, 'demo').id);
    const picks = watchPicks();
    try {
      const input = { name: 'demo__list_roots', arguments: {} };
      const called = vscode.lm.invokeTool('mcpWorkbench_callTool', {
        input,
        toolInvocationToken: undefined,
      });
      (await picks.next(/^demo › /)).choose('Allow Once');
      const text = JSON.stringify((await called).content);
      const addressed = (name: string) => pathToFileURL(shownPath(folderNamed(name))).href;
      assert.ok(text.includes(addressed('app')), text);
      assert.ok(!text.includes(addressed('docs')), text);
    } finally {
      picks.dispose();
    }
  });

  it('that were added go over the wire as they were written', async () => {
    const extra = { uri: 'https://example.com/a%20b', name: 'Extra' };
    const { Global } = vscode.ConfigurationTarget;
    await set(added, [extra, { uri: 'javascript:alert(1)' }], Global);
    const answer = await poll('the answer with the added root', waitMs, async () =>
      (await said('client')).findLast((line) => line.includes('example.com')),
    );
    const { result } = JSON.parse(answer) as { result: { roots: unknown[] } };
    assert.equal(result.roots.length, 3);
    assert.deepEqual(result.roots.at(-1), extra);
    await set(added, undefined, Global);
    await untilFolders(folderNamed('app'), folderNamed('docs'));
  });

  it('that the settings of a workspace add are asked about with their paths, and told after a yes', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    const picks = watchPicks();
    try {
      await set(added, [{ uri: pathToFileURL(directory).href, name: 'Docs' }], Workspace);
      const shown = await picks.next(/^Share these places/);
      assert.equal(shown.pick.items[0]?.label, directory);
      assert.equal(shown.pick.activeItems[0]?.label, 'Do Not Share');
      await untilFolders(folderNamed('app'), folderNamed('docs'));
      shown.choose('Share');
      await untilFolders(folderNamed('app'), folderNamed('docs'), vscode.Uri.file(directory));
    } finally {
      picks.dispose();
      await set(added, undefined, Workspace);
    }
    await untilFolders(folderNamed('app'), folderNamed('docs'));
  });

  describe('that a user adds', () => {
    const { createInputBox, showOpenDialog } = vscode.window;
    const address = 'https://example.com/a%20b';

    afterEach(async () => {
      Object.assign(vscode.window, { createInputBox, showOpenDialog });
      await set(added, undefined, vscode.ConfigurationTarget.Workspace);
    });

    /** Adds the folder of a row; returns what the user was told about other addresses. */
    const add = async (label: string, folder: vscode.Uri) => {
      const refused: string[] = [];
      let box: vscode.InputBox | undefined;
      const accept = () =>
        vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      Object.assign(vscode.window, {
        showOpenDialog: () => Promise.resolve([folder]),
        createInputBox: () => (box = createInputBox()),
      });
      const picks = watchPicks();
      try {
        const adding = vscode.commands.executeCommand('mcpWorkbench.addRoot');
        (await picks.next(/^Add Root$/)).choose(label);
        if (label === 'Address…') {
          const shown = await poll('the box', waitMs, () => Promise.resolve(box));
          for (const typed of ['javascript:alert(1)', 'nothing']) {
            shown.value = typed;
            await accept();
            const problem = await poll('a problem', waitMs, () => {
              const { validationMessage: told } = shown;
              const isNew = typeof told === 'string' && refused.at(-1) !== told;
              return Promise.resolve(isNew ? told : undefined);
            });
            refused.push(problem);
          }
          shown.value = address;
          await accept();
        }
        await adding;
      } finally {
        picks.dispose();
      }
      return refused;
    };
    const untilTold = (...extra: readonly string[]) =>
      poll(`the roots ${extra.join()}`, waitMs, async () => {
        const last = (await said('client')).findLast((line) => line.includes('"roots"')) ?? '{}';
        const { result } = JSON.parse(last) as { result?: { roots: { uri: string }[] } };
        const uris = result?.roots.map(({ uri }) => uri).slice(2) ?? [];
        return uris.join() === extra.join() || undefined;
      });
    const remove = (uri: string) =>
      vscode.commands.executeCommand('mcpWorkbench.removeRoot', {
        parent: undefined,
        root: { uri, added: true },
      });

    it('as a folder or by its address is told at once, until it is removed', async () => {
      const folder = vscode.Uri.file(directory);
      const { href } = pathToFileURL(directory);
      await add('Folder…', folder);
      await untilTold(href);
      await untilFolders(folderNamed('app'), folderNamed('docs'), folder);
      const refused = await add('Address…', folder);
      await untilTold(href, address);
      assert.match(refused[0] ?? '', /https:/);
      assert.match(refused[1] ?? '', /complete/);
      await remove(href);
      await untilTold(address);
      await remove(address);
      await untilTold();
    });

    it('are told no longer when they are removed one right after the other', async () => {
      const folders = [directory, join(directory, 'below')].map((path) => vscode.Uri.file(path));
      for (const folder of folders) await add('Folder…', folder);
      const uris = folders.map((folder) => pathToFileURL(shownPath(folder)).href);
      await untilTold(...uris);
      await Promise.all(uris.map(async (uri) => remove(uri)));
      await untilTold();
    });
  });
});
