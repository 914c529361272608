import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import { shownPath } from '../../../src/base/uri/fileAddress';
import type { WorkbenchApi } from '../../../src/api';
import { deferred } from '../../../src/base/async';
import { addServers } from '../../../src/config/add/addServers';
import type { Configuration, CurrentConfiguration } from '../../../src/config/configuration';
import { mergeLayers } from '../../../src/config/mergeLayers';
import type { ConfigLayer } from '../../../src/config/configLayer';
import { askOwn, noServer } from '../../../src/ui/questions/askOwn';
import { QuestionQueue } from '../../../src/ui/questions/queue';
import { promptKeys } from '../../../src/ui/questions/typing';
import {
  activateWorkbench,
  folderNamed,
  processesWith,
  textOnDisk,
  until,
  writeDocument,
  writer,
} from '../../support/host/hostApi';
import { watchPicks, type ShownPick, type WatchedPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';
import { byUser } from '../../../src/ui/questions/question';

const trustVariable = 'MCP_WORKBENCH_TRUST_ALL';
const password = 'correct-horse-battery';
const clip = { command: 'node', args: ['/srv/clip.js'] };
/** What is configured where nothing is. */
const none: CurrentConfiguration = {
  servers: [],
  disabled: [],
  duplicates: [],
  problems: [],
  hints: [],
  hasFiles: false,
};

const onAdded = () => {};

describe('a server from the clipboard', function () {
  this.timeout(60_000);
  const { showErrorMessage, showWarningMessage } = vscode.window;
  const trusts = process.env[trustVariable];
  const told: string[] = [];
  let api: WorkbenchApi;
  let file: vscode.Uri;
  let original = '';
  let picks: WatchedPicks;

  before(async () => {
    api = await activateWorkbench();
    file = vscode.Uri.joinPath(folderNamed('docs'), '.vscode/mcp.json');
    original = (await vscode.workspace.openTextDocument(file)).getText();
    process.env[trustVariable] = '0';
  });

  beforeEach(() => {
    told.length = 0;
    const tell = (message: string) => Promise.resolve(void told.push(message));
    Object.assign(vscode.window, { showErrorMessage: tell, showWarningMessage: tell });
    picks = watchPicks();
  });

  afterEach(() => {
    picks.dispose();
    Object.assign(vscode.window, { showErrorMessage, showWarningMessage });
  });

  after(async () => {
    process.env[trustVariable] = trusts;
    await writeDocument(file, original);
    await until(
      api.onDidChangeServers,
      () => api.servers.map(({ name }) => name).join() === 'demo,everything,filesystem',
    );
  });

  /** Inputs whose values are kept in a map. */
  const valuesIn = (values: Map<string, string>) => ({
    idsAt: () => Promise.resolve(new Set(values.keys())),
    store: (_: object, id: string, value: string) => Promise.resolve(void values.set(id, value)),
    forget: (_: object, id: string) => Promise.resolve(void values.delete(id)),
  });
  const add = () => vscode.commands.executeCommand('mcpWorkbench.addServer');
  const sentence = () => poll('a sentence', 20_000, () => Promise.resolve(told[0]));

  it('is read once that is chosen, and no text that is none is shown', async () => {
    await vscode.env.clipboard.writeText(password);
    const adding = add();
    const ways = await picks.next(/^Add Server$/);
    assert.ok(!JSON.stringify(ways.pick.items).includes(password));
    ways.choose('From the Clipboard');
    assert.match(await sentence(), /^The clipboard contains no server\./);
    assert.ok(!told.join().includes(password));
    await adding;
  });

  /** Replaces reading the clipboard; `waits` resolves to a function that cancels the wait for it. */
  const withClipboard = async (
    readText: () => Promise<string>,
    work: (waits: Promise<() => void>) => Promise<void>,
  ) => {
    const { withProgress } = vscode.window;
    const { clipboard } = vscode.env;
    let shown: (cancel: () => void) => void = () => {};
    const waits = new Promise<() => void>((resolve) => (shown = resolve));
    Object.defineProperty(vscode.env, 'clipboard', {
      get: () => ({ ...clipboard, readText }),
      configurable: true,
    });
    vscode.window.withProgress = (options, task) => {
      if (!/clipboard/.test(options.title ?? '')) return withProgress(options, task);
      const cancel = new vscode.CancellationTokenSource();
      shown(() => cancel.cancel());
      return task({ report: () => {} }, cancel.token);
    };
    try {
      await work(waits);
    } finally {
      vscode.window.withProgress = withProgress;
      Object.defineProperty(vscode.env, 'clipboard', { get: () => clipboard, configurable: true });
    }
  };

  it('may be one that a browser does not hand out: the wait is shown, holds nothing up and ends when cancelled', () =>
    withClipboard(
      () => new Promise(() => {}),
      async (waits) => {
        const adding = add();
        (await picks.next(/^Add Server$/)).choose('From the Clipboard');
        const cancel = await waits;
        const other = add();
        (await picks.next(/^Add Server$/)).escape();
        await other;
        cancel();
        await adding;
        assert.deepEqual(told, []);
        assert.deepEqual(picks.open, []);
      },
    ));

  for (const [what, readText, expected] of [
    ['refused', () => Promise.reject(new Error('not allowed')), /not allowed/],
    ['empty', () => Promise.resolve(''), /^The clipboard contains no server\./],
  ] as const)
    it(`is told of where it is ${what}`, () =>
      withClipboard(readText, async () => {
        const adding = add();
        (await picks.next(/^Add Server$/)).choose('From the Clipboard');
        assert.match(await sentence(), expected);
        await adding;
      }));

  it('is what was copied last, under the name that stands there', async () => {
    await vscode.env.clipboard.writeText(password);
    const adding = add();
    const ways = await picks.next(/^Add Server$/);
    await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers: { clip } }));
    ways.choose('From the Clipboard');
    (await picks.next(/^Where should "clip" be saved/)).escape();
    await adding;
    assert.ok(!api.servers.some(({ name }) => name === 'clip'));
  });

  it("may be a table of Codex's TOML", async () => {
    const table = '[mcp_servers.clip]\ncommand = "node"\nargs = ["/srv/clip.js"]';
    await vscode.env.clipboard.writeText(`Add this:\n\n\`\`\`toml\n${table}\n\`\`\`\n`);
    const adding = add();
    (await picks.next(/^Add Server$/)).choose('From the Clipboard');
    (await picks.next(/^Where should "clip" be saved/)).escape();
    await adding;
  });

  it('becomes one that asks for what its README leaves to the reader, without what it does not need', async () => {
    const { showInformationMessage } = vscode.window;
    Object.assign(vscode.window, { showInformationMessage: () => Promise.resolve() });
    try {
      const env = { API_KEY: '<your key>', REGION: '<region, optional>' };
      const left = { ...clip, env };
      await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers: { left } }));
      const adding = add();
      (await picks.next(/^Add Server$/)).choose('From the Clipboard');
      (await picks.next(/^Where should "left" be saved/)).choose('docs/.vscode/mcp.json');
      const needed = await picks.next(/^Which values does "left" need/);
      assert.deepEqual(
        needed.pick.selectedItems.map(({ label }) => label),
        ['API_KEY', 'REGION'],
      );
      needed.choose('API_KEY');
      await adding;
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
    const { servers, inputs } = parse(
      (await vscode.workspace.openTextDocument(file)).getText(),
    ) as Record<string, unknown>;
    assert.deepEqual((servers as Record<string, unknown>)['left'], {
      type: 'stdio',
      ...clip,
      env: { API_KEY: '${input:left-API_KEY}' },
    });
    assert.deepEqual(inputs, [
      {
        id: 'left-API_KEY',
        type: 'promptString',
        description: 'API_KEY',
        password: true,
      },
    ]);
  });

  describe('or what is pasted into the first box', () => {
    const typedRow = 'Add What You Typed';
    /** Waits for the row of the text in the box, with this detail or description. */
    const rowWith = (ways: ShownPick, text: string) =>
      poll(`a row with ${text}`, 20_000, () => {
        const row = ways.pick.items.find(({ label }) => label === typedRow);
        return Promise.resolve(row?.detail === text || row?.description === text ? row : undefined);
      });
    const fenced = (code: string) => `# Clip\n\n\`\`\`json\n${code}\n\`\`\`\n`;

    for (const [what, text, shown, next] of [
      ['a command', 'npx -y @scope/server-clip', 'npx -y @scope/server-clip', undefined],
      ['a URL', 'https://clip.example.com/mcp', 'https://clip.example.com/mcp', undefined],
      ['JSON', JSON.stringify({ mcpServers: { clip } }), 'clip', /^Where should "clip" be saved/],
      [
        'a README',
        fenced(JSON.stringify({ mcpServers: { clip } })),
        'clip',
        /^Where should "clip"/,
      ],
    ] as const)
      it(`is taken by a row that says what it is: ${what}`, async () => {
        await vscode.env.clipboard.writeText(text);
        const adding = add();
        const ways = await picks.next(/^Add Server$/);
        assert.ok(!ways.labels.includes(typedRow));
        ways.pick.value = text.replaceAll('\n', ' ');
        await rowWith(ways, shown);
        // The name is asked for in an input box, which is not a list.
        if (next === undefined) ways.escape();
        else {
          ways.choose(typedRow);
          (await picks.next(next)).escape();
        }
        await adding;
      });

    it('takes no row that is none of it, and is told what can be pasted', async () => {
      await vscode.env.clipboard.writeText(password);
      const adding = add();
      const ways = await picks.next(/^Add Server$/);
      assert.match(ways.pick.placeholder ?? '', /paste an install link, JSON, a URL or a command/);
      for (const [text, said] of [
        [password, /^What you typed is no server by itself\. Paste an install link, JSON with/],
        ['https://github.com/a/b', /^This is the web page of a repository/],
        ['{ "mcpServers": { "a" ', /^Line 1 is not valid JSON/],
        ['[mcp_servers.a]command = "npx"', /^Copy the lines of TOML and select "From the Clip/],
      ] as const) {
        ways.pick.value = text;
        await ways.says(said);
        assert.ok(!ways.labels.includes(typedRow));
      }
      ways.pick.value = '';
      await poll('nothing said', 20_000, () => Promise.resolve(!ways.pick.prompt || undefined));
      ways.escape();
      await adding;
    });
  });

  describe('of a name that is there', () => {
    const { showInformationMessage } = vscode.window;
    it('says of each place who has what is there, and under which name it would be saved', async () => {
      await writeDocument(
        file,
        JSON.stringify({ servers: { clip: { type: 'websocket', url: 'ws://a.b' }, after: clip } }),
      );
      await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'after'));
      await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers: { clip, after: clip } }));
      const adding = add();
      (await picks.next(/^Add Server$/)).choose('From the Clipboard');
      const asked = await picks.next(/^Where should clip, after be saved/);
      const rows = asked.pick.items.map(({ label, description, detail }) => [
        label,
        description,
        detail,
      ]);
      const taken = 'as clip-2, after-2, since the name is taken';
      const own = 'You, in all workspaces. Only MCP Workbench reads it.';
      assert.deepEqual(rows[0], ['User Settings', taken, own]);
      assert.deepEqual(rows.at(-1), [
        'docs/.vscode/mcp.json',
        'as clip-2, since the name is taken',
        'Everyone who gets the files of this folder. The editor’s own client reads it, too.',
      ]);
      asked.escape();
      await adding;
    });

    const addClip = async (show?: string | Promise<string>) => {
      await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers: { clip } }));
      const said: string[] = [];
      const tell = (text: string) => {
        said.push(text);
        return Promise.resolve(show);
      };
      Object.assign(vscode.window, { showInformationMessage: tell });
      const adding = add();
      (await picks.next(/^Add Server$/)).choose('From the Clipboard');
      (await picks.next(/^Where should "clip" be saved/)).choose('docs/.vscode/mcp.json');
      await adding;
      return said;
    };
    const written = async () =>
      (parse((await vscode.workspace.openTextDocument(file)).getText()) as { servers: object })
        .servers;

    afterEach(() => {
      Object.assign(vscode.window, { showInformationMessage });
    });

    for (const [what, there] of [
      ['is disabled', { command: 'node', args: ['/srv/own.js'], disabled: true }],
      ['is broken', { type: 'websocket', url: 'ws://a.b' }],
    ] as const)
      it(`leaves that as it is and takes the next name where it ${what}`, async () => {
        await writeDocument(file, JSON.stringify({ servers: { clip: there, after: clip } }));
        // The configuration without what the previous test wrote must be loaded first.
        await until(api.onDidChangeServers, () => {
          const ids = api.servers.map(({ id }) => id);
          return ids.includes('after') && !ids.includes('clip-2');
        });
        await addClip();
        assert.deepEqual(await written(), {
          clip: there,
          after: clip,
          'clip-2': { type: 'stdio', ...clip },
        });
      });

    it('is not added once more where it is there already, which is said', async () => {
      await writeDocument(file, JSON.stringify({ servers: { clip, there: clip } }));
      await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'there'));
      assert.deepEqual(await addClip(), ['Configured already: clip']);
      assert.deepEqual(await written(), { clip, there: clip });
    });

    it('does not inherit that one of its name was disabled here before it was taken out', async () => {
      const isThere = () => api.servers.some(({ id }) => id === 'clip');
      await writeDocument(file, JSON.stringify({ servers: { clip } }));
      await until(api.onDidChangeServers, isThere);
      await vscode.commands.executeCommand('mcpWorkbench.disableServer', 'clip', 'here');
      await until(api.onDidChangeServers, () => !isThere());
      await writeDocument(file, JSON.stringify({ servers: { after: clip } }));
      await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'after'));
      await addClip();
      await until(api.onDidChangeServers, isThere);
    });

    const mark = { command: 'node', args: ['/srv/mark.js'] };
    const has = (name: string) => api.servers.some(({ id }) => id === name);
    /** Removes the server from the file, leaving only another one. */
    const withoutClip = async () => {
      await writeDocument(file, JSON.stringify({ servers: { mark } }));
      await until(api.onDidChangeServers, () => has('mark') && !has('clip') && !has('clip-2'));
    };

    it('is started under that name where it is launched in the same way', async () => {
      const settings = vscode.workspace.getConfiguration('mcpWorkbench');
      const { Global } = vscode.ConfigurationTarget;
      await withoutClip();
      await settings.update('servers', { clip }, Global);
      try {
        await until(api.onDidChangeServers, () => has('clip'));
        const adding = addClip('Start');
        (await picks.next(/^Start "clip"/)).choose('Not Now');
        await adding;
        assert.deepEqual(await written(), { mark, 'clip-2': { type: 'stdio', ...clip } });
        assert.deepEqual(told, []);
      } finally {
        await settings.update('servers', undefined, Global);
      }
    });

    it('is said to be gone where it was removed before its start was asked for', async () => {
      await withoutClip();
      const answer = deferred<string>();
      const adding = addClip(answer.promise);
      await until(api.onDidChangeServers, () => has('clip'));
      await withoutClip();
      answer.resolve('Start');
      await adding;
      assert.deepEqual(told, ['"clip" is no longer configured.']);
    });

    it('is known only once the configuration was read', async () => {
      await writeDocument(file, JSON.stringify({ servers: {} }));
      const ready = deferred<void>();
      const layer: ConfigLayer = {
        scope: 'user',
        label: 'User Settings',
        entries: [{ name: 'clip', value: clip }],
        inputs: undefined,
        problems: [],
      };
      let current: CurrentConfiguration = none;
      void ready.promise.then(() => (current = { ...none, ...mergeLayers([layer]) }));
      const configuration = {
        get current() {
          return current;
        },
        ready: ready.promise,
      } as Configuration;
      const queue = new QuestionQueue({ ...promptKeys, mayShow: () => true });
      const switches = { switchOn: async () => {} };
      const found = [{ name: 'clip', server: clip }];
      const adding = askOwn(
        queue,
        { server: noServer, what: 'Add Server', asked: byUser() },
        (context) =>
          addServers(
            found,
            { configuration, values: valuesIn(new Map()), switches, writer, onAdded },
            context,
          ),
      );
      setImmediate(() => ready.resolve());
      (await picks.next(/^Where should "clip" be saved/)).choose('docs/.vscode/mcp.json');
      await adding;
      assert.deepEqual(await written(), { 'clip-2': clip });
    });
  });

  it('is told which file is broken where it was to be written, and led there', async () => {
    await writeDocument(file, '{ "servers": {');
    const shown: string[] = [];
    const tell = (message: string, ...buttons: string[]) => {
      told.push(message);
      shown.push(...buttons);
      return Promise.resolve(buttons[0]);
    };
    Object.assign(vscode.window, { showErrorMessage: tell });
    await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers: { clip } }));
    const adding = add();
    (await picks.next(/^Add Server$/)).choose('From the Clipboard');
    (await picks.next(/^Where should "clip" be saved/)).choose('docs/.vscode/mcp.json');
    await adding;
    assert.deepEqual(
      [told, shown],
      [[`${shownPath(file)} was not changed: The file is not valid JSON.`], ['Open File']],
    );
    await poll('the file', 20_000, () => {
      const open = vscode.window.activeTextEditor?.document.uri.toString();
      return Promise.resolve(open === file.toString() || undefined);
    });
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await writeDocument(file, '{}');
  });

  it('leaves none of its secrets behind where it cannot be written', async () => {
    await writeDocument(file, '{ "servers": {');
    const values = new Map([['clip-API_KEY', 'of another']]);
    const configuration = { current: none, ready: Promise.resolve() } as Configuration;
    const queue = new QuestionQueue({ ...promptKeys, mayShow: () => true });
    const found = [{ name: 'clip', server: { ...clip, env: { API_KEY: password } } }];
    const kept: string[] = [];
    const switches = { switchOn: () => Promise.resolve(void kept.push(...values.keys())) };
    const adding = askOwn(
      queue,
      { server: noServer, what: 'Add Server', asked: byUser() },
      (context) =>
        addServers(
          found,
          { configuration, values: valuesIn(values), switches, writer, onAdded },
          context,
        ),
    );
    (await picks.next(/^Where should "clip" be saved/)).choose('docs/.vscode/mcp.json');
    (await picks.next(/^These values look like secrets/)).choose('Move to Secret Storage');
    await assert.rejects(adding, /is not valid JSON/);
    assert.deepEqual(kept, ['clip-API_KEY', 'clip-API_KEY-2']);
    assert.deepEqual([...values], [['clip-API_KEY', 'of another']]);
    await writeDocument(file, '{}');
  });

  it('gets no input that its place has since it was asked about', async () => {
    const keyed = { ...clip, env: { API_KEY: password } };
    await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers: { clip: keyed } }));
    const adding = add();
    (await picks.next(/^Add Server$/)).choose('From the Clipboard');
    (await picks.next(/^Where should "clip" be saved/)).choose('docs/.vscode/mcp.json');
    const asked = await picks.next(/^These values look like secrets/);
    const theirs = { inputs: [{ id: 'clip-API_KEY', type: 'promptString' }] };
    await writeDocument(file, JSON.stringify(theirs));
    asked.choose('Move to Secret Storage');
    await adding;
    assert.deepEqual(told, ['docs/.vscode/mcp.json has changed in the meantime. Try again.']);
    assert.deepEqual(JSON.parse(await textOnDisk(file)), theirs);
    await writeDocument(file, '{}');
  });

  it('is asked about the secrets of several servers by the names of those', async () => {
    const keyed = { ...clip, env: { API_KEY: password } };
    await vscode.env.clipboard.writeText(
      JSON.stringify({ mcpServers: { one: keyed, two: keyed } }),
    );
    const adding = add();
    (await picks.next(/^Add Server$/)).choose('From the Clipboard');
    (await picks.next(/^Where should/)).choose('docs/.vscode/mcp.json');
    const asked = await picks.next(/^These values look like secrets/);
    assert.match(asked.title, /: one: API_KEY, two: API_KEY$/);
    asked.escape();
    await adding;
  });

  it('has its place without a question where there is one place only', async () => {
    const { workspace } = vscode;
    const folders = Object.getOwnPropertyDescriptor(workspace, 'workspaceFolders');
    assert.ok(folders);
    Object.defineProperty(workspace, 'workspaceFolders', { get: () => [], configurable: true });
    try {
      const secret = { ...clip, env: { API_KEY: password } };
      await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers: { clip: secret } }));
      const adding = add();
      (await picks.next(/^Add Server$/)).choose('From the Clipboard');
      const asked = await picks.next(/./);
      assert.match(asked.title, /^These values look like secrets/);
      asked.escape();
      await adding;
    } finally {
      Object.defineProperty(workspace, 'workspaceFolders', folders);
    }
    assert.ok(!api.servers.some(({ name }) => name === 'clip'));
  });

  it('is offered no file that is not read', async () => {
    const places = vscode.workspace.getConfiguration('mcpWorkbench');
    const offered = async () => {
      await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers: { clip } }));
      const adding = add();
      (await picks.next(/^Add Server$/)).choose('From the Clipboard');
      const asked = await picks.next(/^Where should "clip" be saved/);
      const { labels } = asked;
      asked.escape();
      await adding;
      return labels;
    };
    assert.ok((await offered()).includes('docs/.vscode/mcp.json'));
    try {
      await places.update('places', ['mcpJson'], vscode.ConfigurationTarget.Global);
      assert.deepEqual(await offered(), ['User Settings', 'Workspace Settings']);
    } finally {
      await places.update('places', undefined, vscode.ConfigurationTarget.Global);
    }
    await until(api.onDidChangeServers, () => api.servers.some(({ name }) => name === 'demo'));
  });

  it('is not told of, nor are others, where the user has just said that it is not to run', async () => {
    const { showInformationMessage } = vscode.window;
    const start = () => Promise.resolve('Start');
    Object.assign(vscode.window, { showInformationMessage: start });
    await writeDocument(file, '{}');
    const mcpServers = { one: clip, two: { ...clip, args: ['/srv/clip.js', '2'] } };
    await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers }));
    const adding = add();
    (await picks.next(/^Add Server$/)).choose('From the Clipboard');
    (await picks.next(/^Where should one, two be saved/)).choose('docs/.vscode/mcp.json');
    (await picks.next(/^2 servers wait/)).choose('Not Now for All');
    await adding;
    Object.assign(vscode.window, { showInformationMessage });
    assert.deepEqual(told, []);
  });

  it('does not run where the user does not want it to', async () => {
    await writeDocument(file, JSON.stringify({ servers: { clip } }));
    await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'clip'));
    const starting = vscode.commands.executeCommand('mcpWorkbench.startServer', 'clip');
    (await picks.next(/^Start "clip"/)).choose('Not Now');
    await starting;
    assert.deepEqual(told, []);
    assert.deepEqual(await processesWith('/srv/clip.js'), []);
  });
});
