import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event';
import type { Configuration } from '../../../src/config/configuration';
import type { ServerState } from '../../../src/mcp/serverState';
import { createServerLenses } from '../../../src/tree/serverLenses';
import { createServerNode, type Sections } from '../../../src/tree/serverNode';
import { FakeServer, FakeServers, noNotes, tool } from '../../support/fakes/fakeServer';

const section = { nodes: () => [] };
const sections: Sections = {
  resources: section,
  resourceTemplates: section,
  prompts: section,
  tools: section,
  skills: section,
};

describe('how a server is, on its row and above its name in a file', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-lenses-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Shows a server in this state both as a row and as lenses. */
  const open = async (state: ServerState) => {
    const path = join(folder, '.mcp.json');
    await writeFile(path, JSON.stringify({ mcpServers: { demo: { command: 'node' } } }));
    const document = await vscode.workspace.openTextDocument(path);
    const server = new FakeServer({ id: 'demo', name: 'demo', tools: [tool()] });
    server.become(state);
    const servers = new FakeServers(server);
    server.onDidChangeState(() => servers.replace(server));
    const { registerCodeLensProvider } = vscode.languages;
    const providers: vscode.CodeLensProvider[] = [];
    vscode.languages.registerCodeLensProvider = (_files, provider) => {
      providers.push(provider);
      return { dispose: () => {} };
    };
    const layer = { uri: document.uri.toString() };
    const configuration = {
      current: { servers: [{ layer, definition: { id: 'demo', name: 'demo' } }] },
      onDidChange: new Emitter<void>().event,
    } as unknown as Configuration;
    try {
      createServerLenses(servers, configuration);
    } finally {
      vscode.languages.registerCodeLensProvider = registerCodeLensProvider;
    }
    const [provider] = providers;
    assert.ok(provider);
    const node = createServerNode(server, sections, noNotes);
    return {
      server,
      onDidChangeLenses: provider.onDidChangeCodeLenses,
      lens: async () => {
        const { token } = new vscode.CancellationTokenSource();
        const lenses = await provider.provideCodeLenses(document, token);
        return lenses?.[0]?.command?.title.replace('MCP Workbench: ', '');
      },
      item: () => node.item(),
      row: () => String(node.item().description),
      below: () => (node.children?.() ?? []) as readonly { item(): vscode.TreeItem }[],
    };
  };

  for (const [what, state, expected] of [
    ['starts', { kind: 'starting' }, 'Starting…'],
    ['waits for the user', { kind: 'starting', isWaiting: true }, 'Waiting for your answer'],
    ['is stopped', { kind: 'stopped' }, 'Stopped'],
    ['was stopped by the user', { kind: 'stopped', why: 'stoppedByUser' }, 'Stopped'],
    ['waits for trust', { kind: 'stopped', why: 'restricted' }, 'Stopped · Workspace not trusted'],
    ['lacks a value', { kind: 'stopped', why: 'needsValue' }, 'Stopped · Needs a value'],
  ] as const)
    it(`is the same where it ${what}`, async () => {
      const { lens, row } = await open(state);
      assert.equal(await lens(), expected);
      assert.ok(row().startsWith(expected), row());
    });

  it('is followed above its name by how much it offers, once it runs', async () => {
    const info = { protocolVersion: '2025-11-25', capabilities: {} };
    const { lens } = await open({ kind: 'running', info });
    assert.match(`${await lens()}`, /^Running · 1 tool$/);
  });

  it('is told to everybody where it lacks a value: on the row, in its tooltip and by a screen reader', async () => {
    const { item } = await open({ kind: 'stopped', why: 'needsValue' });
    const { description, tooltip, accessibilityInformation } = item();
    for (const text of [description, tooltip, accessibilityInformation?.label]) {
      assert.ok(typeof text === 'string');
      assert.match(text, /Stopped · Needs a value/);
    }
  });

  it('is drawn anew above its name when it begins to wait', async () => {
    const { server, onDidChangeLenses } = await open({ kind: 'starting' });
    let times = 0;
    onDidChangeLenses?.(() => (times += 1));
    server.become({ kind: 'starting', isWaiting: true });
    assert.equal(times, 1);
  });

  it('leads to where one trusts the workspace', async () => {
    const { below } = await open({ kind: 'stopped', why: 'restricted' });
    assert.equal(below()[0]?.item().command?.command, 'workbench.trust.manage');
  });
});
