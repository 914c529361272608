import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { inEnglish } from '../../../src/base/translate';
import { Baselines, maxBaselineBytes } from '../../../src/development/surface/baselines';
import {
  compareSurfaces,
  parseSurface,
  surfaceText,
  wholeSurfaceOf,
} from '../../../src/development/surface/compareSurfaces';
import { maxOfferedRefs, readAtRef } from '../../../src/ui/sources/textSources';
import { byUser } from '../../../src/ui/questions/question';
import { fakeServer, tool } from '../../support/fakes/fakeServer';

const surfaceWith = (description: string) =>
  wholeSurfaceOf(fakeServer({ tools: [tool({ name: 'a', description })] }));

describe('the surface of a server, in a file', () => {
  it('is read as it was written, and is no different then', async () => {
    const surface = surfaceWith('first');
    const read = parseSurface(surfaceText(surface), 'a.json');
    assert.deepEqual(await compareSurfaces(surface, read, inEnglish), []);
  });

  for (const [what, text] of [
    ['no JSON', '{'],
    ['another file', '{"info":1}'],
    ['a list too few', '{"info":{"capabilities":{}},"lists":{"tools":[]}}'],
    ['a tool that is none', surfaceText(surfaceWith('x')).replace('"name": "a"', '"name": 1')],
  ] as const)
    it(`is refused by the name of the file where it is ${what}`, () =>
      assert.throws(
        () => parseSurface(text, 'a.json'),
        /^UserError: a\.json is no surface of a server: /,
      ));

  it('cannot be taken of a server that does not run, or whose list was not read', () => {
    const server = fakeServer();
    server.become('stopped');
    assert.throws(() => wholeSurfaceOf(server), /does not run/);
    const failed = fakeServer({ tools: [] });
    Object.assign(failed.tools, { error: 'no way' });
    assert.throws(() => wholeSurfaceOf(failed), /The list of tools was not read: no way/);
  });
});

describe('what servers are compared with', () => {
  let folder = '';
  let baselines: Baselines;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-baselines-'));
    baselines = new Baselines(vscode.Uri.file(folder), {
      makeFolder: async ({ fsPath }) => void (await mkdir(fsPath, { recursive: true })),
      write: ({ fsPath }, content) => writeFile(fsPath, content),
    });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is kept for each server, whatever its id, until it is removed', async () => {
    const one = { label: 'v1', surface: surfaceWith('first') };
    const other = { label: 'v2', surface: surfaceWith('second') };
    await baselines.keep('../a', one);
    await baselines.keep('b', other);
    assert.deepEqual(await baselines.read('../a'), one);
    assert.deepEqual(await baselines.read('b'), other);
    await baselines.keep('../a', undefined);
    await baselines.keep('../a', undefined);
    assert.equal(await baselines.read('../a'), undefined);
    assert.deepEqual(await baselines.read('b'), other);
  });

  it('counts as missing where the file is broken', async () => {
    await baselines.keep('a', { label: 'v1', surface: surfaceWith('first') });
    const [name = ''] = await readdir(folder);
    for (const text of ['{', '1', '{"label":1}', '{"label":"a","surface":{}}']) {
      await writeFile(join(folder, name), text);
      assert.equal(await baselines.read('a'), undefined, text);
    }
  });

  it('is not kept where it is too large, which is said', async () => {
    const surface = surfaceWith('x'.repeat(maxBaselineBytes));
    await assert.rejects(baselines.keep('a', { label: 'v1', surface }), /v1 is larger than 10 MB/);
    assert.equal(await baselines.read('a'), undefined);
  });
});

describe('a file at a branch or tag', () => {
  const { getExtension } = vscode.extensions;
  const { showQuickPick } = vscode.window;
  // On a drive, as all paths of Windows.
  const file = vscode.Uri.file('/c:/w/inner/surface.json');
  let offered: readonly string[] = [];
  afterEach(() => {
    Object.assign(vscode.extensions, { getExtension });
    Object.assign(vscode.window, { showQuickPick });
  });

  /** Has the editor's extension for Git know repositories, and the user take a row. */
  const useGit = (
    repositories: readonly { readonly root: string; readonly refs: readonly string[] }[],
    take = 0,
  ) => {
    const known = repositories.map(({ root, refs }) => ({
      rootUri: vscode.Uri.file(root),
      getRefs: () => Promise.resolve([...refs.map((name) => ({ name })), {}]),
      show: (ref: string, path: string) =>
        ref === 'gone'
          ? Promise.reject(new Error('no such file'))
          : Promise.resolve(`${root} ${ref} ${path}`),
    }));
    const api = { enabled: true, getAPI: () => ({ repositories: known }) };
    Object.assign(vscode.extensions, {
      getExtension: () => ({ activate: () => Promise.resolve(api) }),
    });
    Object.assign(vscode.window, {
      showQuickPick: (rows: readonly vscode.QuickPickItem[]) => {
        offered = rows.map(({ label }) => label);
        return Promise.resolve(rows[take]);
      },
    });
  };

  it('is the one of the innermost repository that has it, at what was picked', async () => {
    useGit(
      [
        { root: '/c:/w', refs: ['main'] },
        { root: '/c:/w/inner', refs: ['main', 'v1', 'v1'] },
        { root: '/c:/w/inn', refs: ['other'] },
      ],
      1,
    );
    assert.deepEqual(await readAtRef(byUser(), file), {
      text: `/c:/w/inner v1 ${file.fsPath}`,
      ref: 'v1',
    });
    assert.deepEqual(offered, ['main', 'v1']);
  });

  it('is of no name that Git would take for an option', async () => {
    useGit([{ root: '/c:/w', refs: ['--output=pwned', '-x', 'v1'] }], 0);
    assert.equal((await readAtRef(byUser(), file))?.ref, 'v1');
    assert.deepEqual(offered, ['v1']);
  });

  for (const root of ['/C:/Work', '/c:/work'])
    it(`is one of a repository whose folder is written otherwise: ${root}`, async () => {
      useGit([{ root, refs: ['main'] }]);
      const { ref } = (await readAtRef(byUser(), vscode.Uri.file('/c:/Work/surface.json'))) ?? {};
      assert.equal(ref, 'main');
    });

  it('is picked from a bounded number, and not read where the list is dismissed', async () => {
    const refs = Array.from({ length: maxOfferedRefs + 1 }, (_, index) => `v${index}`);
    useGit([{ root: '/c:/w', refs }], -1);
    assert.equal(await readAtRef(byUser(), file), undefined);
    assert.equal(offered.length, maxOfferedRefs);
  });

  for (const [what, repositories, told] of [
    ['no repository is open', [], /There is no Git repository/],
    ['none has the file', [{ root: '/other', refs: ['main'] }], /surface\.json is in no Git/],
    ['nothing was committed', [{ root: '/c:/w', refs: [] }], /no branch or tag yet/],
    [
      'it is not there',
      [{ root: '/c:/w', refs: ['gone'] }],
      /surface\.json was not read at gone: no such file/,
    ],
  ] as const)
    it(`is not read where ${what}, which is said`, async () => {
      useGit(repositories);
      await assert.rejects(readAtRef(byUser(), file), told);
    });
});
