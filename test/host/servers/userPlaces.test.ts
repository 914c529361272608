import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
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
  const above = dirname(folder);
  let outside: string;

  before(async () => {
    outside = await mkdtemp(join(tmpdir(), 'mcp-workbench-places-'));
    await configuration.update('places', ['copilot'], vscode.ConfigurationTarget.Global);
    for (const place of [inside, join(outside, 'own'), join(outside, 'home', '.copilot')]) {
      await mkdir(place, { recursive: true });
      const text = '{ "mcpServers": { "placed": { "command": "node" } } }';
      await writeFile(join(place, 'mcp-config.json'), text);
    }
  });
  after(async () => {
    store.dispose();
    await configuration.update('places', undefined, vscode.ConfigurationTarget.Global);
    await rm(inside, { recursive: true });
    await rm(outside, { recursive: true });
  });

  /** Makes a link to what lies in the workspace, and returns the folder of the link. */
  const linkTo = async (target: string, ...names: readonly string[]): Promise<string> => {
    const path = join(outside, ...names);
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path, target === inside ? 'junction' : 'file');
    return dirname(path);
  };

  for (const [what, scope, at] of [
    ['a variable names it elsewhere', 'user', () => ({ variable: join(outside, 'own') })],
    ['it is in the home folder', 'user', () => ({ home: join(outside, 'home') })],
    ['a variable names a folder of it', 'folder', () => ({ variable: inside })],
    [
      'a variable names it with steps',
      'folder',
      () => ({ variable: `${above}/../${relative(dirname(above), inside)}` }),
    ],
    [
      'a link leads into it: that which a variable names',
      'folder',
      async () => ({ variable: join(await linkTo(inside, 'link'), 'link') }),
    ],
    [
      'a link leads into it: its file',
      'folder',
      async () => ({
        variable: await linkTo(join(inside, 'mcp-config.json'), 'linkedFile', 'mcp-config.json'),
      }),
    ],
    [
      'a link leads into it: that in the home folder',
      'folder',
      async () => ({ home: await linkTo(inside, 'linkedHome', '.copilot') }),
    ],
  ] as const) {
    const owner = scope === 'user' ? 'theirs' : 'the workspace’s';
    it(`is ${owner} where ${what}`, async () => {
      const node = store.add(createNodePlatform(vscode.Uri.file(outside), silentLogger));
      assert.ok(node.programs);
      const given: { readonly variable?: string; readonly home?: string } = await at();
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
