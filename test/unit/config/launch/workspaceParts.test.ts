import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchIdentity, launchText } from '../../../../src/config/launch/launch';
import {
  UntrustedWorkspaceError,
  type LaunchSurroundings,
} from '../../../../src/config/launch/launchSurroundings';
import { textsOf } from '../../../../src/config/launch/launchTexts';
import { resolveLaunch } from '../../../../src/config/launch/resolveLaunch';
import {
  leadsInto,
  maxPathsOfLaunch,
  refuseWorkspaceParts,
} from '../../../../src/config/launch/workspaceParts';
import { mergeLayers, type LocatedDefinition } from '../../../../src/config/mergeLayers';
import { createNodePrograms, createPaths } from '../../../../src/mcp/node/nodePrograms';
import { environmentOf } from '../../../../src/mcp/node/commands/serverEnvironment';
import { thisSystem } from '../../../../src/mcp/node/system';
import { canonicalJson } from '../../../../src/base/json';
import { inEnglish } from '../../../../src/base/translate';

/** A path as an address or a shell has it on every system. */
const slashed = (path: string) => path.replaceAll('\\', '/').replace(/^(?=[A-Za-z]:)/, '/');

const mark = 'TEXT';
const inputs = [{ id: 'x', type: 'promptString' }];

/** A launch for each part that can hold a text, with {@link mark} in it. */
const parts: Readonly<Record<string, object>> = {
  command: { command: mark },
  'an argument': { command: 'node', args: ['-e', '0', mark] },
  'a variable': { command: 'node', env: { ANY: mark } },
  cwd: { command: 'node', cwd: mark },
  envFile: { command: 'node', envFile: mark },
  'what a sandbox may write': {
    command: 'node',
    sandboxEnabled: true,
    sandbox: { filesystem: { allowWrite: [mark] } },
  },
};

/** The ways to name something in a folder, given its path and that of a link to it. */
const forms: Readonly<Record<string, (folder: string, link: string, home: string) => string>> = {
  'its path': (folder) => `${folder}/server.js`,
  'the folder itself': (folder) => folder,
  'a path with steps': (folder) => `${folder}/../ws/./a/../server.js`,
  'its path in other letters': (folder) => `${folder.toUpperCase()}/server.js`,
  'a path from the home folder': (folder, _, home) => folder.slice(home.length + 1),
  'a path through a link': (_, link) => `${link}/server.js`,
};

/** What can stand around a path in an argument or a variable. */
const around: Readonly<Record<string, (path: string) => string>> = {
  'behind an option': (path) => `--import=${path}`,
  'right behind a letter': (path) => `-r${path}`,
  'in a variable right behind a letter': (path) => `--x -I${path} -y`,
  'behind an option in a variable': (path) => `--max-old-space-size=64 --require ${path}`,
  'in quotes': (path) => `--require "${path}" --x`,
  'in a list of paths': (path) => `/usr/lib:${path}:/opt`,
  'in a mount of a container': (path) => `type=bind,src=${path},dst=/app`,
  'in a volume of a container': (path) => `${path}:/app:ro`,
  'in a script': (path) => `cd / && node '${path}'; exit`,
  'in JSON': (path) => JSON.stringify({ plugins: [path] }),
  'after a mark for files': (path) => `@${path}`,
  'after a mark for options': (path) => `+${path}`,
  'before a mark': (path) => `${path}#main`,
  'before a question mark': (path) => `x=${path}?inline`,
  'in a list of patterns': (path) => `^${path}*`,
  'behind two options': (path) => `--node-options=--require=${path}`,
  'in a class path': (path) => `-Xbootclasspath/a:${path}`,
};

describe('a launch beside a workspace that is not trusted', () => {
  let home = '';
  let folder = '';
  let link = '';

  before(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'workspace-parts-')));
    folder = join(home, 'my code', 'ws');
    link = join(home, 'link');
    await mkdir(join(folder, 'deep', 'er'), { recursive: true });
    await mkdir(join(home, 'beside'));
    await writeFile(join(folder, 'server.js'), '');
    await writeFile(join(home, 'beside', 'server.js'), '');
    await symlink(folder, link);
    await symlink(join(folder, 'deep'), join(home, 'sub'));
  });
  after(() => rm(home, { recursive: true }));

  const surroundings = (isTrusted: boolean): LaunchSurroundings => ({
    env: {},
    programs: {
      ...createNodePrograms(() => Promise.resolve(process.env)),
      home,
      locate: ({ command }) => Promise.resolve(command),
      confine: () => Promise.resolve(undefined),
      readVariables: () => Promise.resolve({}),
    },
    folders: [{ uri: 'file:///ws', name: 'ws', path: folder }],
    isTrusted,
    inheritance: 'safe',
    markKey: 'key',
  });

  const serverOf = (value: unknown): LocatedDefinition => {
    const layer = { scope: 'user', label: 'User Settings', inputs, problems: [] } as const;
    const { servers } = mergeLayers([{ ...layer, entries: [{ name: 'a', value }] }]);
    return servers[0] ?? assert.fail();
  };
  const put = (value: object, text: string): object =>
    JSON.parse(JSON.stringify(value).replaceAll(mark, JSON.stringify(text).slice(1, -1))) as object;

  const isRefused = async (value: object, isTrusted = false, input = ''): Promise<boolean> => {
    try {
      const { fill } = await resolveLaunch(serverOf(value), surroundings(isTrusted));
      await fill(() => Promise.resolve(input));
      return false;
    } catch (error) {
      if (error instanceof UntrustedWorkspaceError) return true;
      throw error;
    }
  };

  for (const [part, value] of Object.entries(parts))
    for (const [form, make] of Object.entries(forms))
      it(`does not start where ${part} names something in it: ${form}`, async () => {
        const named = put(value, make(folder, link, home));
        assert.equal(await isRefused(named), true);
        assert.equal(await isRefused(named, true), false);
      });

  for (const part of ['an argument', 'a variable'])
    for (const [where, wrap] of Object.entries(around))
      for (const [form, make] of Object.entries(forms))
        it(`does not start where ${part} names something in it ${where}: ${form}`, async () => {
          const text = wrap(make(folder, link, home));
          assert.equal(await isRefused(put(parts[part] ?? {}, text)), true, text);
        });

  for (const [what, text] of [
    ['an address', () => pathToFileURL(join(folder, 'server.js')).href],
    ['an address with a host', () => `--import=file://LocalHost${encodeURI(folder)}/server.js`],
    ['a path in several quotes', () => `node ${home}/"my code"'/ws'/server.js`],
    [
      'the home folder of a shell',
      () => `node ~/my${thisSystem() === 'win32' ? '^' : '\\'} code/ws/server.js`,
    ],
    ['a step up after a link', () => `${home}/sub/../server.js`],
    ['a step up after a link from the home folder', () => `sub/../server.js`],
    ['the home folder in a variable', () => `--x="$HOME/my code/ws"`],
    ['the home folder of a user by name', () => `node ~${basename(home)}/'my code'/ws/server.js`],
    ['the home folder as PowerShell has it', () => '& "$env:HOME/my code/ws/server"'],
    ['the folder that it runs in', () => 'node "$PWD/my code/ws/server.js"'],
    ['the folder that it runs in, in short', () => 'node ~+/"my code"/ws/server.js'],
    ['an address for Git', () => `git+${pathToFileURL(folder).href}#main`],
    ['an address with another host', () => `file://127.0.0.1${encodeURI(slashed(folder))}/a.js`],
    ['an address of an editor', () => `vscode-file://vscode-app${encodeURI(slashed(folder))}/a.js`],
    [
      'an address in an address',
      () => `data:text/javascript,import("${encodeURIComponent(pathToFileURL(folder).href)}")`,
    ],
    ['a path with an escape of JSON', () => JSON.stringify([folder]).replace(' ', '\\u0020')],
    [
      'a path with the number of a character',
      () => `node $'${slashed(folder).replace(' ', '\\x20')}'`,
    ],
    ['a path in quotes that are empty', () => `node ${slashed(home)}/my' 'code/""ws/server.js`],
  ] as const)
    it(`does not start where an argument names something in it by ${what}`, async () =>
      assert.equal(await isRefused({ command: 'node', args: [text()] }), true));

  for (const [part, value] of Object.entries(parts))
    it(`does not start where a value that was entered names something in it: ${part}`, async () => {
      const entered = put(value, '${input:x}');
      assert.equal(await isRefused(entered, false, folder), true);
      assert.equal(await isRefused(entered, false, '/usr/bin/x'), false);
    });

  for (const [how, path] of [
    ['by its path', () => `${folder}/a.js`],
    ['by a variable of a shell', () => '"${HOME}/my code/ws/a.js"'],
    ['by where it runs', () => '"${PWD}/my code/ws/a.js"'],
  ] as const)
    it(`does not start where its file of variables names something in it ${how}`, async () => {
      const here = surroundings(false);
      assert.ok(here.programs);
      const readVariables = () => Promise.resolve({ NODE_OPTIONS: `-r ${path()}` });
      const programs = { ...here.programs, readVariables };
      const server = serverOf({ command: 'node', envFile: join(home, 'env') });
      await assert.rejects(resolveLaunch(server, { ...here, programs }), UntrustedWorkspaceError);
    });

  const inheriting = (own: Record<string, string>): LaunchSurroundings => {
    const here = surroundings(false);
    assert.ok(here.programs);
    const programs = createNodePrograms(() => Promise.resolve(own));
    const inherited: typeof programs.inherited = (config) => programs.inherited(config);
    return { ...here, programs: { ...here.programs, inherited } };
  };
  const all = { command: 'node', inheritEnvironment: 'all' };
  for (const [what, refused, own, value] of [
    ['its options', 'NODE_OPTIONS', () => ({ NODE_OPTIONS: `-r ${folder}/a.js` }), all],
    [
      'its modules',
      'PYTHONPATH',
      () => ({ PYTHONPATH: ['/lib', join(link, 'lib')].join(delimiter) }),
      all,
    ],
    [
      'the clusters that it knows',
      'KUBECONFIG',
      () => ({ KUBECONFIG: ['/etc/kube', join(folder, 'kube')].join(delimiter) }),
      all,
    ],
    [
      'the browser that it starts',
      'PUPPETEER_EXECUTABLE_PATH',
      () => ({ PUPPETEER_EXECUTABLE_PATH: join(link, 'chrome') }),
      all,
    ],
    ...[
      'TOOL_HOME',
      'TOOL_DIR',
      'TOOL_ROOT',
      'TOOL_PATH',
      'TOOL_CONFIG',
      'TOOL_FILE',
      'TOOL_CACHE',
      'TCL_LIBRARY',
      'CC',
      'RSYNC_RSH',
      'SYSTEMD_EDITOR',
      'OPAMROOT',
      'MODULESHOME',
      'FPATH',
      'CDPATH',
    ].map(
      (name) =>
        [`a place of a tool, ${name}`, name, () => ({ [name]: join(link, 'tool') }), all] as const,
    ),
    ...[
      'AR',
      'FC',
      'LD',
      'F77',
      'PKCS11_MODULE',
      'VK_ICD_FILENAMES',
      'WINEPREFIX',
      'VIMRUNTIME',
    ].map(
      (name) =>
        [`a place of a tool, ${name}`, name, () => ({ [name]: join(link, 'tool') }), all] as const,
    ),
    ...['CFLAGS', 'LDFLAGS', 'RUSTDOCFLAGS'].map(
      (name) =>
        [`a place of a tool, ${name}`, name, () => ({ [name]: `-O2 -I${link}/x` }), all] as const,
    ),
    ['flags that name no place of it', undefined, () => ({ CFLAGS: '-O2 -I/usr/include' }), all],
    ['a time zone', undefined, () => ({ TZ: 'Europe/Berlin', PS1: '\\w $ ', _: '/x' }), all],
    ['a list with blanks', 'TCLLIBPATH', () => ({ TCLLIBPATH: `/usr/lib/tcl ${folder}/lib` }), all],
    ['what is read', undefined, () => ({ MANPATH: join(folder, 'man') }), all],
    ['words for a tool', undefined, () => ({ TOOL_TITLE: join(folder, 'tool') }), all],
    ['what is loaded first', 'LD_PRELOAD', () => ({ LD_PRELOAD: join(folder, 'a.so') }), all],
    ['its search path', undefined, () => ({ PATH: join(folder, 'bin') }), { command: 'npx' }],
    ['its settings', undefined, () => ({ XDG_CONFIG_HOME: folder }), { command: 'node' }],
    [
      'what it does not get',
      undefined,
      () => ({ NODE_OPTIONS: `-r ${folder}/a.js` }),
      { command: 'x' },
    ],
    [
      'what it sets itself',
      undefined,
      () => ({ PATH: folder }),
      { command: 'x', env: { PATH: '/bin' } },
    ],
    ['where the editor was started', undefined, () => ({ PWD: folder, OLDPWD: folder }), all],
  ] as const)
    it(`${refused ? 'does not start' : 'starts'} where the workspace is named by ${what}, of the environment`, async () => {
      const start = resolveLaunch(serverOf(value), inheriting(own()));
      if (refused === undefined) await start;
      else
        await assert.rejects(start, {
          message: `${refused}, which it inherits from the editor, names something in a workspace that is not trusted. Set or remove it in its "env".`,
        });
    });

  for (const [what, value] of [
    ['inherits nothing', { command: 'node', inheritEnvironment: 'none' }],
    ['has no search path', { command: 'node', env: { PATH: null } }],
    ['inherits all', all],
  ] as const)
    it(`is found, and diagnosed, by no program of it where it ${what}`, async function () {
      if (thisSystem() === 'win32') this.skip();
      const bin = join(folder, 'bin');
      const ran = join(home, 'ran');
      await mkdir(bin, { recursive: true });
      await writeFile(join(bin, 'node'), `#!/bin/sh\necho > '${ran}'\n`, { mode: 0o755 });
      const PATH = [bin, join(link, 'bin'), dirname(process.execPath)].join(delimiter);
      const programs = createNodePrograms(() =>
        Promise.resolve({ PATH, NODE_OPTIONS: value === all ? '' : `-r ${folder}/a.js` }),
      );
      const here = surroundings(false);
      const { launch } = await resolveLaunch(serverOf(value), {
        ...here,
        programs: { ...programs, home, confine: () => Promise.resolve(undefined) },
      });
      assert.ok(launch.config.type === 'stdio');
      assert.equal(launch.config.command, process.execPath);
      const findings = await programs.check({ ...launch.config, command: 'node' }, inEnglish);
      assert.ok(
        findings.some(({ title }) => title === `node ${process.version}`),
        JSON.stringify(findings),
      );
      assert.ok(!existsSync(ran));
    });

  it('gets no folder of the workspace from a list that it inherits, and is the same launch', async () => {
    const rest = [join(home, 'beside'), `${folder}2`];
    const list = [join(folder, 'bin'), ...rest, join(link, 'deep')].join(delimiter);
    const own = { PATH: list, XDG_DATA_DIRS: list, XDG_CONFIG_HOME: link, HOME: home };
    const { launch } = await resolveLaunch(serverOf(all), inheriting(own));
    assert.ok(launch.config.type === 'stdio');
    const got = environmentOf(launch.config, own, thisSystem());
    const kept = rest.join(delimiter);
    assert.deepEqual(
      [got['PATH'], got['XDG_DATA_DIRS'], got['XDG_CONFIG_HOME'], got['HOME']],
      [kept, kept, '', home],
    );
    const elsewhere = await resolveLaunch(serverOf(all), inheriting({}));
    assert.equal(
      canonicalJson(launchIdentity(launch)),
      canonicalJson(launchIdentity(elsewhere.launch)),
    );
  });

  it('looks at what it inherits alone, each folder once, and again only where something has changed', async () => {
    const folders = Array.from({ length: 3_000 }, (_, index) => join(home, `bin${index}`));
    const own = { PATH: folders.join(delimiter) };
    const here = inheriting(own);
    let asked = 0;
    const realPath = (path: string) => {
      asked += path.startsWith(join(home, 'bin')) ? 1 : 0;
      return Promise.resolve(path);
    };
    assert.ok(here.programs);
    const counting = { ...here, programs: { ...here.programs, realPath } };
    await resolveLaunch(serverOf({ command: 'node' }), counting);
    assert.equal(asked, folders.length);
    await resolveLaunch(serverOf({ command: 'node' }), counting);
    assert.equal(asked, folders.length);
    own.PATH += delimiter + join(home, 'bin');
    await resolveLaunch(serverOf({ command: 'node' }), counting);
    assert.equal(asked, 2 * folders.length + 1);
  });

  it('says what of it is used, and not the rest of the text', async () => {
    const args = [`--token=hush --import=${link}/server.js`];
    const start = resolveLaunch(serverOf({ command: 'node', args }), surroundings(false));
    await assert.rejects(start, {
      message: `It uses ${link}/server.js, which belongs to a workspace that is not trusted.`,
    });
  });

  it('starts where nothing of it is named', async () => {
    const value = {
      command: '/usr/bin/node',
      args: [
        `${home}/beside/server.js`,
        `${folder}2/server.js`,
        '-y',
        '@scope/name@1.2.3',
        'https://example.com/ws/mcp?a=b',
        `--root=${home}`,
        '{"a": [1, "two"]}',
        '\0',
        'my',
      ],
      env: { A: '/usr/bin:/bin', B: 'ws', C: '${input:x}' },
      sandboxEnabled: true,
      sandbox: { filesystem: { denyRead: [folder] } },
    };
    assert.equal(await isRefused(value), false);
  });

  it('starts with a long argument that tells data, and not with one that names a link to it there', async () => {
    const team = (index: number, file: string) => ({
      name: `team-${index}`,
      description: `Reads the tickets of team ${index}; answers "who is on call?" and what they did (since ${index}).`,
      url: `https://example.com/${index}/mcp?team=${index}`,
      file,
      tags: [`a${index}`, `b${index}`],
      limits: { rate: index, burst: 2 * index, words: `It's ${index}%, or more` },
    });
    const teams = (file: string) => Array.from({ length: 16 }, (_, index) => team(index, file));
    const plain = JSON.stringify(teams('/srv/data'));
    assert.ok(plain.length > 4_000);
    assert.equal(await isRefused({ command: 'node', args: [plain] }), false);
    const named = JSON.stringify(teams(`${link}/data`));
    assert.equal(await isRefused({ command: 'node', args: [named] }), true);
  });

  it(`does not start where it has more than ${maxPathsOfLaunch} possible paths`, async () => {
    const words = (count: number) =>
      Array.from({ length: count }, (_, index) => `word${index}`).join('\n');
    const many = { command: 'sh', args: ['-c', words(maxPathsOfLaunch + 1)] };
    const start = resolveLaunch(serverOf(many), surroundings(false));
    await assert.rejects(start, /^UserError: It names too many paths to tell/);
    assert.equal(await isRefused({ command: 'sh', args: ['-c', words(100)] }), false);
    // The same few paths again and again.
    const repeated = serverOf({ command: 'sh', args: ['-c', '/:'.repeat(500_000)] });
    const again = resolveLaunch(repeated, surroundings(false));
    await assert.rejects(again, /^UserError: It names too many paths to tell/);
  });
});

describe('what shells and Python read in a launch beside a workspace that is not trusted', () => {
  const folder = '/home/me/code/ws';
  const start = (
    args: readonly string[],
    { env = {}, cwd, own = {} }: { env?: Record<string, string>; cwd?: string; own?: object } = {},
    separator: 'linux' | 'win32' = 'linux',
  ) => {
    const isWindows = separator === 'win32';
    const [command = '', ...rest] = args;
    const programs = {
      ...createNodePrograms(() => Promise.resolve({})),
      ...createPaths(separator),
      inherited: () => Promise.resolve({ ...own }),
      home: isWindows ? 'C:\\Users\\me' : '/home/me',
      realPath: (path: string) => Promise.resolve(path),
    };
    const path = isWindows ? 'C:\\Users\\me\\code\\ws' : folder;
    return refuseWorkspaceParts(
      { type: 'stdio', command, args: rest, env, ...(cwd !== undefined && { cwd }) },
      { isTrusted: false, folders: [{ uri: 'file:///ws', name: 'ws', path }] },
      programs,
    );
  };

  const inCode = { cwd: '/home/me/code' };
  const refused: readonly (readonly [readonly string[], Parameters<typeof start>[1]?])[] = [
    [['sh', '-c', 'node ~/code/w*/server.js']],
    [['sh', '-c', 'node ~/*/ws/server.js']],
    [['sh', '-c', 'node code/*/server.js']],
    [['sh', '-c', 'node /home/me/co?e/[vw]s/server.js']],
    [['sh', '-c', 'node /home/me/{code,x}/ws/server.js']],
    [['sh', '-c', 'node /home/{me/code/ws,x}/server.js']],
    [['sh', '-c', 'node /home/me/cod{a..z}/ws/server.js']],
    [['bash', '-c', 'node ~/code/@(ws|x)/server.js']],
    [['bash', '-c', 'node "/home/me/"co*/ws/server.js']],
    [['env', 'bash', '-lc', 'exec node ~/code/w?/server.js']],
    [['bash', '-c', "node ~/code/$'ws'/server.js"]],
    [['bash', '-c', 'node ~/code/$"ws"/server.js']],
    [['pwsh', '-Command', '& (Resolve-Path ~/code/w*/x.ps1)']],
    [['sh', '-c', 'node $A/ws/server.js'], { env: { A: '/home/me/code' } }],
    [['sh', '-c', 'node ${A}$B/server.js'], { env: { A: '/home/me/', B: 'code/ws' } }],
    [['sh', '-c', 'node "$A/server.js"'], { env: { A: '$B/ws', B: '/home/me/code' } }],
    [['sh', '-c', 'node ${A:-/home/me/code}/ws/server.js']],
    [['sh', '-c', 'A=/home/me/code; node $A/ws/server.js']],
    [['sh', '-c', "A='/home/me'; B=code/ws; node $A/$B/server.js"]],
    [['sh', '-c', 'node $PROJECTS/ws/x.js'], { own: { PROJECTS: '/home/me/code' } }],
    [['sh', '-c', 'cd ~/code && node ws/server.js']],
    [['sh', '-c', 'cd /home/me/code && python -m ws.server']],
    [['npm', '--prefix', '/home/me/code', 'exec', 'ws/bin.js']],
    [['python', '-m', 'ws.server'], inCode],
    [['python3', '-Im', 'ws.server.main'], inCode],
    [['python', '-mws.server'], inCode],
    [['python', '-m', 'code.ws.server']],
    [['uvicorn', 'ws.app:app'], inCode],
    [['sh', '-c', 'exec python -m ws.server'], inCode],
    [['python', '-m', 'ws.server'], { env: { PYTHONPATH: '/home/me/code' } }],
    [['python', '-m', 'ws.server'], { own: { PYTHONPATH: '/lib:/home/me/code' } }],
  ];
  for (const [args, how] of refused)
    it(`does not start: ${args.join(' ')} ${JSON.stringify(how ?? {})}`, () =>
      assert.rejects(start(args, how), UntrustedWorkspaceError));

  for (const args of [
    ['cmd', '/c', 'node %A%\\ws\\server.js'],
    ['cmd', '/v:on', '/c', 'node !A!\\ws\\server.js'],
    ['powershell', '-Command', 'node $env:A\\ws\\server.js'],
    ['cmd', '/c', 'set A=C:\\Users\\me\\code& node %A%\\ws\\x.js'],
    ['cmd', '/c', 'for %f in (C:\\Users\\*\\code\\ws\\*.js) do node %f'],
  ])
    it(`does not start on Windows: ${args.join(' ')}`, () =>
      assert.rejects(
        start(args, { env: { a: 'C:\\Users\\me\\code' } }, 'win32'),
        UntrustedWorkspaceError,
      ));

  const ordinary: typeof refused = [
    [['npx', '-y', '@modelcontextprotocol/server-filesystem', '/home/me/code', '/home/me']],
    [['npx', '-y', 'server-everything', '--exclude', '**/node_modules/**', '--include', '*/*']],
    [['npx', '-y', 'server', '--header', 'Accept: */*', '--root', '/home/me/code']],
    [['uvx', 'mcp-server-git', '--repository', '/home/me/code/other']],
    [['uv', '--directory', '/home/me/code/tools', 'run', 'server.py']],
    [['docker', 'run', '-i', '--rm', '-v', '/home/me/code:/work', 'ghcr.io/x/server:latest']],
    [['docker', 'run', '-e', 'TOKEN=${TOKEN}', '-e', 'WS', 'ws.example/server:main']],
    [['python', '-m', 'mcp_server.main'], inCode],
    [['python', '-m', 'http.server', '8000'], inCode],
    [['python', '-m', 'ws.server'], { cwd: '/opt' }],
    [['java', '-jar', '/opt/server.jar', '--spring.config.location=classpath:ws.yml']],
    [
      ['sh', '-c', '. "$NVM_DIR/nvm.sh" && exec npx -y server'],
      { own: { NVM_DIR: '/home/me/.nvm' } },
    ],
    [['sh', '-c', 'export PATH=$PATH:/opt/bin; exec server "$@"', 'server', '*']],
    [['bash', '-lc', 'cd ~/code && exec npx -y server --glob "**/*.ts" --name ws']],
    [
      [
        'bash',
        '-c',
        'for f in /etc/server.d/*.env; do . "$f"; done; exec node ~/tools/*/server.js',
      ],
    ],
    [['sh', '-c', "curl -H 'Accept: */*' https://example.com/*/ws | jq '.[] | {ws, code}'"]],
    [['sh', '-c', 'exec node "$(npm root -g)/server/dist/index.js"'], inCode],
    [['sh', '-c', 'A=/opt; B=ws; node $A/$B/server.js $1 $# $? ${C:+x}']],
    [['env', 'TOKEN=abc', 'node', '/opt/server.js', 'ws.app.example.com:443']],
    [['node', '/opt/server.js'], { own: { PROJECTS: folder } }],
    [['npx', '-y', 'server'], { env: { WORK: '/home/me/code', NAME: 'ws', MATCH: 'code/*' } }],
  ];
  for (const [args, how] of ordinary)
    it(`starts: ${args.join(' ')} ${JSON.stringify(how ?? {})}`, () => start(args, how));

  it('is told in time where it is made to take long', async () => {
    const begun = performance.now();
    for (const text of [
      `/${'{a,b}'.repeat(200)}/x`,
      `/${'*a'.repeat(500)}/x`,
      '${A}'.repeat(20_000),
      `${'['.repeat(1_000)} ${'{'.repeat(1_000)}`,
      `"${'a="'.repeat(5_000)}`,
    ])
      await start(['sh', '-c', text], { env: { A: '$A$A$A$A', B: '$C' } }).catch((error: unknown) =>
        assert.ok(error instanceof UntrustedWorkspaceError),
      );
    assert.ok(performance.now() - begun < 10_000);
  });
});

describe('each text of a launch', () => {
  const home = '/home/me';
  const surroundings: LaunchSurroundings = {
    env: {},
    programs: {
      ...createNodePrograms(() => Promise.resolve({}), 'linux'),
      home,
      locate: ({ command }) => Promise.resolve(command),
      confine: () => Promise.resolve(undefined),
      readVariables: () => Promise.resolve({}),
    },
    folders: [],
    isTrusted: true,
    inheritance: 'safe',
    markKey: 'key',
  };
  const launchOf = async (value: object) => {
    const base = { scope: 'user', label: 'User Settings', inputs, problems: [] } as const;
    const { servers } = mergeLayers([{ ...base, entries: [{ name: 'a', value }] }]);
    return (await resolveLaunch(servers[0] ?? assert.fail(), surroundings)).launch;
  };
  const texts: Readonly<Record<string, object>> = {
    ...parts,
    'an address': { url: `https://example.com/${mark}` },
    'a header': { url: 'https://example.com', headers: { X: mark } },
    'a part of the sign-in': { url: 'https://example.com', oauth: { clientId: mark } },
  };
  for (const [part, value] of Object.entries(texts)) {
    const named = (text: string) =>
      launchOf(JSON.parse(JSON.stringify(value).replaceAll(mark, text)) as object);

    it(`is looked at, shown before the start and bound to the decision: ${part}`, async () => {
      const launch = await named('/opt/one.js');
      const found = textsOf(launch.config).filter(({ text }) => text.includes('/opt/one.js'));
      assert.ok(found.length > 0);
      assert.notEqual(
        canonicalJson(launchIdentity(launch)),
        canonicalJson(launchIdentity(await named('/opt/two.js'))),
      );
      // What a sandbox allows is shown once the machine has said how it confines.
      if (part !== 'what a sandbox may write')
        assert.ok(launchText(launch).includes('/opt/one.js'));
    });
  }
});

describe('a launch on Windows beside a workspace that is not trusted', () => {
  const folder = 'C:\\Users\\me\\my code\\ws';
  const programs = {
    ...createNodePrograms(() => Promise.resolve({})),
    ...createPaths('win32'),
    home: 'C:\\Users\\me',
    realPath: (path: string) => Promise.resolve(path),
  };
  const start = (text: string, workspace = folder) =>
    refuseWorkspaceParts(
      { type: 'stdio', command: 'node', args: [text], env: {} },
      { isTrusted: false, folders: [{ uri: 'file:///ws', name: 'ws', path: workspace }] },
      programs,
    );

  for (const text of [
    `${folder}\\server.js`,
    'c:/users/me/MY CODE/ws/server.js',
    '\\\\?\\C:\\Users\\me\\my code\\ws\\server.js',
    'my code\\ws\\server.js',
    'node "C:\\Users\\me\\my code"\\ws\\server.js',
    'node C:\\Users\\me\\"my code"\\w"s"\\server.js',
    "& 'C:\\Users'\\me\\'my code\\ws'\\server.js",
    'C:\\Users\\m^e\\my^ code\\ws\\server.js',
    'C:\\Users\\m`e\\my` code\\ws\\server.js',
    '%USERPROFILE%\\my code\\ws\\server.js',
    '$env:USERPROFILE\\my code\\ws\\server.js',
    'file:///C:/Users/me/my%20code/ws/server.js',
    '--import=file:///c%3A/Users/me/my%20code/ws/server.js',
    'C:\\Users\\me\\other\\..\\my code\\ws',
    '%HOMEDRIVE%%HOMEPATH%\\my code\\ws\\server.js',
    '%CD%\\my code\\ws\\server.js',
    'vscode-file://vscode-app/C:/Users/me/my%20code/ws/server.js',
    '/IC:\\Users\\me\\my code\\ws',
    '${HOME}/my code/ws/server.js',
    'node ${PWD}\\my code\\ws\\server.js',
    'node ${env:USERPROFILE}\\my code\\ws\\server.js',
    'C:my code\\ws\\server.js',
    '/c/Users/me/my code/ws/server.js',
    'node /c/Users/me/my\\ code/ws/server.js',
    "node '/C/Users/me/my code'/ws/server.js",
    '--import=/mnt/c/Users/me/my code/ws/server.js',
    '/cygdrive/c/Users/me/my code/ws:/app',
    '-I/c/Users/me/my code/ws',
  ])
    it(`does not start where an argument is ${text}`, () =>
      assert.rejects(start(text), UntrustedWorkspaceError));

  for (const text of [
    'D:\\ws\\evil.mjs',
    '--import=file:///D:/ws/evil.mjs',
    'file:///D:\\ws\\evil.mjs',
    'file:///d|/ws/evil.mjs',
    'file:/D:/ws/evil.mjs',
    'file://localhost/D:/ws/evil.mjs',
    'file:///D%3A/ws/evil.mjs',
    'file:///D%3a%2Fws%2F_evil.mjs',
    '{"a":["file:///D:/ws/evil.mjs"]}',
    '/D:/ws/evil.mjs',
    '\\\\.\\D:\\ws\\evil.mjs',
    '//?/D:/ws/evil.mjs',
    '//./D:/ws/evil.mjs',
    '\\\\localhost\\D$\\ws\\evil.mjs',
    '--require=\\\\127.0.0.1\\d$\\ws\\evil.mjs',
    '/d/ws/evil.mjs',
    'node /mnt/d/ws/evil.mjs',
    'cd /cygdrive/d/ws && node evil.mjs',
    '//d/ws/evil.mjs',
    '\\\\?\\UNC\\localhost\\D$\\ws\\evil.mjs',
    '//?/UNC/localhost/d$/ws/evil.mjs',
    '\\\\wsl$\\Ubuntu\\mnt\\d\\ws\\evil.mjs',
    '//wsl.localhost/Ubuntu/mnt/d/ws/evil.mjs',
  ])
    it(`does not start where an argument is ${text}, on another drive than the home folder`, async () => {
      await assert.rejects(start(text, 'D:\\ws'), UntrustedWorkspaceError);
      await start(text, 'D:\\other');
    });

  for (const [text, workspace] of [
    ['/mnt/d/a/repo/run.sh', 'D:\\a\\repo'],
    ['/d/a/repo/run.sh', 'D:\\a\\repo'],
    ['/cygdrive/d/w/a/repo/run.sh', 'D:\\w\\a\\repo'],
    ['//c/w/project/x', 'C:\\w\\project'],
  ] as const)
    it(`does not start where an argument is ${text}, with folders of one letter`, async () => {
      await assert.rejects(start(text, workspace), UntrustedWorkspaceError);
      await start(text, 'D:\\other');
    });

  for (const text of [
    'node /home/me/ws/server.js',
    'cd ~/x; node "/home/me/ws/server.js"',
    '\\\\wsl$\\Ubuntu\\home\\me\\ws\\server.js',
    '\\\\wsl.localhost\\Ubuntu\\home\\me\\ws',
  ])
    for (const host of ['wsl$', 'wsl.localhost', 'WSL$'])
      it(`does not start where an argument is ${text}, of a workspace at ${host}`, async () => {
        await assert.rejects(
          start(text, `\\\\${host}\\Ubuntu\\home\\me\\ws`),
          UntrustedWorkspaceError,
        );
        await start(text, `\\\\${host}\\Ubuntu\\home\\me\\other`);
      });

  for (const text of [
    `${folder}2\\server.js`,
    '/c/Users/me/my code/ws2/server.js',
    '/other/Users/me/my code/ws/server.js',
    'https://example.com/c/mcp',
    'D:\\other\\my code\\ws\\server.js',
    '\\\\server\\share\\my code\\ws',
    'C:\\Users\\me\\my^code\\ws',
  ])
    it(`starts where an argument is ${text}`, () => start(text));

  it('looks up no path of the network to find out whether a place leads into it', async () => {
    const folders = [{ uri: 'file:///ws', name: 'ws', path: folder }];
    const looked: string[] = [];
    const realPath = (path: string) => {
      looked.push(path);
      return Promise.resolve(path === 'D:\\link' ? folder : path);
    };
    const leads = (path: string) => leadsInto(path, folders, { ...programs, realPath });
    assert.equal(await leads('\\\\other\\share\\mcp.json'), false);
    assert.equal(await leads('D:\\link'), true);
    assert.deepEqual(looked, [folder, folder, 'D:\\link']);
  });
});

describe('a launch in the Linux of Windows beside a workspace that is not trusted', () => {
  const programs = {
    ...createNodePrograms(() => Promise.resolve({})),
    ...createPaths('linux'),
    home: '/home/me',
    realPath: (path: string) => Promise.resolve(path),
  };
  const start = (text: string, path: string) =>
    refuseWorkspaceParts(
      { type: 'stdio', command: '/mnt/c/node.exe', args: [text], env: {} },
      { isTrusted: false, folders: [{ uri: 'file:///ws', name: 'ws', path }] },
      programs,
    );

  for (const [text, workspace] of [
    ['C:\\code\\ws\\server.js', '/mnt/c/code/ws'],
    ['--import=c:/code/ws/server.js', '/mnt/c/code/ws'],
    ['cmd /c "cd C:\\\\code\\\\ws"', '/mnt/c/code/ws'],
    ['file:///C:/code/ws/server.js', '/mnt/c/code/ws'],
    ['\\\\wsl$\\Ubuntu\\home\\me\\ws\\server.js', '/home/me/ws'],
    ['\\\\wsl.localhost\\Ubuntu\\home\\me\\ws', '/home/me/ws'],
  ] as const)
    it(`does not start where an argument is ${text}`, async () => {
      await assert.rejects(start(text, workspace), UntrustedWorkspaceError);
      await start(text, `${workspace}2`);
    });
});
