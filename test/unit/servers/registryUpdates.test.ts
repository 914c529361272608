import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event';
import type { Configuration } from '../../../src/config/configuration';
import { silentLogger } from '../../../src/base/log';
import type { ListedServer, SearchedRegistry } from '../../../src/mcp/http/mcpRegistry';
import { maxUpdateChecks, RegistryUpdates } from '../../../src/servers/registryUpdates';
import type { TreeNode } from '../../../src/ui/tree';
import type { Logs } from '../../../src/ui/logs';
import { FakeServer, FakeServers } from '../../support/fakes/fakeServer';
import { registered, RegistryServer } from '../../support/fakes/registryServer';

const setting = 'mcpWorkbench.registry';
const parent = { id: 'server:w' } as TreeNode;
const listed = (name: string, version: string, more: Partial<ListedServer> = {}): ListedServer => ({
  name,
  version,
  title: '',
  description: '',
  kinds: ['npm'],
  status: 'active',
  statusMessage: '',
  updated: '2026-11-02',
  entry: {},
  ...more,
});

describe('updates of servers that came from a registry', () => {
  const { showInformationMessage, withProgress } = vscode.window;
  let registry: RegistryServer;
  let url = '';
  let updates: RegistryUpdates;
  let told: string[] = [];
  let changed: string[] = [];
  let searched: Emitter<SearchedRegistry>;
  const use = (address: string | undefined) =>
    vscode.workspace.getConfiguration().update(setting, address, vscode.ConfigurationTarget.Global);

  /** Configures servers by their ids, each with the version that it has of its namesake in the registry. */
  const configure = (versions: Readonly<Record<string, string>>, other = url) => {
    updates?.dispose();
    const servers = new FakeServers(
      ...Object.keys(versions).map((id) => new FakeServer({ id })),
      new FakeServer({ id: 'plain' }),
    );
    const get = (id: string) => ({
      definition: { id, name: id },
      ...(Object.hasOwn(versions, id) && {
        origin: { url: other, name: `io.example/${id}`, version: versions[id] },
      }),
    });
    const configuration = { ready: Promise.resolve(), get } as unknown as Configuration;
    searched = new Emitter();
    updates = new RegistryUpdates({
      servers,
      configuration,
      values: {} as never,
      input: {} as never,
      writer: {} as never,
      questions: {} as never,
      logs: { extension: silentLogger } as unknown as Logs,
      onDidSearch: searched.event,
    });
    updates.notes.onDidChange(({ id }) => changed.push(id));
    return servers;
  };
  const check = async (target?: string) => {
    told = [];
    await vscode.commands.executeCommand('mcpWorkbench.checkForUpdates', target);
    return told.join('\n');
  };
  const row = (server: FakeServer) =>
    updates.notes.nodes(server, parent).map((node) => {
      const { label, description, command } = node.item();
      return [label, description, command?.command];
    });
  const server = (id: string) => new FakeServer({ id });

  beforeEach(async () => {
    [told, changed] = [[], []];
    registry = new RegistryServer([
      registered('io.example/w', { version: '1.1.0' }),
      registered('io.example/v', { version: '2.0.0' }),
    ]);
    await use((url = await registry.start()));
    const tell = (message: string) => {
      told.push(message);
      return Promise.resolve(undefined);
    };
    Object.assign(vscode.window, {
      showInformationMessage: tell,
      showErrorMessage: tell,
      withProgress: (_: unknown, work: (...args: readonly unknown[]) => unknown) =>
        work({ report: () => {} }, { onCancellationRequested: () => ({ dispose: () => {} }) }),
    });
  });
  afterEach(async () => {
    updates.dispose();
    registry.stop();
    Object.assign(vscode.window, { showInformationMessage, withProgress });
    await use(undefined);
  });

  it('are unknown, and nothing is asked, until the user has it checked', async () => {
    configure({ w: '1.0.2', v: '2.0.0' });
    assert.deepEqual(row(server('w')), []);
    assert.deepEqual(updates.notes.marks(server('w')), ['registry']);
    assert.deepEqual(updates.notes.marks(server('plain')), []);
    assert.deepEqual(registry.requests, []);
    assert.equal(await check('w'), '"w" can be updated: 1.0.2 → 1.1.0.');
    assert.deepEqual(registry.requests, ['/v0.1/servers/io.example%2Fw/versions/latest']);
    assert.deepEqual(changed, ['w']);
    assert.deepEqual(updates.notes.marks(server('w')), ['registry', 'update']);
    assert.deepEqual(row(server('w')), [
      ['Version 1.1.0 is available', '1.0.2 is configured', 'mcpWorkbench.updateServer'],
    ]);
  });

  const checks: readonly [what: string, versions: Record<string, string>, told: string][] = [
    ['that it is up to date', { w: '1.1.0' }, '"w" is up to date: 1.1.0.'],
    ['that it is no longer listed', { gone: '1' }, '"gone" is no longer listed by its registry.'],
    ['that all are up to date', { w: '1.1.0', v: '2.0.0' }, 'Up to date: 2 servers.'],
    [
      'which of several can be updated',
      { w: '1.0.2', v: '2.0.0', gone: '1' },
      '"w" can be updated: 1.0.2 → 1.1.0. "gone" is no longer listed by its registry.',
    ],
    [
      'that none came from a registry',
      {},
      'No server here came from an MCP registry. Add one by Add Server… › Search the MCP Registry….',
    ],
  ];
  for (const [what, versions, said] of checks)
    it(`are checked for all at once, which tells ${what}`, async () => {
      configure(versions);
      assert.equal(await check(), said);
    });

  it('are not looked for in another registry than the one that is in use', async () => {
    configure({ w: '1.0.2' }, 'https://other.example');
    assert.match(
      await check('w'),
      /^"w" came from the MCP registry at https:\/\/other\.example, which is not asked: "mcpWorkbench\.registry" has http/,
    );
    assert.match(await check(), /Not checked, as they came from another registry: 1\.$/);
    assert.deepEqual(registry.requests, []);
    await use('');
    assert.match(await check('w'), /"mcpWorkbench\.registry" has no address\.$/);
  });

  it('say what failed, once, and end there', async () => {
    configure({ w: '1.0.2', v: '1' });
    registry.intercept = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    assert.match(await check(), /^The MCP registry at 127\S+ failed with HTTP 503\. Try again/);
    assert.equal(registry.requests.length, 1);
  });

  it('come with a search of the user, which asks nothing more', () => {
    configure({ w: '1.0.2', v: '2.0.0' });
    searched.fire({ url, servers: [listed('io.example/w', '3.0.0'), listed('io.example/z', '1')] });
    assert.deepEqual(changed, ['w']);
    assert.deepEqual(row(server('w'))[0]?.[0], 'Version 3.0.0 is available');
    searched.fire({ url: 'https://other.example', servers: [listed('io.example/v', '9')] });
    assert.deepEqual(row(server('v')), []);
    assert.deepEqual(registry.requests, []);
  });

  it('tell of what is deprecated, even without another version', () => {
    configure({ w: '1.0.2' });
    const status = { status: 'deprecated', statusMessage: 'Use io.example/v' } as const;
    searched.fire({ url, servers: [listed('io.example/w', '1.0.2', status)] });
    assert.deepEqual(row(server('w')), [
      ['Deprecated by its publisher', 'Use io.example/v', undefined],
    ]);
    assert.deepEqual(updates.notes.marks(server('w')), ['registry']);
  });

  it('are checked for a bounded number of servers at once', async () => {
    const ids = Array.from({ length: maxUpdateChecks + 5 }, (_, at) => `s${at}`);
    configure(Object.fromEntries(ids.map((id) => [id, '1'])));
    registry.entries = ids.map((id) => registered(`io.example/${id}`, { version: '1' }));
    assert.equal(
      await check(),
      `Up to date: ${maxUpdateChecks} servers. Not checked, as ${maxUpdateChecks} are at once at most: 5.`,
    );
    assert.equal(registry.requests.length, maxUpdateChecks);
  });

  it('are offered only for a server that came from a registry', async () => {
    configure({ w: '1.0.2' });
    assert.equal(await check('plain'), '"plain" did not come from an MCP registry.');
  });
});
