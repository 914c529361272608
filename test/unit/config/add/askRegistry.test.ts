import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { askServer } from '../../../../src/config/add/askServer';
import type { SearchedRegistry } from '../../../../src/mcp/http/mcpRegistry';
import type { ImportedServer } from '../../../../src/config/add/importedServer';
import { askOwn, noServer } from '../../../../src/ui/questions/askOwn';
import { byUser } from '../../../../src/ui/questions/question';
import { registered, RegistryServer } from '../../../support/fakes/registryServer';
import { newQuestions } from '../../../support/host/newQuestions';
import { watchPicks, type WatchedPicks } from '../../../support/host/shownPicks';
import { poll } from '../../../support/poll';

const setting = 'mcpWorkbench.registry';
const way = 'Search the MCP Registry…';
const weather = registered('io.example/weather', { title: 'The \u202Eweather' });
const remote = { type: 'streamable-http', url: 'https://example.com/mcp' };

describe('a server found in the registry', () => {
  let server: RegistryServer;
  let picks: WatchedPicks;
  const { createInputBox } = vscode.window;
  let shownBox: vscode.InputBox | undefined;
  let address = '';
  const searches: SearchedRegistry[] = [];
  const use = (value: string | undefined) =>
    vscode.workspace.getConfiguration().update(setting, value, vscode.ConfigurationTarget.Global);

  beforeEach(async () => {
    const both = registered('io.example/wind', { remotes: [remote] });
    server = new RegistryServer([weather, both, registered('io.example/west')], 2);
    searches.length = 0;
    address = await server.start();
    await use(address);
    picks = watchPicks();
    vscode.window.createInputBox = () => (shownBox = createInputBox());
  });
  afterEach(async () => {
    vscode.window.createInputBox = createInputBox;
    picks.dispose();
    server.stop();
    await use(undefined);
  });

  const ask = () =>
    askOwn(
      newQuestions(),
      { server: noServer, what: 'Add Server', asked: byUser() },
      (question): Promise<readonly ImportedServer[] | undefined> =>
        askServer(question, {
          readBundle: () => Promise.resolve(undefined),
          onSearch: (found) => searches.push(found),
        }),
    );
  const search = async (text: string) => {
    const adding = ask();
    const ways = await picks.next(/^Add Server$/);
    ways.choose(way);
    const found = await picks.next(/^Add Server$/);
    found.pick.value = text;
    return { adding, found };
  };
  const rows = (shown: { readonly labels: readonly string[] }, label: string) =>
    poll(`the row ${label}`, 5000, () =>
      Promise.resolve(shown.labels.includes(label) ? true : undefined),
    );

  it('is asked for only once that was chosen and something was typed', async () => {
    void ask();
    const ways = await picks.next(/^Add Server$/);
    assert.ok(ways.labels.includes(way));
    assert.match(
      ways.pick.items.find(({ label }) => label === way)?.description ?? '',
      /^what you type is sent to 127\.0\.0\.1:\d+$/,
    );
    ways.choose(way);
    const found = await picks.next(/^Add Server$/);
    assert.match(found.pick.prompt ?? '', /^What you type is sent to 127/);
    found.pick.value = '  ';
    await found.says(/^What you type/);
    assert.deepEqual(server.requests, []);
  });

  it('is shown with what tells it apart, hidden characters made visible', async () => {
    const { found } = await search('weather');
    await rows(found, 'io.example/weather');
    // What it says of configured servers is told on their rows.
    assert.deepEqual(
      searches.map(({ url, servers }) => [url, servers.map(({ name }) => name)]),
      [[address, ['io.example/weather']]],
    );
    const [row] = found.pick.items;
    assert.equal(row?.description, '1.0.2 · npm · updated on 2026-11-02');
    assert.match(row?.detail ?? '', /^The .*U\+202E.*weather · What io\.example\/weather does$/);
  });

  it('goes the way of a server.json that was pasted', async () => {
    const { adding, found } = await search('weather');
    await rows(found, 'io.example/weather');
    found.choose('io.example/weather');
    const box = await poll('the question for a name', 5000, () =>
      Promise.resolve(shownBox?.value === 'weather' ? shownBox : undefined),
    );
    assert.match(box.prompt ?? '', /npx -y @x\/io\.example\/weather@1\.0\.2/);
    Reflect.apply(Reflect.get(box, 'accept') as () => void, box, []);
    assert.deepEqual(structuredClone(await adding), [
      {
        name: 'weather',
        server: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', '@x/io.example/weather@1.0.2'],
          registry: { url: address, name: 'io.example/weather', version: '1.0.2' },
        },
      },
    ]);
  });

  it('is asked about where there are several ways to launch it', async () => {
    const { found } = await search('wind');
    await rows(found, 'io.example/wind');
    found.choose('io.example/wind');
    const launches = await picks.next(/^Add Server$/);
    assert.deepEqual(launches.labels, [
      'npx -y @x/io.example/wind@1.0.2',
      'https://example.com/mcp',
    ]);
  });

  it('is found on a later page', async () => {
    const { found } = await search('io.example');
    await rows(found, 'More Results');
    found.choose('More Results');
    await rows(found, 'io.example/west');
    assert.deepEqual(found.labels, ['io.example/weather', 'io.example/wind', 'io.example/west']);
  });

  it('can be looked for again where the registry failed, with what was typed', async () => {
    let fails = true;
    server.intercept = (_, response) => {
      if (fails) response.writeHead(503).end();
      return fails;
    };
    const { found } = await search('weather');
    await found.says(/^The MCP registry at 127\S+ failed with HTTP 503\. Try again later\.$/);
    fails = false;
    found.choose('Try Again');
    await rows(found, 'io.example/weather');
    assert.equal(found.pick.value, 'weather');
  });

  it('is not taken once something else was typed', async () => {
    const { found } = await search('weather');
    await rows(found, 'io.example/weather');
    found.pick.value = 'w';
    await poll('no rows', 5000, () => Promise.resolve(found.labels.length === 0 || undefined));
    found.accept();
    assert.ok(found.isOpen);
    await rows(found, 'io.example/wind');
  });

  it('says that there is none', async () => {
    const { found } = await search('nothing like it');
    await found.says(/^No server whose name contains “nothing like it”$/);
  });

  it('is not looked for where no registry is wanted', async () => {
    await use('');
    void ask();
    const ways = await picks.next(/^Add Server$/);
    assert.ok(!ways.labels.includes(way));
  });
});
