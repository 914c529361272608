import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { applications } from '../../../../../src/config/applications/applications';
import { folderFiles } from '../../../../../src/config/places/folderFiles';
import { createNodePrograms } from '../../../../../src/mcp/node/nodePrograms';
import { confinedCommand } from '../../../../../src/mcp/node/sandbox/confinedCommand';
import { FreeNames } from '../../../../../src/mcp/node/nodeTransports';
import {
  configurationNames,
  isGuardedName,
  repositoryNames,
} from '../../../../../src/mcp/node/sandbox/configurationFiles';
import {
  findGuarded,
  maxFreeNames,
  maxGuardedPaths,
  maxIncludes,
  maxNamedWords,
  maxSearchedFolders,
} from '../../../../../src/mcp/node/sandbox/guarded';
import { isOutdated, maxOpenEntries } from '../../../../../src/mcp/node/sandbox/bubblewrap';
import {
  type SandboxTool,
  findSandboxTool,
} from '../../../../../src/mcp/node/sandbox/planConfinement';
import { seatbeltProfile } from '../../../../../src/mcp/node/sandbox/seatbelt';
import type { Confinement, StdioServerConfig } from '../../../../../src/mcp/serverConfig';

/** A file by its text, a link by where it leads after an arrow, or an empty folder. */
type Made = Readonly<Record<string, string>>;

async function make(root: string, made: Made): Promise<void> {
  for (const [path, content] of Object.entries(made)) {
    const full = join(root, path);
    await mkdir(path.endsWith('/') ? full : dirname(full), { recursive: true });
    if (content.startsWith('-> ')) await symlink(content.slice(3), full);
    else if (!path.endsWith('/')) await writeFile(full, content);
  }
}

const repository = (path: string, config = '') => ({
  [`${path}/HEAD`]: 'ref: refs/heads/main\n',
  [`${path}/config`]: `[core]\n${config}`,
  [`${path}/objects/`]: '',
  [`${path}/refs/`]: '',
});

/** A project as many are, in which each path of {@link stays} decides what other programs run. */
const project: Made = {
  'a.txt': 'a',
  'src/deep/er/b.txt': 'b',
  ...repository(
    '.git',
    'hooksPath = tools/hooks\n[include]\n\tpath = ../shared.cfg\n' +
      '[filter "x"] clean = node "tools/clean.js" --rules=tools/rules.json %f\n' +
      '[core]\n\tfsmonitor = ./tools/watch\n[alias] x = "!sh -c \'tools/alias.sh\'"\n',
  ),
  'tools/clean.js': '0',
  'tools/rules.json': '{}',
  'tools/watch': 'true',
  'tools/alias.sh': 'true',
  'tools/other.js': '0',
  '.hg/hgrc': '[hooks]\nupdate = python:hg/hook.py:run\n%include ../hg/more.rc\n',
  'hg/hook.py': '0',
  'hg/more.rc': '[extensions]\nx = hg/x.py\n',
  'hg/x.py': '0',
  '.hg/hgrc-not-shared':
    '[hooks]\npre-status.own:run-with-plain = hg/status.sh\npre-log =\n  hg/log.sh --a=b\n',
  'hg/status.sh': 'true',
  'hg/log.sh': 'true',
  'packages/hg/.sl/config': '[hooks]\ncommit = ./commit.sh\n',
  'packages/hg/commit.sh': 'true',
  'packages/jj/.jj/repo/config.toml': 'ui.editor = ["node", "edit.js"]\n',
  'packages/jj/edit.js': '0',
  'packages/jj/.jj/workspace-config.toml': '[fix.tools.x]\ncommand = [\n  "./fix.sh",\n]\n',
  'packages/jj/fix.sh': 'true',
  'packages/app/.kilocode/mcp.json': '{}',
  '.envrc': 'true',
  'packages/app/.npmrc': 'script-shell=./x',
  'packages/app/.pre-commit-config.yaml': 'repos: []',
  '.git/hooks/pre-commit': 'true',
  ...repository('.git/modules/sub'),
  'tools/hooks/pre-commit': 'true',
  'shared.cfg': '[include]\n\tpath = more.cfg',
  'more.cfg': '[diff "x"]\n\ttextconv = tools/text.sh',
  'tools/text.sh': 'true',
  'sub/.git': 'gitdir: ../.git/modules/sub\n',
  ...repository('packages/app/.git'),
  'packages/app/.vscode/tasks.json': '{}',
  'trees/one/.git': 'gitdir: ../../meta/one\n',
  'meta/one/HEAD': 'ref: refs/heads/one\n',
  'meta/one/commondir': '../common\n',
  ...repository('meta/common'),
  ...repository('mirror/bare'),
  '.github/mcp.json': '{}',
  '.mcp.json': '{}',
  'p.code-workspace': '{}',
  'packages/app/.clinerules/hooks/PreToolUse': 'x',
  'packages/app/.gdbinit': 'shell x',
  'packages/app/.Rprofile': 'x',
  'packages/app/.RData': 'x',
  'packages/app/.perldb': 'system("x")',
  'packages/app/.dir-locals-2.el': '()',
  'home/.emacs.el': '()',
  'home/.gdbearlyinit': 'set startup-quietly on',
  'home/.lldbinit-lldb': 'x',
  'home/.tmux.conf': 'run-shell x',
  'home/.xsessionrc': 'x',
  '.git/hooks/commit-msg': '-> ../../scripts/commit-msg',
  'scripts/commit-msg': 'true',
  'scripts/other': 'true',
  '.claude/skills/one': '-> ../../skills/one',
  'skills/one/SKILL.md': '-> ../two.md',
  'skills/two.md': 'two',
  'packages/app/.git/config.worktree': '-> ../../worktree.cfg',
  'packages/worktree.cfg': '[core]\nfsmonitor = own.sh\n',
  'packages/app/own.sh': 'true',
  'linked/.zed': '-> ../conf/hop',
  'linked/own.txt': 'own',
  'linked/below/own.txt': 'own',
  'conf/hop': '-> real',
  'conf/real/tasks.json': '{}',
};

const stays = [
  '.git .git/config .git/hooks .git/modules/sub/config tools/hooks shared.cfg sub/.git packages/app/.git',
  'packages/app/.vscode/tasks.json trees/one/.git meta/one meta/common mirror/bare .github/mcp.json',
  '.mcp.json conf/hop p.code-workspace linked/.zed conf/real more.cfg tools/text.sh tools/clean.js tools/rules.json',
  'tools/watch tools/alias.sh .hg hg/hook.py hg/more.rc hg/x.py packages/hg/.sl packages/hg/commit.sh packages/jj/.jj',
  'hg/status.sh hg/log.sh packages/jj/edit.js packages/jj/fix.sh packages/app/.kilocode .envrc packages/app/.npmrc packages/app/.pre-commit-config.yaml',
  'packages/app/.clinerules packages/app/.gdbinit packages/app/.Rprofile scripts/commit-msg .claude skills/one',
  'skills/two.md packages/worktree.cfg packages/app/own.sh packages/app/.RData packages/app/.perldb',
  'packages/app/.dir-locals-2.el home/.emacs.el home/.gdbearlyinit home/.lldbinit-lldb home/.tmux.conf home/.xsessionrc',
].flatMap((paths) => paths.split(' '));

/** What is configured and not there, so that whoever makes it decides what other programs run. */
const unmade: readonly (readonly [what: string, made: Made, path: string])[] = [
  ['hooks', repository('.git', 'hooksPath = hooks'), 'hooks'],
  ['hooks in a folder', { ...repository('.git', 'hooksPath = a/hooks'), 'a/x': '' }, 'a/hooks'],
  ['hooks with their folder', repository('sub/.git', 'hooksPath = a/hooks'), 'sub/a'],
  ['an included file', repository('sub/.git', '[include]\npath = ../local'), 'sub/local'],
  ['a repository that a file names', { 'sub/.git': 'gitdir: ../meta' }, 'meta'],
  [
    'what a worktree shares',
    { 'sub/.git': 'gitdir: ../meta', 'meta/HEAD': 'ref: x', 'meta/commondir': '../common' },
    'common',
  ],
  ['where a link leads', { 'sub/.vscode': '-> ../conf/own', 'conf/x': '' }, 'conf/own'],
  ['a hook', { ...repository('.git'), '.git/hooks/x': '-> ../../a/x.sh', 'a/y': '' }, 'a/x.sh'],
];

/** What Node runs in a sandbox to put something of its own where `path` is; each way is tried, whatever became of the others. */
const waysIn = (path: string, root: string) => `
const fs = require('fs');
const { dirname, join } = require('path');
const path = ${JSON.stringify(path)};
const root = ${JSON.stringify(root)};
const attempt = (what) => { try { what(); } catch {} };
const replace = (at) => {
  attempt(() => fs.renameSync(at, join(root, 'moved')));
  attempt(() => fs.renameSync(at, at + '.old'));
  attempt(() => fs.rmSync(at, { recursive: true }));
  attempt(() => fs.unlinkSync(at));
  attempt(() => fs.rmdirSync(at));
  attempt(() => fs.mkdirSync(at, { recursive: true }));
  attempt(() => fs.symlinkSync(root, at));
  attempt(() => fs.writeFileSync(at, 'evil'));
  attempt(() => { fs.writeFileSync(join(root, 'evil'), 'evil'); fs.renameSync(join(root, 'evil'), at); });
  attempt(() => { fs.mkdirSync(join(root, 'evils')); fs.renameSync(join(root, 'evils'), at); });
};
attempt(() => fs.linkSync(path, join(root, 'second')));
attempt(() => fs.writeFileSync(join(root, 'second'), 'evil'));
for (const name of ['config', 'commondir', 'mcp.json', 'tasks.json', 'pre-commit', 'new'])
  attempt(() => fs.writeFileSync(join(path, name), 'evil'));
attempt(() => fs.chmodSync(path, 0o777));
attempt(() => fs.cpSync(path, path + '.copy', { recursive: true }));
for (let at = path; at !== root; at = dirname(at)) replace(at);
attempt(() => fs.writeFileSync(join(path, 'config'), 'evil'));
`;

/** Returns all below a folder: files with their text, links with where they lead. */
async function contents(root: string, paths: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const read = async (path: string): Promise<void> => {
    const full = join(root, path);
    const target = await readlink(full).catch(() => undefined);
    if (target !== undefined) found[path] = `-> ${target}`;
    else if (!existsSync(full)) found[path] = 'missing';
    else if ((await stat(full)).isDirectory()) {
      found[path] = 'folder';
      for (const name of await readdir(full)) await read(join(path, name));
    } else found[path] = await readFile(full, 'utf8');
  };
  for (const path of paths) await read(path);
  return found;
}

const confining = (tool: SandboxTool, writable: readonly string[], more = {}): Confinement => ({
  ...tool,
  writable,
  readOnly: [],
  hidden: [],
  // Without it, each socket of the machine is hidden, also those that other tests have for a moment.
  hasNetwork: true,
  letsCreate: true,
  unkept: [],
  ...more,
});

describe('the names of configuration', () => {
  it('are those of all applications and places that servers are found in', () => {
    const machine = { home: '/h', folders: ['/f'], settings: '/h/.config', env: {} };
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      for (const application of applications)
        for (const file of application.files({ ...machine, platform })) {
          const [, , name = ''] = file.split('/');
          assert.ok(isGuardedName(name), file);
          if (file.startsWith('/f/')) assert.ok(configurationNames.includes(name), file);
        }
    const places = ['github', 'mcpJson', 'devcontainer', 'vscode'];
    const files = folderFiles(places, 'dev-container');
    assert.equal(files.length, places.length);
    for (const { path } of files)
      assert.ok(configurationNames.includes(path.split('/')[0] ?? ''), path);
  });

  it('are not those of ordinary files', () => {
    for (const name of [
      'src',
      '.src',
      '_src',
      '.catalog',
      'package.json',
      '.gitignore',
      'git',
      'x.code-workspaces',
    ])
      assert.ok(!isGuardedName(name), name);
    for (const name of ['.GIT', '.VSCode', 'My.code-workspace', '.lefthook-local.toml', '.cshrc'])
      assert.ok(isGuardedName(name), name);
    for (const name of ['.exrc', '_vimrc', '.inputrc', '.bash_profile', '.zlogin', '.login'])
      assert.ok(isGuardedName(name), name);
  });
});

describe('what is guarded', function () {
  this.timeout(30_000);
  let root: string;
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    root = await realpath(await mkdtemp('/var/tmp/mcp-workbench-guarded-'));
  });
  afterEach(async () => {
    await chmod(join(root, 'shut'), 0o700).catch(() => undefined);
    await rm(root, { recursive: true, force: true });
  });
  const find = (writable = [root], more: object = {}) =>
    findGuarded({ writable, readOnly: [], hidden: [], ...more }, '/nowhere');

  it('is found wherever it lies and whatever leads to it, with the folders on the way', async () => {
    await make(root, project);
    const { whole, links, parents, isCut } = await find();
    const below = (paths: readonly string[]) =>
      paths.map((path) => path.slice(root.length + 1)).toSorted();
    assert.deepEqual(below(links), ['conf/hop', 'linked/.zed']);
    assert.deepEqual(
      below(whole),
      stays
        .filter((path) => !/^\.git\/|^linked|hop$|mcp\.json$|tasks\.json$/.test(path))
        .concat('.github', '.mcp.json', 'packages/app/.vscode')
        .toSorted(),
    );
    for (const path of ['packages', 'packages/app', 'tools', 'meta', 'linked', 'conf', 'trees/one'])
      assert.ok(below(parents).includes(path), path);
    assert.ok(!parents.includes(root));
    assert.equal(isCut, false);
  });

  it('is also in a part of a repository, whose hooks lie in it', async () => {
    await make(root, { ...repository('.git', 'hooksPath = part/hooks'), 'part/hooks/x': '' });
    const part = join(root, 'part');
    assert.deepEqual((await find([part])).whole, [join(part, 'hooks')]);
  });

  it('is also in a part of a repository of another program, whose hooks lie in it', async () => {
    await make(root, { '.hg/hgrc': '[hooks]\nupdate = part/x.sh\n', 'part/x.sh': '' });
    const part = join(root, 'part');
    assert.deepEqual((await find([part])).whole, [join(part, 'x.sh')]);
  });

  it('is where links lead in a repository that the writable folder is a part of', async () => {
    await make(root, {
      ...repository('.git'),
      '.git/hooks/x': '-> ../../part/x.sh',
      'part/x.sh': '',
    });
    const part = join(root, 'part');
    assert.deepEqual((await find([part])).whole, [join(part, 'x.sh')]);
  });

  it('is nothing that a repository keeps of each version, in more folders than can be searched', async () => {
    await make(root, {
      ...repository('.git'),
      '.git/lfs/objects/aa/x': '-> ../../../../a.txt',
      '.git/annex/objects/aa/x': '-> ../../../../a.txt',
      '.hg/requires': 'share-safe',
      '.hg/store/data/x': '-> ../../../a.txt',
      'a.txt': '',
    });
    assert.deepEqual((await find()).whole, [join(root, '.git'), join(root, '.hg')]);
  });

  it('is nothing above a link, and no packages that one leads to', async () => {
    const up = {
      '.claude/up': '-> ../..',
      '.claude/trees/x/node_modules': '-> ../../../node_modules',
    };
    await make(root, { 'work/a.txt': '', 'work/node_modules/x': '' });
    await make(join(root, 'work'), up);
    assert.deepEqual((await find()).whole, [join(root, 'work/.claude')]);
  });

  for (const [what, made, path] of unmade)
    it(`is what is configured and missing: ${what}`, async () => {
      await make(root, made);
      const { missing: free, links, parents } = await find();
      assert.ok([...free, ...links].includes(join(root, path)));
      const above = dirname(path);
      if (above !== '.') assert.ok(parents.includes(join(root, above)));
    });

  it('is what the configuration of the user with this home names in each repository', async () => {
    const home = join(root, 'home');
    await make(root, {
      ...repository('work/.git'),
      'work/own/hooks/x': '',
      'work/all/hooks/x': '',
    });
    await make(home, { '.gitconfig': '[core]\nhooksPath = own/hooks\n[include]\npath = ~/more' });
    await make(home, { more: '[core]\nhooksPath = all/hooks' });
    const work = join(root, 'work');
    const { whole } = await findGuarded({ writable: [work], readOnly: [], hidden: [] }, home);
    for (const path of ['own/hooks', 'all/hooks'])
      assert.ok(whole.includes(join(work, path)), path);
    assert.ok(!(await find([work])).whole.includes(join(work, 'own/hooks')));
    await make(root, {
      'elsewhere/git/config': '-> ../../work/mine',
      'work/mine': '[a]\nx = x.sh',
    });
    await make(root, { 'work/x.sh': '' });
    const rules = { writable: [work], readOnly: [], hidden: [] };
    const other = await findGuarded(rules, '/nowhere', join(root, 'elsewhere'));
    for (const path of ['mine', 'x.sh']) assert.ok(other.whole.includes(join(work, path)), path);
  });

  for (const [what, made, paths] of [
    [
      'in a work tree elsewhere',
      {
        ...repository('meta/git', 'worktree = ../../tree\nhooksPath = hooks\nfsmonitor = ./w.sh'),
        'tree/hooks/x': '',
        'tree/w.sh': '',
      },
      ['tree/hooks', 'tree/w.sh'],
    ],
    [
      'in a work tree elsewhere, of a submodule',
      {
        'sub/.git': 'gitdir: ../meta',
        ...repository('meta', 'worktree = ../tree\n[filter "x"]\nclean = ./c.sh'),
        'tree/c.sh': '',
      },
      ['tree/c.sh'],
    ],
    [
      'by a repository that is shared',
      {
        'work/.hg/sharedpath': '../../main/hg\n',
        'main/hg/hgrc': '[hooks]\nupdate = own/x.sh',
        'work/own/x.sh': '',
      },
      ['main/hg', 'work/own/x.sh'],
    ],
    [
      'by a repository of Sapling that is shared',
      {
        'work/.sl/sharedpath': '../../main/sl',
        'main/sl/config': '[hooks]\nx = own/x.sh',
        'work/own/x.sh': '',
      },
      ['main/sl', 'work/own/x.sh'],
    ],
    [
      'by a repository of Jujutsu that is shared',
      {
        'work/.jj/repo': '../../main/jj',
        'main/jj/config.toml': 'ui.editor = ["own/x.sh"]',
        'work/own/x.sh': '',
      },
      ['main/jj', 'work/own/x.sh'],
    ],
  ] as const)
    it(`is what is configured ${what}`, async () => {
      await make(root, made);
      const { whole } = await find();
      for (const path of paths) assert.ok(whole.includes(join(root, path)), path);
    });

  for (const [repositoryName, file, text] of [
    ['.hg', 'home/.hgrc', '[hooks]\nx = own/x.sh'],
    ['.hg', 'settings/hg/hgrc', '[hooks]\nx = own/x.sh'],
    ['.sl', 'settings/sapling/sapling.conf', '[hooks]\nx = own/x.sh'],
    ['.jj', 'home/.jjconfig.toml', 'ui.editor = ["own/x.sh"]'],
    ['.jj', 'settings/jj/config.toml', 'ui.editor = ["own/x.sh"]'],
    ['.pijul', 'settings/pijul/config.toml', 'editor = "own/x.sh"'],
    ['.git', 'settings/git/config', '[core]\nfsmonitor = own/x.sh'],
  ] as const)
    it(`is what ${file} names in a repository at ${repositoryName}`, async () => {
      const work = join(root, 'work');
      await make(root, { [`work/${repositoryName}/x`]: '', 'work/own/x.sh': '', [file]: text });
      const rules = { writable: [work], readOnly: [], hidden: [] };
      const found = await findGuarded(rules, join(root, 'home'), join(root, 'settings'));
      assert.ok(found.whole.includes(join(work, 'own/x.sh')));
    });

  for (const [how, config] of [
    ['beside the heading', '[core] hooksPath = part/hooks'],
    ['beside a heading with a name', '[a "b ] c"]hooksPath=part/hooks'],
    ['beside several headings', '[a][b "c"] [core]hooksPath=part/hooks'],
    ['in quotes', 'hooksPath = "part/hooks"  '],
    ['partly in quotes', 'HooksPath = pa"rt/ho"oks'],
    ['with a comment', 'hooksPath = part/hooks # or ; none'],
    ['over two lines', 'hooksPath = part\\\n/hooks'],
    ['with an escape', 'hooksPath = "part/\\hooks"'],
  ] as const)
    it(`is where the configuration names hooks ${how}`, async () => {
      await make(root, { ...repository('.git', config), 'part/hooks/x': '' });
      const part = join(root, 'part');
      assert.deepEqual((await find([part])).whole, [join(part, 'hooks')]);
    });

  it('is what the configuration names as hooks and further files behind many branches', async () => {
    const branches = Array.from(
      { length: 400 },
      (_, index) =>
        `[branch "b${index}"]\nremote = origin\nmerge = refs/heads/b${index}\ndescription = one of the ${index}\nbase = m${index}\nvscode-merge-base = origin/m${index}\nnote = ${index} x${index} y${index}\n`,
    ).join('');
    const named = '[core]\nhooksPath = tools/hooks\n[include]\npath = ../more';
    await make(root, {
      ...repository('.git', branches + named),
      'tools/hooks/x': '',
      more: '[alias]\nx = !sh x.sh',
      'x.sh': '',
    });
    const { whole } = await find();
    for (const path of ['tools/hooks', 'more', 'x.sh'])
      assert.ok(whole.includes(join(root, path)), path);
  });

  it('is nothing that the configuration protects already, and opens nothing of it again', async () => {
    await make(root, { ...repository('vendor/x/.git'), ...repository('other/.git') });
    for (const rule of ['readOnly', 'hidden']) {
      const { whole, parents } = await find([root], { [rule]: [join(root, 'vendor')] });
      assert.deepEqual(whole, [join(root, 'other/.git')]);
      assert.deepEqual(parents, [join(root, 'other')]);
    }
  });

  it('is not searched for among packages', async () => {
    await make(root, { ...repository('node_modules/x/.git'), '.npm/y/.vscode/z': '' });
    assert.deepEqual((await find()).whole, []);
    assert.deepEqual(await find([join(root, '.npm')]), {
      whole: [],
      links: [],
      parents: [],
      missing: [],
      isCut: false,
    });
  });

  it('is a folder that cannot be read, and a name that is missing but not one that is taken', async function () {
    if (process.getuid?.() !== 0) {
      await make(root, { 'shut/x': '' });
      await chmod(join(root, 'shut'), 0);
      assert.deepEqual((await find()).whole, [join(root, 'shut')]);
    }
    await make(root, { '.vscode/tasks.json': '{}', '.cursor/': '', file: '' });
    const { missing } = await find();
    const names = missing.map((path) => path.slice(root.length + 1));
    // An empty folder holds nothing: an earlier sandbox may have left it.
    const all = [...repositoryNames, ...configurationNames, 'HEAD'];
    assert.deepEqual(
      names,
      all.filter((name) => name !== '.vscode'),
    );
    for (const none of ['file', 'nowhere'])
      assert.deepEqual((await find([join(root, none)])).missing, []);
  });

  it('follows so many files of configuration and so many words of each, and says where it stopped', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: maxIncludes + 2 }, (_, index) => [
        `c${index}`,
        `[include]\npath = c${index + 1}`,
      ]),
    );
    await make(root, { ...repository('.git', '[include]\npath = ../c0'), ...chain });
    const included = await find();
    assert.ok(included.isCut);
    assert.ok(included.whole.includes(join(root, `c${maxIncludes}`)));
    assert.ok(!included.whole.includes(join(root, `c${maxIncludes + 2}`)));
    const words = Array.from({ length: maxNamedWords - 1 }, (_, index) => `w${index}`).join(' ');
    for (const [text, isCut] of [
      [`a.sh ${words}${' a.sh'.repeat(maxNamedWords)}`, false],
      [`a.sh ${words} b.sh`, true],
    ] as const) {
      await make(root, { ...repository('.git', `x = ${text}`), 'a.sh': '', 'b.sh': '' });
      const { whole, isCut: isReallyCut } = await find();
      assert.equal(isReallyCut, isCut);
      assert.deepEqual(
        ['a.sh', 'b.sh'].map((name) => whole.includes(join(root, name))),
        [true, false],
      );
    }
  });

  it('has bounds: folders that are searched, paths that are guarded, names that are kept free', async () => {
    assert.equal(maxSearchedFolders, 20_000);
    const many = Array.from(
      { length: maxGuardedPaths / 2 + 10 },
      (_, index) => `d${index}/.vscode/`,
    );
    await Promise.all(many.map((path) => make(root, { [path]: '' })));
    const { whole, parents, isCut } = await find();
    assert.ok(isCut);
    assert.ok(whole.length + parents.length <= maxGuardedPaths + 1);
    const roots = Array.from({ length: 40 }, (_, index) => join(root, `d${index}`));
    assert.equal((await find(roots)).missing.length, maxFreeNames);
  });
});

describe('a process in a sandbox, and what others take as configuration', function () {
  this.timeout(60_000);
  let tool: SandboxTool;
  let root: string;
  before(async function () {
    const found = await findSandboxTool(process.platform);
    // Many containers do not allow namespaces to be created.
    if (found?.tool !== 'bwrap') return this.skip();
    tool = found;
  });
  beforeEach(async () => {
    root = await realpath(await mkdtemp('/var/tmp/mcp-workbench-guarded-'));
  });
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(root, { recursive: true, force: true });
  });

  // What the one who runs the tests has configured is no part of them.
  const own = { HOME: '/nowhere' };
  const line = (code: string, confinement: Confinement) => {
    const args = ['-e', code];
    const config: StdioServerConfig = { type: 'stdio', command: process.execPath, args, env: {} };
    return confinedCommand(process.execPath, { ...config, cwd: root, confinement }, {}, own);
  };
  const start = async (code: string, confinement = confining(tool, [root])) => {
    const { command, args, keptFree = [] } = await line(code, confinement);
    const child = spawn(command, [...args], { cwd: root, env: {}, stdio: 'pipe' });
    children.push(child);
    const { stdin, stdout, stderr } = child;
    return { child, stdin, stdout, stderr, keptFree };
  };
  // A socket of another process may go before the sandbox hides it: a server is started again then, too.
  const run = async (code: string, confinement?: Confinement, starts = 3): Promise<string> => {
    const { child, stdout, stderr } = await start(code, confinement);
    const said = { out: '', err: '' };
    stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    const [status] = (await once(child, 'close')) as [number];
    if (status !== 0 && isOutdated(said.err) && starts > 1)
      return run(code, confinement, starts - 1);
    assert.equal(status, 0, said.err);
    return said.out.trim();
  };

  for (const path of stays)
    it(`changes nothing of ${path}, by whatever way`, async () => {
      await make(root, project);
      const before = await contents(root, stays);
      assert.equal(Object.values(before).includes('missing'), false);
      await run(waysIn(join(root, path), root));
      assert.deepEqual(await contents(root, stays), before);
    });

  for (const [what, made, path] of unmade)
    it(`makes nothing that is configured and missing: ${what}`, async () => {
      await make(root, made);
      const full = join(root, path);
      await run(`${waysIn(full, root)}
        attempt(() => fs.mkdirSync(path, { recursive: true }));
        attempt(() => fs.writeFileSync(path, 'evil'));
        attempt(() => fs.writeFileSync(join(path, 'pre-commit'), 'evil'));`);
      const kept = await contents(root, [path]);
      assert.ok(['missing', 'folder'].includes(kept[path] ?? ''), kept[path]);
      assert.equal(Object.keys(kept).length, 1);
    });

  it('makes no such name in its folder, and writes all else', async () => {
    await make(root, { 'sub/a.txt': 'a' });
    const names = [...repositoryNames, ...configurationNames, 'HEAD'];
    await run(names.map((name) => `{${waysIn(join(root, name), root)}}`).join('\n'));
    for (const name of names)
      assert.deepEqual(await contents(root, [name]), { [name]: 'folder' }, name);
    await run(`const fs = require('fs'); fs.writeFileSync('sub/a.txt', 'b');
      fs.mkdirSync('new/folder', { recursive: true }); fs.writeFileSync('new/file', 'c');
      fs.renameSync('sub', 'other');`);
    assert.deepEqual(await contents(root, ['other', 'new']), {
      other: 'folder',
      'other/a.txt': 'b',
      new: 'folder',
      'new/folder': 'folder',
      'new/file': 'c',
    });
  });

  it('writes beside a link that is guarded in what is there, and makes nothing new', async () => {
    await make(root, project);
    const code = `const fs = require('fs'); fs.writeFileSync('linked/own.txt', 'x');
      fs.writeFileSync('linked/below/new.txt', 'y');
      try { fs.writeFileSync('linked/new.txt', 'z'); } catch (error) { console.log(error.code); }`;
    assert.equal(await run(code), 'EROFS');
    assert.equal(await readFile(join(root, 'linked/own.txt'), 'utf8'), 'x');
    assert.equal(await readFile(join(root, 'linked/below/new.txt'), 'utf8'), 'y');
  });

  it('writes nothing beside such a link where too much is there', async () => {
    const many = Object.fromEntries(
      Array.from({ length: maxOpenEntries + 5 }, (_, index) => [`f${index}`, '']),
    );
    await make(root, { ...many, '.zed': '-> elsewhere' });
    const code = `let open = 0;
      for (const name of require('fs').readdirSync('.'))
        try { require('fs').writeFileSync(name, 'x'); open += 1; } catch {}
      console.log(open);`;
    assert.equal(await run(code), String(maxOpenEntries));
  });

  it('opens nothing again that its configuration keeps from it', async () => {
    await make(root, { 'kept/x': 'x', 'kept/in/.zed': '-> ../y', 'secret/key': 'k', ...project });
    const rules = { readOnly: [join(root, 'kept')], hidden: [join(root, 'secret')] };
    const code = `const fs = require('fs');
      for (const path of ['kept/x', 'kept/in/z', 'secret/key'])
        try { fs.writeFileSync(path, 'evil'); console.log(path); } catch {}
      try { console.log(fs.readFileSync('secret/key', 'utf8')); } catch {}`;
    assert.equal(await run(code, confining(tool, [root], rules)), '');
  });

  it('starts where what it may write is missing, a file, or not ours', async () => {
    await make(root, { file: 'x' });
    const writable = [join(root, 'nowhere'), join(root, 'file'), root, '/proc/nothing'];
    assert.equal(await run(`console.log('started')`, confining(tool, writable)), 'started');
  });

  it('leaves no folder behind when the last one that needs it has ended', async () => {
    const names = new FreeNames();
    const idle = `process.stdin.resume(); console.log('up')`;
    const other = new FreeNames();
    await make(root, { '.vscode/': '', 'a.txt': 'a' });
    const open = async (owner: FreeNames) => {
      const { child, stdin, stdout, keptFree } = await start(idle);
      const release = owner.use(keptFree);
      await once(stdout, 'data');
      return async () => {
        stdin.end();
        await once(child, 'close');
        await release();
      };
    };
    const all = [...repositoryNames, ...configurationNames, 'HEAD', 'a.txt'].toSorted();
    const end = [await open(names), await open(names), await open(other)] as const;
    assert.deepEqual(readdirSync(root).toSorted(), all);
    const programs = createNodePrograms(() => Promise.resolve({}));
    assert.equal(await programs.readText(join(root, '.mcp.json'), 1000), undefined);
    for (const one of end.slice(0, 2)) {
      await one();
      assert.deepEqual(readdirSync(root).toSorted(), all);
    }
    // The user made use of one meanwhile.
    await writeFile(join(root, '.zed', 'settings.json'), '{}');
    await end[2]();
    assert.deepEqual(readdirSync(root).toSorted(), ['.zed', 'a.txt']);
  });
});

describe('the profile for macOS', () => {
  const work = '/Users/u/p/my (work)';
  const guarded = {
    whole: [`${work}/tools/hooks`],
    links: [`${work}/linked/.zed`, `${work}/conf/hop`],
    parents: [`${work}/tools`, `${work}/packages/app`, `${work}/packages`],
    missing: [`${work}/HEAD`],
    isCut: false,
  };
  const plan = { writable: [work, '/private/tmp'], readOnly: [], hidden: [], hasNetwork: true };
  const lines = seatbeltProfile(plan, { guarded, services: ['/Users/u/.docker/run'] }).split('\n');

  /** Decides as the system does: the last rule that matches counts. */
  function isAllowed(operation: string, path: string): boolean {
    let allowed = true;
    for (const line of lines) {
      const [, word, name = '', filters = ''] = /^\((allow|deny) ([\w*-]+)(.*)\)$/.exec(line) ?? [];
      const isIt =
        name === operation || (name.endsWith('*') && operation.startsWith(name.slice(0, -1)));
      if (!word || !isIt || !filters) {
        if (word && isIt) allowed = word === 'allow';
        continue;
      }
      for (const [, kind, quoted = ''] of filters.matchAll(/\((\w+) ("(?:[^"\\]|\\.)*")\)/g)) {
        const text = JSON.parse(quoted) as string;
        const matches =
          kind === 'regex'
            ? new RegExp(text).test(path)
            : path === text || (kind === 'subpath' && path.startsWith(`${text}/`));
        if (matches) allowed = word === 'allow';
      }
    }
    return allowed;
  }

  const names = [...repositoryNames, ...configurationNames];
  it('denies to write or make any such name at any depth, however it is spelled', () => {
    for (const name of [...names, ...names.map((one) => one.toUpperCase())])
      for (const path of [name, `${name}/x/y`, `new/${name}`, `packages/app/${name}/tasks.json`])
        for (const folder of plan.writable)
          assert.ok(!isAllowed('file-write-create', `${folder}/${path}`), path);
  });

  for (const [operation, path, allowed] of [
    ['file-write-data', 'src/a.ts', true],
    ['file-write-create', 'src/.gitignore', true],
    ['file-write-create', 'src/xgit/a', true],
    ['file-write-create', 'node_modules/x/.github/funding.yml', true],
    ['file-write-create', 'node_modules/x/.git/config', false],
    ['file-write-create', '.vscode/node_modules/x', false],
    ['file-write-create', 'HEAD', false],
    ['file-write-create', 'head', false],
    ['file-write-create', 'new/HEAD', false],
    ['file-write-create', 'src/header', true],
    ['file-write-create', 'node_modules/x/HEAD', true],
    ['file-write-create', '.v\u017Fcode/tasks.json', false],
    ['file-write-create', 'new/.\u017Fl/config', false],
    ['file-write-create', '.hu\u017F\u212Ay/pre-commit', false],
    ['file-write-data', 'tools/hooks/pre-commit', false],
    ['file-write-data', 'tools/other', true],
    ['file-write-unlink', 'tools', false],
    ['file-write-unlink', 'packages', false],
    ['file-write-unlink', 'packages/app', false],
    ['file-write-create', 'packages/app/b.ts', true],
    ['file-write-unlink', 'src', true],
    ['file-write-unlink', 'conf/hop', false],
    ['file-write-create', 'conf/hop', false],
    ['file-write-create', '../other', false],
    ['file-link', 'src/a.ts', false],
    ['network-outbound', '../../.docker/run/docker.sock', false],
    ['network-outbound', '../../../../private/tmp/com.apple.launchd.x/Listeners', false],
    ['network-outbound', 'own.sock', true],
    ['file-ioctl', '../../../../dev/tty', false],
    ['file-read-data', '../../../../dev/ttys003', false],
    ['file-read-data', '../../../../dev/tty.usbserial', true],
  ] as const)
    it(`${allowed ? 'allows' : 'denies'} ${operation} of ${path}`, () =>
      assert.equal(isAllowed(operation, posix.join(work, path)), allowed));
});
