import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseEnv } from 'node:util';
import { createPaths } from '../../../../src/mcp/node/nodePrograms';
import {
  launchIdentity,
  launchLine,
  launchText,
  launchWarnings,
} from '../../../../src/config/launch/launch';
import {
  UntrustedWorkspaceError,
  type LaunchSurroundings,
} from '../../../../src/config/launch/launchSurroundings';
import { createLaunches } from '../../../../src/config/launch/prepare';
import { resolveLaunch } from '../../../../src/config/launch/resolveLaunch';
import { readSurroundings } from '../../../../src/config/launch/surroundings';
import { mergeLayers, type LocatedDefinition } from '../../../../src/config/mergeLayers';
import type { ConfigLayer } from '../../../../src/config/configLayer';
import { UserError } from '../../../../src/base/errors';
import type { StdioServerConfig, Confinement } from '../../../../src/mcp/serverConfig';
import { canonicalJson } from '../../../../src/base/json';

const web = { uri: 'file:///work/web', name: 'web', path: '/work/web' };
const twin = { uri: 'file:///other/web', name: 'web', path: '/other/web' };

const user = { scope: 'user', label: 'User Settings' } as const;
const ofFolder = (folder: typeof web) =>
  ({ scope: 'folder', label: 'web/.mcp.json', uri: `${folder.uri}/.mcp.json`, folder }) as const;

function configured(place: Partial<ConfigLayer>, value: unknown): LocatedDefinition {
  const entries = [{ name: 'demo', value }];
  const { servers } = mergeLayers([{ ...user, inputs: [], problems: [], entries, ...place }]);
  assert.ok(servers[0]);
  return servers[0];
}

type Parts = Partial<LaunchSurroundings & NonNullable<LaunchSurroundings['programs']>>;

function surroundings(parts: Parts = {}): LaunchSurroundings {
  const {
    locate = ({ command, cwd = '' }) =>
      Promise.resolve(command.includes('/') ? `${cwd}/${command}` : `/usr/bin/${command}`),
    readVariables = (path) => Promise.reject(new Error(`no ${path}`)),
    confine = () => Promise.resolve(undefined),
    ...others
  } = parts;
  return {
    env: { REGION: 'eu', GITHUB_TOKEN: 'hush-env', TRICK: '${input:token}' },
    programs: {
      home: '/home/me',
      ...createPaths('linux'),
      locate,
      confine,
      inherited: () => Promise.resolve({}),
      realPath: (path) => Promise.resolve(path.replace('/home/me/link', '/work/web')),
      readVariables,
    },
    folders: [web],
    isTrusted: true,
    inheritance: 'safe',
    markKey: 'key',
    ...others,
  };
}

async function stdioOf(server: LocatedDefinition, parts: Parts = {}) {
  const { launch } = await resolveLaunch(server, surroundings(parts));
  return launch.config as StdioServerConfig;
}

const identityOf = async (server: LocatedDefinition, parts: Parts = {}) =>
  canonicalJson(launchIdentity((await resolveLaunch(server, surroundings(parts))).launch));

describe('the launch of a server', () => {
  for (const [title, place, value, cwd] of [
    ["of the user's settings is in the home folder", user, {}, '/home/me'],
    ["of the user's settings is where they say", user, { cwd: '/srv' }, '/srv'],
    [
      "of the user's settings may be in a trusted workspace",
      user,
      { cwd: '${workspaceFolder}' },
      '/work/web',
    ],
    ['of a folder is in that folder', ofFolder(twin), {}, '/other/web'],
    ['of the workspace is in its first folder', { scope: 'workspace' }, {}, '/work/web'],
  ] as const)
    it(title, async () => {
      const config = await stdioOf(configured(place, { command: 'x', ...value }), {
        folders: [web, twin],
      });
      assert.equal(config.cwd, cwd);
    });

  for (const [part, value] of [
    ['a variable among its arguments', { command: 'x', args: ['--root=${workspaceFolder}'] }],
    ['a variable in what it sets', { command: 'x', env: { A: '${workspaceFolderBasename}' } }],
    ['a variable in its address', { url: 'https://a/${workspaceFolder:web}' }],
    ['its working directory', { command: 'x', cwd: '/work/web/sub' }],
    ['its working directory through a link', { command: 'x', cwd: 'link/sub' }],
    ['its program', { command: '/work/web/x', cwd: '/' }],
    ['its file of variables', { command: 'x', envFile: '/work/web/.env' }],
  ] as const)
    it(`takes no part of a workspace that is not trusted: ${part}`, async () => {
      const server = configured(user, value);
      const here = { locate: ({ command }: StdioServerConfig) => Promise.resolve(command) };
      await assert.rejects(
        resolveLaunch(server, surroundings({ ...here, isTrusted: false })),
        UntrustedWorkspaceError,
      );
      const readVariables = () => Promise.resolve({});
      await resolveLaunch(server, surroundings({ ...here, readVariables }));
    });

  it("of the user's own starts beside a workspace that is not trusted", async () => {
    const server = configured(user, { command: 'x', args: ['${REGION}'], envFile: '.env' });
    const readVariables = (path: string) => Promise.resolve({ FROM: path });
    const config = await stdioOf(server, { isTrusted: false, readVariables });
    assert.deepEqual(config.env, { FROM: '/home/me/.env' });
    assert.equal(launchLine(config), '/usr/bin/x eu');
  });

  it('shows the file that the command is, and runs that file', async () => {
    const { launch, fill } = await resolveLaunch(
      configured(user, { command: 'x' }),
      surroundings(),
    );
    assert.equal(launchLine(launch.config), '/usr/bin/x');
    assert.deepEqual(await fill(() => assert.fail('no input')), launch.config);
  });

  it('is the shown one with inputs filled in, where nothing else that looks like one becomes one', async () => {
    const server = configured(user, {
      command: 'x',
      args: ['${input:token}', '${TRICK}', '-${input:a>b}-${input:token}'],
      env: { A: '${input:token}', B: null },
    });
    const { launch, fill } = await resolveLaunch(server, surroundings());
    assert.deepEqual((launch.config as StdioServerConfig).args, [
      '${input:token}',
      '${input:token}',
      '-${input:a>b}-${input:token}',
    ]);
    const config = (await fill((input) => Promise.resolve(`<${input}>`))) as StdioServerConfig;
    assert.deepEqual(config.args, ['<token>', '${input:token}', '-<a>b>-<token>']);
    assert.deepEqual(config.env, { A: '<token>', B: null });
  });

  it('is not whole before the inputs are given that decide what runs', async () => {
    const server = configured(user, { command: '${input:program}', cwd: '${input:dir}' });
    const first = await resolveLaunch(server, surroundings());
    assert.deepEqual(first.decisiveInputs, ['program', 'dir']);
    assert.equal(launchLine(first.launch.config), "'${input:program}'");
    const given = new Map([
      ['program', 'x'],
      ['dir', 'sub'],
    ]);
    const second = await resolveLaunch(server, surroundings(), given);
    assert.deepEqual(second.decisiveInputs, []);
    assert.equal(launchLine(second.launch.config), '/usr/bin/x');
    assert.equal((second.launch.config as StdioServerConfig).cwd, '/home/me/sub');
  });

  for (const [what, value, decisive] of [
    ['the host of its address', { url: 'https://${input:a}/mcp' }, 'a'],
    ['the scheme and the port', { url: '${input:a}://one.example:${input:b}/mcp' }, 'a b'],
    ['the whole beginning', { url: '${input:a}/mcp' }, 'a'],
    ['what follows the host without a slash', { url: 'https://one.example${input:a}' }, 'a'],
    ['a user name, which may end the host', { url: 'https://u:${input:a}@one.example/' }, 'a'],
    ['a host below a single slash', { url: 'https:/${input:a}/mcp' }, 'a'],
    ['a host below backslashes', { url: 'https:\\\\${input:a}\\mcp' }, 'a'],
    ['a host behind an empty line', { url: 'https:/\n/${input:a}/mcp' }, 'a'],
    ['no path or query', { url: 'https://one.example/${input:a}?b=${input:b}#${input:c}' }, ''],
    [
      'where a client secret goes',
      { url: 'https://one.example', oauth: { clientId: 'c', issuer: 'https://${input:a}' } },
      'a',
    ],
    ['no header', { url: 'https://one.example', headers: { A: 'Bearer ${input:a}' } }, ''],
    ['no argument of a program', { command: 'x', args: ['-c', '${input:a}'] }, ''],
    ['an argument of a shell', { command: 'bash', args: ['-c', 'x ${input:a}'] }, 'a'],
    ['an argument of a shell by its path', { command: '/bin/dash', args: ['${input:a}'] }, 'a'],
    ['a script of Windows', { command: 'CMD.EXE', args: ['/c', '${input:a}'] }, 'a'],
    ['what loads code', { command: 'x', env: { NODE_OPTIONS: '-r ${input:a}' } }, 'a'],
    ['where a password comes from', { command: 'x', env: { SSH_ASKPASS: '${input:a}' } }, 'a'],
    ['no other variable', { command: 'x', env: { TOKEN: '${input:a}', B: null } }, ''],
  ] as const)
    it(`waits for the inputs that decide what runs or where, which are of ${what}`, async () => {
      const { decisiveInputs } = await resolveLaunch(configured(user, value), surroundings());
      assert.equal(decisiveInputs.join(' '), decisive);
    });

  for (const [line, runner] of [
    ['ash -c x', 'ash'],
    ['csh -c x', 'csh'],
    ['tcsh -c x', 'tcsh'],
    ['fish -c x', 'fish'],
    ['nu -c x', 'nu'],
    ['pwsh -Command x', 'pwsh'],
    ['busybox sh -c x', 'sh'],
    ['env sh -c x', 'sh'],
    ['/usr/bin/env A=b -u C /bin/sh -c x', 'sh'],
    ['env -S x', 'env'],
    ['sudo -u me sh -c x', 'sh'],
    ['sudo -- env bash x', 'bash'],
    ['nice -n 10 sh -c x', 'sh'],
    ['nohup timeout 5s sh -c x', 'sh'],
    ['xargs -n 1 sh -c x', 'sh'],
    ['node -e x', 'node'],
    ['node --import y -p x', 'node'],
    ['node --eval=x', 'node'],
    ['node --import data:text/javascript,x', 'node'],
    ['env node -pe x', 'node'],
    ['python -c x', 'python'],
    ['python3.12 -W ignore -uc x', 'python3.12'],
    ['perl -ne x', 'perl'],
    ['ruby -e x', 'ruby'],
    ['deno eval x', 'deno'],
    ['bun -e x', 'bun'],
    ['php -r x', 'php'],
    ['npx -c x', 'npx'],
    ['npx -y -p server --call=x', 'npx'],
    ['npm exec -c x', 'npm'],
    ['pnpm -s dlx server -c x', ''],
    ['npm run server -c x', ''],
    ['uv run python -c x', 'python'],
    ['uv run --with server sh -c x', 'sh'],
    ['uv run server.py -c x', ''],
    ['npx tsx -e x', 'tsx'],
    ['npx -y -p tsx -- tsx -e x', 'tsx'],
    ['pnpm dlx tsx --eval x', 'tsx'],
    ['yarn exec node -e x', 'node'],
    ['poetry run python -c x', 'python'],
    ['conda run -n tools python -c x', 'python'],
    ['mise exec node@22 -- node -e x', 'node'],
    ['docker run -i --rm -v a:b image sh -c x', 'sh'],
    ['docker exec -i box node -e x', 'node'],
    ['ssh me@host sh -c x', 'sh'],
    ['poetry run server -c x', ''],
    ['npx -y tsx server.ts -e x', ''],
    ['yarn server -e x', ''],
    ['docker run -i image server -e x', ''],
    ['node server.js -e x', ''],
    ['node --no-warnings server.js -e x', ''],
    ['node --import=y server.js -p x', ''],
    ['python -m server -c x', ''],
    ['python server.py -c x', ''],
    ['deno run -A server.ts eval x', ''],
    ['env A=b node server.js --shell bash x', ''],
    ['npx -y server -c x', ''],
    ['uvx server --shell sh x', ''],
  ] as const)
    it(`${runner ? 'tells of a script in, and waits for its inputs,' : 'sees no script in'} ${line}`, async () => {
      const [command = '', ...args] = line.split(' ');
      const last = args.at(-1)?.replace('x', () => '${input:a}') ?? '';
      const asked = [...args.slice(0, -1), last];
      const value = { command, args: asked };
      const { decisiveInputs, launch } = await resolveLaunch(
        configured(user, value),
        surroundings(),
      );
      assert.deepEqual(decisiveInputs, runner ? ['a'] : []);
      const told = launchWarnings(launch).filter((one) => one.includes('as a script'));
      assert.deepEqual(
        told.map((one) => one.split(' ')[0]),
        runner ? [runner] : [],
      );
    });

  for (const [args, decisive] of [
    [['${input:a}', '${input:b}'], 'a'],
    [['A=${input:a}', 'node', 'server.js', '${input:b}'], ''],
    [['NODE_OPTIONS=${input:a}', 'node', '${input:b}'], 'a'],
    [['-u', 'A', '${input:a}'], 'a'],
  ] as const)
    it(`waits for what names the program behind another one: env ${args.join(' ')}`, async () => {
      const value = { command: 'env', args };
      const { decisiveInputs } = await resolveLaunch(configured(user, value), surroundings());
      assert.equal(decisiveInputs.join(' '), decisive);
    });

  it('looks at each of its arguments once or a few times, however many there are', async () => {
    for (const [command, args, count, decisive] of [
      ['sudo', ['y'], 20_000, []],
      ['sudo', ['-x'], 20_000, ['a']],
      ['sudo', ['-x', 'node'], 10_000, ['a']],
    ] as const) {
      const all = [...Array.from({ length: count }, () => args).flat(), '${input:a}'];
      const value = { command, args: all };
      const { decisiveInputs } = await resolveLaunch(configured(user, value), surroundings());
      assert.deepEqual([command, count, decisiveInputs], [command, count, decisive]);
    }
  }).timeout(10_000);

  it('shows what decides filled in, also where the program turns out to be a shell', async () => {
    const server = configured(user, { command: '${input:program}', args: ['-c', '${input:a}'] });
    const given = new Map([['program', 'bash']]);
    const second = await resolveLaunch(server, surroundings(), given);
    assert.deepEqual(second.decisiveInputs, ['a']);
    const third = await resolveLaunch(server, surroundings(), given.set('a', 'evil'));
    assert.equal(launchLine(third.launch.config), '/usr/bin/bash -c evil');
  });

  it('shows and binds what its file of variables holds', async () => {
    const server = configured(ofFolder(web), { command: 'x', envFile: '.env', env: { A: '1' } });
    const holding = (text: string) => ({
      readVariables: () => Promise.resolve(parseEnv(text) as Record<string, string>),
    });
    const file = 'A=2\nNODE_OPTIONS=--require ./x.js\nAPI_TOKEN=hush-1\nMODE=debug';
    const { launch } = await resolveLaunch(server, surroundings(holding(file)));
    const text = launchText(launch);
    assert.match(
      text,
      /\/work\/web\/\.env\n +API_TOKEN \(hidden, mark [0-9a-f]{16}\)\n +MODE = debug\n +NODE_OPTIONS = --require \.\/x\.js\n/,
    );
    assert.match(text, /A = 1\n/);
    assert.doesNotMatch(text, /A = 2|hush/);
    assert.match(launchWarnings(launch).join('\n'), /NODE_OPTIONS/);
    const identities = await Promise.all(
      [file, file.replace('hush-1', 'hush-2'), file.replace('debug', 'off')].map((content) =>
        identityOf(server, holding(content)),
      ),
    );
    assert.equal(new Set(identities).size, 3);
  });

  it('fails with a sentence when its file of variables cannot be read', async () => {
    const server = configured(user, { command: 'x', envFile: 'gone' });
    await assert.rejects(resolveLaunch(server, surroundings()), (error) => {
      assert.ok(error instanceof UserError);
      return /environment variables cannot be read: no \/home\/me\/gone/.test(error.message);
    });
  });

  it('is another one in another place, however alike its name and its text', async () => {
    const value = { command: 'x', args: ['a'], cwd: '/srv' };
    const folders = { folders: [web, twin] };
    const places = [
      user,
      ofFolder(web),
      ofFolder(twin),
      { scope: 'folder', label: 'Folder Settings of web', folder: web },
      { scope: 'folder', label: 'Folder Settings of web', folder: twin },
      { scope: 'workspace', label: 'Workspace Settings', workspace: web.uri },
      { scope: 'workspace', label: 'Workspace Settings', workspace: twin.uri },
    ] as const;
    const identities = await Promise.all(
      places.map((place) => identityOf(configured(place, value), folders)),
    );
    assert.equal(new Set(identities).size, places.length);
  });

  it('is another one when a variable stands for something else', async () => {
    const server = configured(user, { command: 'x', args: ['${workspaceFolder}', '${REGION}'] });
    assert.notEqual(await identityOf(server), await identityOf(server, { folders: [twin] }));
    assert.notEqual(await identityOf(server), await identityOf(server, { env: { REGION: 'us' } }));
  });
});

describe('the sandbox of a launch', () => {
  const sandbox = {
    filesystem: { allowWrite: ['${workspaceFolder}/out', '${input:place}'], denyRead: ['~/.ssh'] },
  };
  const server = configured(ofFolder(web), { command: 'node', sandboxEnabled: true, sandbox });
  const asWanted = ({ sandbox: rules }: StdioServerConfig): Promise<Confinement> =>
    Promise.resolve({
      tool: 'bwrap',
      program: '/usr/bin/bwrap',
      writable: rules?.allowWrite ?? [],
      readOnly: [],
      hidden: rules?.denyRead ?? [],
      hasNetwork: false,
      letsCreate: false,
      unkept: [],
    });

  it('is planned with what its variables stand for, an input shown as one', async () => {
    const { confinement } = await stdioOf(server, { confine: asWanted });
    assert.deepEqual(confinement?.writable, ['/work/web/out', '${input:place}']);
    assert.deepEqual(confinement.hidden, ['~/.ssh']);
  });

  it('is another launch where the machine cannot confine it', async () => {
    const confined = await identityOf(server, { confine: asWanted });
    assert.equal(await identityOf(server, { confine: asWanted }), confined);
    assert.notEqual(await identityOf(server), confined);
  });

  it('waits for the inputs that decide on it', async () => {
    const { decisiveInputs } = await resolveLaunch(server, surroundings({ confine: asWanted }));
    assert.deepEqual(decisiveInputs, ['place']);
  });
});

describe('the surroundings of a launch', () => {
  const { workspaceFolders } = vscode.workspace;
  after(() => void Object.assign(vscode.workspace, { workspaceFolders }));

  it('have the drive of a folder as Windows itself writes it', () => {
    const uri = { fsPath: 'c:\\work\\app', toString: () => 'file:///c%3A/work/app' };
    Object.assign(vscode.workspace, { workspaceFolders: [{ name: 'app', index: 0, uri }] });
    assert.deepEqual(readSurroundings({ env: {}, programs: undefined }, '').folders, [
      { name: 'app', path: 'C:\\work\\app', uri: 'file:///c%3A/work/app' },
    ]);
  });
});

describe('What decisions about a server are bound to', () => {
  const fingerprintOf = (server: LocatedDefinition, parts: Parts) =>
    createLaunches({
      configuration: { get: () => server },
      trust: { refusal: () => undefined },
      surroundings: () => surroundings(parts),
    } as unknown as Parameters<typeof createLaunches>[0]).launchFingerprint(server.definition);
  const entry = { command: 'node', args: ['main.js'], envFile: '.env' };

  it('is of the reading of its files that is started, where they change back and forth', async () => {
    const server = configured(user, {
      command: 'node',
      envFile: '.env',
      env: { NODE_OPTIONS: '${input:how}', KEY: '${input:key}' },
      sandboxEnabled: true,
    });
    let reads = 0;
    const flipping: Parts = {
      // Each answer of the machine is another one than the one before.
      readVariables: async () => ({ MODE: `${(reads += 1)}` }),
      locate: async () => `/bin/${(reads += 1)}/node`,
      confine: async () => ({
        tool: 'bwrap',
        program: `/bin/${(reads += 1)}/bwrap`,
        writable: [],
        readOnly: [],
        hidden: [],
        hasNetwork: false,
        letsCreate: false,
        unkept: [],
      }),
    };
    const launches = createLaunches({
      configuration: { get: () => server },
      inputs: { read: async (_server: unknown, input: string) => `value of ${input}` },
      trust: { refusal: () => undefined, check: async () => undefined },
      logs: { hide: () => {} },
      surroundings: () => surroundings(flipping),
    } as unknown as Parameters<typeof createLaunches>[0]);
    const prepared = await launches.prepareAnyway(
      server.definition,
      new AbortController().signal,
      (answer) => answer,
    );
    assert.ok('config' in prepared && prepared.config.type === 'stdio');
    const { command, confinement, env } = prepared.config as StdioServerConfig;
    assert.equal(env['NODE_OPTIONS'], 'value of how');
    const started = {
      readVariables: async () => ({ MODE: env['MODE'] ?? '' }),
      locate: async () => command,
      confine: async () => confinement,
    };
    assert.equal(prepared.launchFingerprint, await fingerprintOf(server, started));
  });

  for (const [what, parts] of [
    ['can be launched', { readVariables: () => Promise.resolve({}) }],
    ['cannot be launched any more, such as while it runs', {}],
  ] as const)
    it(`is its place, too, where it ${what}`, async () => {
      const here = configured(ofFolder(web), entry);
      const elsewhere = configured(ofFolder(twin), entry);
      const all = { ...parts, folders: [web, twin] };
      const one = await fingerprintOf(here, all);
      assert.equal(await fingerprintOf(configured(ofFolder(web), entry), all), one);
      assert.notEqual(await fingerprintOf(elsewhere, all), one);
      assert.equal(here.definition.id, elsewhere.definition.id);
    });
});
