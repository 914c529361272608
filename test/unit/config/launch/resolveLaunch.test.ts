import assert from 'node:assert/strict';
import {
  launchIdentity,
  launchLine,
  launchText,
  launchWarnings,
} from '../../../../src/config/launch/launch';
import {
  resolveLaunch,
  UntrustedWorkspaceError,
  type Surroundings,
} from '../../../../src/config/launch/resolveLaunch';
import { mergeReadings, type ConfiguredServer } from '../../../../src/config/mergeReadings';
import type { Reading } from '../../../../src/config/reading';
import { UserError } from '../../../../src/base/errors';
import { canonicalJson, type StdioServerConfig } from '../../../../src/mcp/serverConfig';

const web = { uri: 'file:///work/web', name: 'web', path: '/work/web' };
const twin = { uri: 'file:///other/web', name: 'web', path: '/other/web' };

const user = { scope: 'user', label: 'User Settings' } as const;
const ofFolder = (folder: typeof web) =>
  ({ scope: 'folder', label: 'web/.mcp.json', uri: `${folder.uri}/.mcp.json`, folder }) as const;

function configured(place: Partial<Reading>, value: unknown): ConfiguredServer {
  const entries = [{ name: 'demo', value }];
  const { servers } = mergeReadings([{ ...user, inputs: [], problems: [], entries, ...place }]);
  assert.ok(servers[0]);
  return servers[0];
}

function surroundings(parts: Partial<Surroundings> = {}): Surroundings {
  return {
    env: { REGION: 'eu', GITHUB_TOKEN: 'hush-env', TRICK: '${input:token}' },
    userHome: '/home/me',
    platform: 'linux',
    folders: [web],
    isTrusted: true,
    inheritance: 'safe',
    markKey: 'key',
    locate: ({ command, cwd = '' }) =>
      Promise.resolve(command.includes('/') ? `${cwd}/${command}` : `/usr/bin/${command}`),
    realPath: (path) => Promise.resolve(path.replace('/home/me/link', '/work/web')),
    readFile: (path) => Promise.reject(new Error(`no ${path}`)),
    ...parts,
  };
}

async function stdioOf(server: ConfiguredServer, parts: Partial<Surroundings> = {}) {
  const { launch } = await resolveLaunch(server, surroundings(parts));
  return launch.config as StdioServerConfig;
}

const identityOf = async (server: ConfiguredServer, parts: Partial<Surroundings> = {}) =>
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
      const readFile = () => Promise.resolve('');
      await resolveLaunch(server, surroundings({ ...here, readFile }));
    });

  it("of the user's own starts beside a workspace that is not trusted", async () => {
    const server = configured(user, { command: 'x', args: ['${REGION}'], envFile: '.env' });
    const readFile = (path: string) => Promise.resolve(`FROM=${path}`);
    const config = await stdioOf(server, { isTrusted: false, readFile });
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

  it('shows and binds what its file of variables holds', async () => {
    const server = configured(ofFolder(web), { command: 'x', envFile: '.env', env: { A: '1' } });
    const holding = (text: string) => ({ readFile: () => Promise.resolve(text) });
    const file = 'A=2\nNODE_OPTIONS=--require ./x.js\nAPI_TOKEN=hush-1\nMODE=debug';
    const { launch } = await resolveLaunch(server, surroundings(holding(file)));
    const text = launchText(launch);
    assert.match(
      text,
      /\/work\/web\/\.env\n +API_TOKEN \(hidden, mark [0-9a-f]{16}\)\n +MODE = debug\n +NODE_OPTIONS = --require \.\/x\.js\n/,
    );
    assert.match(text, /A = 1\n/);
    assert.doesNotMatch(text, /A = 2|hush/);
    assert.match(launchWarnings(launch.config).join('\n'), /NODE_OPTIONS/);
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
