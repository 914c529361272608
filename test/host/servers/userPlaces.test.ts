import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../src/base/disposable';
import { silentLogger } from '../../../src/base/log';
import { shownPath } from '../../../src/base/uri/fileAddress';
import { createMcpJsonSource } from '../../../src/config/places/mcpJsonSource';
import { createNodePlatform } from '../../../src/mcp/node/nodePlatform';
import { folderNamed } from '../../support/host/hostApi';

describe('the place that Copilot keeps for the user', function () {
  this.timeout(30_000);
  const configuration = vscode.workspace.getConfiguration('mcpWorkbench');
  const store = new DisposableStore();
  const folder = shownPath(folderNamed('docs'));
  const inside = join(folder, 'places');
  let outside: string;

  before(async () => {
    outside = await mkdtemp(join(tmpdir(), 'mcp-workbench-places-'));
    await configuration.update('places', ['copilot'], vscode.ConfigurationTarget.Global);
    for (const place of [inside, join(outside, 'own'), join(outside, 'home', '.copilot')]) {
      await mkdir(place, { recursive: true });
      const text = '{ "mcpServers": { "placed": { "command": "node" } } }';
      await writeFile(join(place, 'mcp-config.json'), text);
    }
    await symlink(inside, join(outside, 'link'), 'junction');
    await mkdir(join(outside, 'linkedHome'));
    await symlink(inside, join(outside, 'linkedHome', '.copilot'), 'junction');
    await mkdir(join(outside, 'linkedFile'));
    await symlink(join(inside, 'mcp-config.json'), join(outside, 'linkedFile', 'mcp-config.json'));
  });
  after(async () => {
    store.dispose();
    await configuration.update('places', undefined, vscode.ConfigurationTarget.Global);
    await rm(inside, { recursive: true });
    await rm(outside, { recursive: true });
  });

  for (const [what, scope, at] of [
    ['a variable names it elsewhere', 'user', () => ({ variable: join(outside, 'own') })],
    ['it is in the home folder', 'user', () => ({ home: join(outside, 'home') })],
    ['a variable names a folder of it', 'folder', () => ({ variable: inside })],
    [
      'a variable names it with steps',
      'folder',
      () => ({ variable: `${outside}/${relative(outside, inside)}` }),
    ],
    ['a variable names a link into it', 'folder', () => ({ variable: join(outside, 'link') })],
    ['its file is a link into it', 'folder', () => ({ variable: join(outside, 'linkedFile') })],
    ['the home folder links into it', 'folder', () => ({ home: join(outside, 'linkedHome') })],
  ] as const) {
    const owner = scope === 'user' ? 'theirs' : 'the workspace’s';
    it(`is ${owner} where ${what}`, async () => {
      const node = store.add(createNodePlatform(vscode.Uri.file(outside), silentLogger));
      assert.ok(node.programs);
      const given: { readonly variable?: string; readonly home?: string } = at();
      const source = store.add(
        createMcpJsonSource({
          ...node,
          env: given.variable === undefined ? {} : { COPILOT_HOME: given.variable },
          programs: { ...node.programs, ...(given.home !== undefined && { home: given.home }) },
        }),
      );
      const layers = (await source.read([])).map(({ scope: found, folder: of, entries }) => ({
        found,
        of: of?.uri,
        names: entries.map(({ name }) => name),
      }));
      const of = scope === 'user' ? undefined : folderNamed('docs').toString();
      assert.deepEqual(layers, [{ found: scope, of, names: ['placed'] }]);
    });
  }
});
