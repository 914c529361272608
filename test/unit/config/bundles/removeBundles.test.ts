import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { bundleNameIn } from '../../../../src/config/bundles/zip';
import { removeBundles } from '../../../../src/config/bundles/bundleFolders';
import type { CurrentConfiguration } from '../../../../src/config/configuration';
import { mergeLayers } from '../../../../src/config/mergeLayers';
import { parseMcpJson } from '../../../../src/config/places/mcpJson';
import { type ConfigLayer, sourceKey } from '../../../../src/config/configLayer';
import { nodeFiles } from '../../../../src/mcp/node/nodeFiles';
import { ownerNote } from '../../../../src/mcp/ownFolders';

const uriOf = (path: string) => ({ scheme: 'file', authority: '', path, fsPath: path });
const folder = { uri: 'file:///repo', name: 'repo' };
const own: Omit<ConfigLayer, 'entries' | 'inputs' | 'problems'> = {
  scope: 'user',
  label: 'User Settings',
};
const repository = {
  scope: 'folder',
  label: 'repo/.mcp.json',
  uri: 'file:///repo/.mcp.json',
  folder,
} as const;
const other = { ...repository, uri: 'file:///other/.mcp.json' } as const;

describe('the folder of a bundle', () => {
  let storage = '';
  const root = () => join(storage, 'bundles');
  const folders = () => nodeFiles.ownFolders(uriOf(root()));

  beforeEach(async () => {
    storage = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-own-')));
    await mkdir(join(storage, 'trust'));
    await mkdir(root());
    for (const place of [own, repository]) {
      const name = `made-for-${place.scope}`;
      await folders().make(name, sourceKey(place));
      await writeFile(join(root(), name, 'server.js'), '');
    }
    await mkdir(join(root(), 'by-hand'));
    await cp(join(root(), 'made-for-folder'), join(root(), 'copied'), { recursive: true });
    await symlink(join(root(), 'made-for-folder'), join(root(), 'linked'));
    await writeFile(join(root(), 'file'), '');
    await mkdir(join(root(), 'large'));
    await writeFile(join(root(), 'large', ownerNote), ' '.repeat(100_000));
  });
  afterEach(() => rm(storage, { recursive: true }));

  /** Lets an entry with this folder come and go. */
  async function comeAndGo(place: typeof own, cwd: string, isTrusted = true, left = '') {
    const changed = new Emitter<CurrentConfiguration>();
    const asked: Promise<unknown>[] = [];
    const subscription = removeBundles(
      { onDidChange: changed.event },
      {
        folders: {
          nameIn: (path) => bundleNameIn(root(), path),
          remove: (name, layer) => {
            const removed = folders().remove(name, sourceKey(layer));
            asked.push(removed);
            return removed;
          },
        },
        textOf: () => Promise.resolve(left),
        isTrusted: () => isTrusted,
        log: silentLogger,
      },
    );
    const text = JSON.stringify({ mcpServers: { x: { command: 'node', cwd } } });
    const layers = [{ ...place, ...parseMcpJson(text) }];
    changed.fire({ ...mergeLayers(layers), disabled: [] });
    changed.fire({ ...mergeLayers([]), disabled: [] });
    await Promise.resolve();
    await Promise.all(asked);
    subscription.dispose();
  }
  const isLeft = (...path: string[]) => existsSync(join(root(), ...path));

  for (const place of [own, repository])
    it(`goes with its server in: ${place.label}`, async () => {
      const name = `made-for-${place.scope}`;
      await comeAndGo(place, join(root(), name));
      assert.equal(isLeft(name), false);
      assert.ok(existsSync(join(storage, 'trust')));
    });

  const kept: readonly [what: string, name: string, place: typeof own][] = [
    ['above all of ours', '..', repository],
    ['above, of the user', '..', own],
    ['of all bundles', '.', repository],
    ['of all bundles, with no name', '', repository],
    ['above by a longer way', 'made-for-folder/../..', repository],
    ['above with a backslash', 'made-for-folder\\..\\..', repository],
    ['above with a blank', '.. ', repository],
    ['elsewhere', '../trust', repository],
    ['that the user added', 'made-for-user', repository],
    ['that another repository added', 'made-for-folder', other],
    ['that somebody else made', 'by-hand', repository],
    ['that is a copy', 'copied', repository],
    ['that is a link', 'linked', repository],
    ['that is a file', 'file', repository],
    ['with an endless note', 'large', repository],
  ];
  for (const [what, name, place] of kept)
    it(`stays, with all around it, where an entry names one ${what}`, async () => {
      await comeAndGo(place, `${root()}/${name}`);
      assert.equal(await folders().remove(name, sourceKey(place)), false);
      const there = ['by-hand', 'copied', 'file', 'large', 'linked', 'made-for-folder'];
      assert.deepEqual(await readdir(root()), [...there, 'made-for-user']);
      assert.deepEqual(await readdir(storage), ['bundles', 'trust']);
    });

  it('stays as long as the workspace that had its server is not trusted', async () => {
    await comeAndGo(repository, join(root(), 'made-for-folder'), false);
    assert.ok(isLeft('made-for-folder', 'server.js'));
    await comeAndGo(own, join(root(), 'made-for-user'), false);
    assert.equal(isLeft('made-for-user'), false, 'The user removed a server of their own.');
  });

  it('stays while its place still mentions it', async () => {
    await comeAndGo(own, join(root(), 'made-for-user'), true, '"made-for-user"');
    assert.ok(isLeft('made-for-user', 'server.js'));
  });

  for (const name of ['..', '.', '', 'a/b', 'a\\b', 'a:b', 'x.', 'x ', 'made-for-user'])
    it(`cannot be made with the name ${JSON.stringify(name)}`, () =>
      assert.rejects(folders().make(name, 'me')));
});
