import assert from 'node:assert/strict';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { writer } from '../../support/host/hostApi';
import { utf8 } from '../../../src/base/bytes';
import { skillDigest, type Skill } from '../../../src/mcp/protocol/skills';
import {
  changedByHand,
  findWorkspaceSkill,
  writeWorkspaceSkill,
} from '../../../src/skills/workspaceSkill';
import { fakeServer } from '../../support/fakes/fakeServer';
import { repositoryNames } from '../../../src/mcp/node/sandbox/configurationFiles';

type Texts = Readonly<Record<string, string>>;

const base = 'skill://acme/refunds/';

async function skillOf(texts: Texts): Promise<Skill> {
  const resources = Object.entries(texts).map(async ([path, text]) => {
    const bytes = utf8(text);
    return { uri: base + path, digest: await skillDigest(bytes), size: bytes.length };
  });
  return {
    uri: `${base}SKILL.md`,
    frontmatter: { name: 'refunds', description: '' },
    resources: await Promise.all(resources),
  };
}

describe('a skill in the workspace', () => {
  let folder: string;
  let outside: string;
  const server = fakeServer();

  beforeEach(async () => {
    const made = await mkdtemp(join(tmpdir(), 'mcp-workbench-skill-'));
    [folder, outside] = [join(made, 'in'), join(made, 'out')];
    await mkdir(folder);
    await mkdir(outside);
  });
  afterEach(() => rm(dirname(folder), { recursive: true }));

  const at = (...path: string[]) => join(folder, '.agents', 'skills', 'refunds', ...path);
  const text = (...path: string[]) => readFile(at(...path), 'utf8');
  const edit = async (path: string, content: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  };
  const save = async (texts: Texts, keepsChanges = false) => {
    const root = vscode.Uri.file(folder);
    const skill = await skillOf(texts);
    const before = await findWorkspaceSkill(root, skill, writer);
    const read = Object.entries(texts).map(([path, one]) => ({ path, bytes: utf8(one) }));
    const byHand = await changedByHand(before);
    const how = { server, skill, read, keepsChanges };
    return { byHand, aside: await writeWorkspaceSkill(root, before, how, writer) };
  };
  const first = { 'SKILL.md': 'one', 'docs/a.md': 'a' };

  it('is written with all of its files, brought up to date, and loses those that its server took away', async () => {
    await save(first);
    assert.equal(await text('docs', 'a.md'), 'a');
    assert.deepEqual(await save({ 'SKILL.md': 'two' }), { byHand: [], aside: [] });
    assert.equal(await text('SKILL.md'), 'two');
    await assert.rejects(text('docs', 'a.md'));
  });

  it('keeps what the user changed, made or would lose', async () => {
    await save(first);
    await edit('docs/a.md', 'mine');
    await edit('docs/new.md', 'my own');
    const second = { 'SKILL.md': 'two', 'docs/a.md': 'b', 'docs/new.md': 'theirs' };
    const { byHand, aside } = await save(second, true);
    assert.deepEqual(byHand.toSorted(), ['docs/a.md', 'docs/new.md']);
    assert.deepEqual(aside, []);
    assert.equal(await text('SKILL.md'), 'two');
    assert.equal(await text('docs', 'a.md'), 'mine');
    assert.equal(await text('docs', 'new.md'), 'my own');
    // The server removed it, but the file is still there.
    await save({ 'SKILL.md': 'two' }, true);
    assert.equal(await text('docs', 'a.md'), 'mine');
  });

  it('has what the user changed beside what replaces it, under a name that is free', async () => {
    await save(first);
    await edit('docs/a.md', 'mine');
    await edit('docs/a.md.mine', 'older');
    const { aside } = await save({ ...first, 'docs/a.md': 'b' });
    assert.equal(aside.length, 1);
    assert.equal(await text('docs', 'a.md'), 'b');
    assert.equal(await text('docs', 'a.md.mine'), 'older');
    assert.equal(await text('docs', 'a.md.mine2'), 'mine');
  });

  for (const [what, put, message] of [
    ['larger than a skill', (path: string) => truncate(path, 16_777_217), /large|MB/],
    [
      'a folder',
      async (path: string) => {
        await rm(path);
        await mkdir(path);
      },
      /not a file|no file/,
    ],
  ] as const)
    it(`does not replace what the user has at the place of a file, and what cannot be kept: ${what}`, async () => {
      await save({ 'SKILL.md': 'one' });
      await edit('docs/a.md', 'mine');
      await put(at('docs', 'a.md'));
      await assert.rejects(save({ 'SKILL.md': 'two', 'docs/a.md': 'b' }), message);
      assert.equal(await text('SKILL.md'), 'one');
    });

  for (const [what, link] of [
    ['the folder of agents', ['.agents']],
    ['the folder of skills', ['.agents', 'skills']],
    ['its own folder', ['.agents', 'skills', 'refunds']],
    ['a folder in it', ['.agents', 'skills', 'refunds', 'docs']],
    ['a file in it', ['.agents', 'skills', 'refunds', 'SKILL.md']],
    ['its origin', ['.agents', 'skills', 'refunds', '.mcp-skill.json']],
  ] as const)
    it(`is not written through a link: ${what} leads out`, async () => {
      const path = join(folder, ...link);
      await mkdir(dirname(path), { recursive: true });
      await symlink(join(outside, 'target'), path);
      if (!/\./.test(link.at(-1) ?? '') || link.length === 1) await mkdir(join(outside, 'target'));
      else await writeFile(join(outside, 'target'), 'untouched');
      await assert.rejects(save(first), /is a link that leads out of the folder/);
      const left = await readdir(outside, { recursive: true });
      assert.deepEqual(left, ['target']);
    });

  for (const path of ['../../../../escaped.md', '/escaped.md', 'a/../../b.md', 'C:\\escaped.md'])
    it(`takes no path from a note that somebody else wrote: ${path}`, async () => {
      const files = { [path]: `sha256:${'0'.repeat(64)}` };
      await edit(
        '.mcp-skill.json',
        JSON.stringify({ server: server.id, uri: `${base}SKILL.md`, files }),
      );
      await assert.rejects(save(first), /is not a file name/);
      assert.deepEqual(await readdir(at()), ['.mcp-skill.json']);
    });

  for (const path of [
    ...repositoryNames.map((name) => `${name}/config`),
    'scripts/.GIT/HEAD',
    '.git',
    'HEAD',
    'scripts/head',
  ])
    it(`is not written where a file would make a repository of a folder, whose settings run commands: ${path}`, async () => {
      await assert.rejects(save({ ...first, [path]: 'x' }), /is not a file name/);
      await assert.rejects(readdir(at()));
    });

  it('is not written where a file has the name of its note', () =>
    assert.rejects(save({ ...first, '.mcp-skill.json': '{}' }), /is not a file name/));
});
