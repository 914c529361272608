import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/log';
import { createBrowserPlatform } from '../../../src/browser/browserPlatform';
import { BundleFolders, removeBundles } from '../../../src/config/bundles/bundleFolders';
import { type ConfigLayer, sourceKey } from '../../../src/config/configLayer';
import type { CurrentConfiguration } from '../../../src/config/configuration';
import { mergeLayers } from '../../../src/config/mergeLayers';
import { parseMcpJson } from '../../../src/config/places/mcpJson';
import { nodeFiles } from '../../../src/mcp/node/nodeFiles';
import { ownerNote } from '../../../src/mcp/ownFolders';
import type { PrivateFiles } from '../../../src/mcp/platform';
import { ownerOfImages, PromptFiles } from '../../../src/prompts/preview/promptFiles';
import { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import { repositoryRoot } from '../../support/paths';

type Place = Omit<ConfigLayer, 'entries' | 'inputs' | 'problems'>;

const ofUser: Place = { scope: 'user', label: 'User Settings' };
const ofRepository: Place = {
  scope: 'folder',
  label: 'repo/.mcp.json',
  uri: 'file:///repo/.mcp.json',
  folder: { uri: 'file:///repo', name: 'repo' },
};

/** Something that removes a folder of ours with all that it holds. */
interface Remover {
  readonly what: string;
  /** Where it is in the code. */
  readonly file: string;
  /** Whom its folders are made for. */
  readonly owner: string;
  /** Does all that leads to it, about a folder of this name. */
  readonly remove: (at: Storage, name: string, isTrusted?: boolean) => Promise<unknown>;
  /** True if a workspace, rather than the user, causes it. */
  readonly isForWorkspace?: true;
  /** True if it makes the folder itself. */
  readonly makes?: true;
}

interface Storage {
  readonly root: string;
  readonly files: PrivateFiles;
}

/** Lets an entry with this folder come and go. */
const serverGone =
  (place: Place): Remover['remove'] =>
  async ({ root, files }, name, isTrusted = true) => {
    const changed = new Emitter<CurrentConfiguration>();
    const bundles = new BundleFolders(vscode.Uri.file(root), files);
    const removals: Promise<unknown>[] = [];
    const subscription = removeBundles(
      { onDidChange: changed.event },
      {
        folders: {
          nameIn: (path) => bundles.nameIn(path),
          remove: (folder, layer) => {
            const removal = bundles.remove(folder, layer);
            removals.push(removal);
            return removal;
          },
        },
        textOf: () => Promise.resolve(''),
        isTrusted: () => isTrusted,
        log: silentLogger,
      },
    );
    const text = JSON.stringify({ mcpServers: { x: { command: 'node', cwd: `${root}/${name}` } } });
    changed.fire({ ...mergeLayers([{ ...place, ...parseMcpJson(text) }]), disabled: [] });
    changed.fire({ ...mergeLayers([]), disabled: [] });
    // Its place is read first.
    await new Promise(setImmediate);
    await Promise.all(removals);
    subscription.dispose();
  };

const damaged = { path: 'a', size: 5, isExecutable: false, start: 0, packedSize: 5, method: 0 };

const removers: readonly Remover[] = [
  {
    what: 'a server of the user that goes',
    file: 'src/config/bundles/bundleFolders.ts',
    owner: sourceKey(ofUser),
    remove: serverGone(ofUser),
  },
  {
    what: 'a server of a repository that goes',
    file: 'src/config/bundles/bundleFolders.ts',
    owner: sourceKey(ofRepository),
    remove: serverGone(ofRepository),
    isForWorkspace: true,
  },
  {
    what: 'a bundle that cannot be unpacked',
    file: 'src/config/bundles/bundleFolders.ts',
    owner: sourceKey(ofUser),
    makes: true,
    remove: ({ root, files }, name) => {
      const bundles = new BundleFolders(vscode.Uri.file(root), files);
      const folder = vscode.Uri.joinPath(vscode.Uri.file(root), name);
      return assert.rejects(bundles.unpack(folder, new Uint8Array(1), [damaged], ofUser));
    },
  },
  {
    what: 'images of prompts that are a week old',
    file: 'src/prompts/preview/promptFiles.ts',
    owner: ownerOfImages,
    async remove({ root, files }) {
      const memory = new MemoryFiles('test');
      const images = new PromptFiles(memory, files, vscode.Uri.file(root));
      await images.attach([{ name: 'a.png', content: new Uint8Array(1) }]);
      images.dispose();
      memory.dispose();
    },
  },
];

const disks: readonly [file: string, files: PrivateFiles][] = [
  ['src/mcp/node/nodeFiles.ts', nodeFiles],
  ['src/browser/browserPlatform.ts', createBrowserPlatform(vscode.Uri.file('/')).files],
];

/** What a folder of ours is not; each begins as the folders of images do. */
const notOurs: Readonly<Record<string, (root: string, owner: string) => Promise<unknown>>> = {
  '1-by-hand': (root) => folderWith(root, '1-by-hand'),
  '1-of-another': (root) =>
    folderWith(root, '1-of-another', JSON.stringify({ name: '1-of-another', owner: 'other' })),
  '1-broken': (root, owner) =>
    folderWith(root, '1-broken', `{"name":"1-broken","owner":"${owner}"`),
  '1-endless': (root, owner) =>
    folderWith(root, '1-endless', ' '.repeat(100_000) + noteOf('1-endless', owner)),
  '1-copied': (root) => cp(join(root, '1-ours'), join(root, '1-copied'), { recursive: true }),
  '1-linked': (root) => symlink(join(root, '1-ours'), join(root, '1-linked')),
  '1-elsewhere': async (root, owner) => {
    const target = await folderWith(join(root, '..'), 'project', noteOf('1-elsewhere', owner));
    await symlink(target, join(root, '1-elsewhere'));
  },
  '1-file': (root) => writeFile(join(root, '1-file'), 'text'),
};

/** Names that lead away from the folders of ours. */
const paths = ['..', '.', '', '1-ours/..', '1-ours/../..', '../project', '.. ', '1-ours\\..\\..'];

const noteOf = (name: string, owner: string) => JSON.stringify({ name, owner });

async function folderWith(root: string, name: string, note?: string): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder);
  await writeFile(join(folder, 'kept.txt'), 'kept');
  if (note !== undefined) await writeFile(join(folder, ownerNote), note);
  return folder;
}

/** Returns all below a folder, links as themselves. */
async function contents(folder: string, below = ''): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const name of await readdir(join(folder, below))) {
    const path = join(below, name);
    const entry = await lstat(join(folder, path));
    if (entry.isDirectory())
      Object.assign(found, { [path]: 'folder' }, await contents(folder, path));
    else found[path] = entry.isSymbolicLink() ? 'link' : await readFile(join(folder, path), 'utf8');
  }
  return found;
}

/** The files of the code that have a text. */
function filesWith(text: RegExp): readonly string[] {
  return ['src', 'cli'].flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts'))
      .filter((path) => text.test(readFileSync(join(repositoryRoot, path), 'utf8'))),
  );
}

describe('what removes folders with all that they hold', () => {
  it('is all in the tables of this test', () => {
    const used = new Set(removers.map(({ file }) => file));
    assert.deepEqual(filesWith(/\.ownFolders\(/).toSorted(), [...used].toSorted());
    const made = disks.map(([file]) => file);
    assert.deepEqual(filesWith(/\bcreateOwnFolders\(\{/).toSorted(), made.toSorted());
  });

  for (const [disk, files] of disks)
    describe(`on the disk of ${disk}`, () => {
      let storage = '';
      let root = '';
      beforeEach(async () => {
        storage = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-own-')));
        root = join(storage, 'folders');
        await mkdir(root);
      });
      afterEach(() => rm(storage, { recursive: true }));
      const makeOurs = async (owner: string) => {
        await files.ownFolders(vscode.Uri.file(root)).make('1-ours', owner);
        await writeFile(join(root, '1-ours', 'a.js'), '');
      };

      for (const { what, owner, remove, isForWorkspace, makes } of removers) {
        it(`removes its own: ${what}`, async () => {
          if (!makes) await makeOurs(owner);
          await remove({ root, files }, '1-ours');
          assert.equal(existsSync(join(root, '1-ours')), false);
        });

        if (isForWorkspace)
          it(`leaves even its own for a workspace that is not trusted: ${what}`, async () => {
            await makeOurs(owner);
            const before = await contents(storage);
            await remove({ root, files }, '1-ours', false);
            assert.deepEqual(await contents(storage), before);
          });

        for (const name of [...Object.keys(notOurs), ...paths])
          it(`leaves all as it is about ${JSON.stringify(name)}: ${what}`, async () => {
            // Links are no part of the storage of a page.
            const isLink = name === '1-linked' || name === '1-elsewhere';
            if (isLink && process.platform === 'win32') return;
            await makeOurs(owner);
            await notOurs[name]?.(root, owner);
            // What is made for it there would rightly be removed.
            const isSwept = what.startsWith('images');
            if (isSwept) await rm(join(root, '1-ours'), { recursive: true });
            const before = await contents(storage);
            await remove({ root, files }, name);
            const after = await contents(storage);
            const left = Object.fromEntries(Object.keys(before).map((path) => [path, after[path]]));
            assert.deepEqual(left, before);
          });
      }
    });
});
