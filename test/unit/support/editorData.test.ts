import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkOwnExtensions } from '../../support/editor/editorData';

describe('the editor’s own extensions in a window of tests', () => {
  let folder: string;
  const server = () => join(folder, 'editor', 'out', 'server-main.js');
  const data = () => join(folder, 'data');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-own-'));
    await mkdir(data());
    for (const name of ['git', 'copilot', 'node_modules']) {
      await mkdir(join(folder, 'editor', 'extensions', name), { recursive: true });
      await writeFile(join(folder, 'editor', 'extensions', name, 'package.json'), `{"${name}":1}`);
    }
    await writeFile(join(folder, 'editor', 'extensions', 'package.json'), '{}');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are those that tests use, with what lies beside them', async () => {
    const links = await linkOwnExtensions(
      { version: '4.139.1', node: '', server: server() },
      data(),
    );
    assert.ok(links);
    assert.deepEqual((await readdir(links)).toSorted(), ['git', 'node_modules']);
    assert.equal(await readFile(join(links, 'git', 'package.json'), 'utf8'), '{"git":1}');
  });

  it('stay when the links to them are deleted', async () => {
    await linkOwnExtensions({ version: '4.139.1', node: '', server: server() }, data());
    await rm(data(), { recursive: true });
    assert.ok((await readdir(join(folder, 'editor', 'extensions', 'git'))).length > 0);
  });
});
