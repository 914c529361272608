import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { utf8 } from '../../../src/base/bytes';
import { skillDigest } from '../../../src/mcp/protocol/skills';
import { maxSavedSkills } from '../../../src/skills/skillFiles';
import { built } from '../../support/paths';
import { createCensus } from '../../support/processes/processCensus';
import { execute } from '../../support/run/execute';

/** A server in plain Node with the skills, and the files by their URIs, that a file says. */
const skillServer = `
const { skills, entries = skills, files, capabilities } = JSON.parse(require('node:fs').readFileSync('skills.json', 'utf8'));
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities, serverInfo: { name: 'skills', version: '1' } }),
  'skills/list': () => ({ skills }),
  'skills/get': ({ uri }) => { const skill = entries.find((one) => one.uri === uri); return skill && { skill }; },
  'resources/read': ({ uri }) => uri in files ? { contents: [{ uri, ...files[uri] }] } : undefined,
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'resources/read' && files.end) process.exit(1);
  const result = answers[method]?.(params);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32602, message: 'no ' + method } }) }));
});
`;

type Texts = Readonly<Record<string, string>>;

const base = 'skill://acme/refunds/';
const frontmatter = { name: 'refunds', description: 'Pays back' };
const manifest = '---\nname: refunds\ndescription: Pays back\n---\n\nPay.\n';
const first = { 'SKILL.md': manifest, 'docs/a.md': 'one\ntwo\nthree\n', 'b c.md': 'b' };
const capabilities = { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } };

const uriOf = (path: string) => base + path.replaceAll(' ', '%20');

async function entryOf(texts: Texts) {
  const resources = Object.entries(texts).map(async ([path, text]) => {
    const bytes = utf8(text);
    return { uri: uriOf(path), digest: await skillDigest(bytes), size: bytes.length };
  });
  return { uri: `${base}SKILL.md`, frontmatter, resources: await Promise.all(resources) };
}

const filesOf = (texts: Texts) =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [uriOf(path), { text }]));

describe('the command mcp-workbench skills', function () {
  this.timeout(60_000);
  const census = createCensus();
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-skills-'));
    await write('server.js', skillServer);
    await serve(first);
  });
  afterEach(async () => {
    assert.deepEqual(await census.commands(), []);
    await rm(folder, { recursive: true, force: true });
  });

  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  /** Has the server say that it has a skill with these files, and more or other than that. */
  const serve = async (texts: Texts, more: object = {}) => {
    const said = { skills: [await entryOf(texts)], files: filesOf(texts), capabilities, ...more };
    await write('skills.json', JSON.stringify(said));
  };
  /** Saves the first version as the editor does. */
  const save = async (texts: Texts = first, uri = `${base}SKILL.md`) => {
    const digests: Record<string, string> = {};
    for (const [path, text] of Object.entries(texts)) {
      await write(`.agents/skills/refunds/${path}`, text);
      digests[path] = await skillDigest(utf8(text));
    }
    const note = { server: 'mcp.json#0', uri, files: digests };
    await write('.agents/skills/refunds/.mcp-skill.json', JSON.stringify(note));
  };
  const env = { ...process.env, ...census.env };
  const run = (...args: string[]) => {
    const line = ['skills', '--server', `it="${process.execPath}" server.js`, ...args];
    const command = built('command', 'mcp-workbench.js');
    return execute(process.execPath, [command, ...line], { cwd: folder, env });
  };

  it('lists the skills of a server', async () => {
    const { code, output } = await run();
    assert.equal(output, 'refunds  skill://acme/refunds/SKILL.md  3 files, 66 B\n');
    assert.equal(code, 0);
  });

  it('says how it is used, and what makes no sense', async () => {
    const help = await run('--help');
    assert.equal(help.code, 0);
    assert.match(help.output, /--verify --server NAME=COMMAND \[--against FOLDER\]/);
    const wrong = await run('--against', '.');
    assert.deepEqual([wrong.code, wrong.output], [2, '--against needs --verify.\n']);
  });

  const servers: readonly [
    what: string,
    change: () => Promise<object>,
    code: number,
    told: RegExp,
  ][] = [
    ['as announced', async () => ({}), 0, /^\n1 passed \(/],
    ['none', async () => ({ skills: [] }), 0, /^\n1 passed \(/],
    [
      'without a file',
      async () => ({ files: filesOf({ 'SKILL.md': manifest }) }),
      1,
      /^failed +it:1 refunds\n +.*docs\/a\.md.*no resources\/read/m,
    ],
    [
      'with a file of another size',
      async () => ({ files: filesOf({ ...first, 'docs/a.md': 'one' }) }),
      1,
      /docs\/a\.md is not the file .* 3 bytes instead of 14/,
    ],
    [
      'with a file of another digest',
      async () => ({ files: filesOf({ ...first, 'docs/a.md': 'one\ntwo\nThree\n' }) }),
      1,
      /its digest is sha256:\w+ instead of/,
    ],
    [
      'with another frontmatter',
      async () => {
        const entry = await entryOf(first);
        return { skills: [{ ...entry, frontmatter: { ...frontmatter, license: 'MIT' } }] };
      },
      1,
      /SKILL\.md does not match the list entry/,
    ],
    [
      'with another entry than in the list',
      async () => ({ entries: [{ ...(await entryOf(first)), resources: 'dynamic' }] }),
      1,
      /skills\/get has another entry than skills\/list\.\n +- expected, \+ actual/,
    ],
    [
      'with a path that leads out of its folder',
      async () => {
        const entry = await entryOf({ ...first, '../other.md': '' });
        return { skills: [entry, await entryOf(first)] };
      },
      1,
      /^failed +it:1 skills\/list\n +.*"skill:\/\/acme\/refunds\/\.\.\/other\.md" is not inside/m,
    ],
    [
      'that is generated',
      async () => ({ skills: [{ ...(await entryOf(first)), resources: 'dynamic' }] }),
      0,
      /warning +it:1 refunds\n +It is generated on each request.*\n1 passed, 1 warning/,
    ],
    [
      'of a server that has none',
      async () => ({ capabilities: { resources: {} } }),
      2,
      /^The server "it" does not run, or has no skills\.\n$/,
    ],
    ['of a server that ends', async () => ({ files: { end: true } }), 2, /does not run, or has no/],
  ];
  for (const [what, change, code, told] of servers)
    it(`checks skills: ${what}`, async () => {
      await serve(first, await change());
      const verified = await run('--verify');
      assert.equal(verified.code, code, verified.output);
      assert.match(verified.output, told);
    });

  const path = '.agents/skills/refunds';
  const changes: readonly [
    what: string,
    change: () => Promise<void>,
    code: number,
    told: RegExp,
  ][] = [
    ['as it was', async () => {}, 0, /^\n1 passed \(/],
    [
      'which the server changed',
      () => serve({ ...first, 'docs/a.md': 'one\n2\nthree\n' }),
      1,
      /refunds\/docs\/a\.md: the server has another now\.\n(?:.*\n)*? +-two\n +\+2\n/,
    ],
    [
      'which was changed here',
      () => write(`${path}/docs/a.md`, 'mine\n'),
      1,
      /a\.md: it was changed here since it was saved\.\n(?:.*\n)*? +-mine\n/,
    ],
    [
      'which both changed',
      async () => {
        await serve({ ...first, 'docs/a.md': '1\n' });
        await write(`${path}/docs/a.md`, 'mine\n');
      },
      1,
      /since it was saved, and the server has another now\./,
    ],
    ['without a file', () => rm(join(folder, path, 'docs/a.md')), 1, /docs\/a\.md is missing\./],
    [
      'with a file that the server took away',
      () => serve({ 'SKILL.md': manifest }),
      1,
      /has files that the server no longer has: docs\/a\.md, b c\.md\./,
    ],
    [
      'from elsewhere',
      () => write(`${path}/.mcp-skill.json`, '{}'),
      0,
      /warning .*\n +\.agents\/skills\/refunds is not of it: not compared\./,
    ],
    [
      'which the server does not have',
      () => save(first, 'skill://b/refunds/SKILL.md'),
      0,
      /Not compared, as the server does not have skill:\/\/b\/refunds\/SKILL\.md/,
    ],
    ['nowhere', () => rm(join(folder, '.agents'), { recursive: true }), 2, /^\. has no folder/],
    [
      'among more than are compared',
      async () => {
        for (let at = 0; at < maxSavedSkills; at += 1)
          await mkdir(join(folder, '.agents/skills', String(at)));
      },
      2,
      /^\. has more than 1000 saved skills\.\n$/,
    ],
  ];
  for (const [what, change, code, told] of changes)
    it(`compares a saved skill with that of the server: ${what}`, async () => {
      await save();
      await change();
      const compared = await run('--verify', '--against', '.');
      assert.equal(compared.code, code, compared.output);
      assert.match(compared.output, told);
    });

  for (const link of ['docs', '.mcp-skill.json'])
    it(`reads nothing through a link that leads out of the folder: ${link}`, async () => {
      await save();
      const outside = await mkdtemp(join(tmpdir(), 'mcp-workbench-outside-'));
      await writeFile(join(outside, 'a.md'), 's3cret');
      await rm(join(folder, path, link), { recursive: true });
      await symlink(outside, join(folder, path, link));
      const { code, output } = await run('--verify', '--against', '.');
      assert.ok(code !== 0);
      assert.match(output, /is a link that leads out of the folder/);
      assert.doesNotMatch(output, /s3cret/);
      await rm(outside, { recursive: true });
    });

  it('reports like the other commands', async () => {
    await run('--verify', '--reporter', 'junit', '--output', 'report.xml');
    assert.match(await readFile(join(folder, 'report.xml'), 'utf8'), /tests="1" failures="0"/);
  });
});
