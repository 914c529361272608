import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openServer } from '../../../../../cli/launch';
import { SecretMask } from '../../../../../src/base/secretMask';
import { silentLogger } from '../../../../../src/base/log';
import { inEnglish } from '../../../../../src/base/translate';
import { processKind, readSandbox } from '../../../../../src/mcp/launch/processKind';
import { agentSocketFolder } from '../../../../../src/mcp/node/system';
import { createNodePrograms } from '../../../../../src/mcp/node/nodePrograms';
import { createNodeTransports } from '../../../../../src/mcp/node/nodeTransports';
import { isOutdated } from '../../../../../src/mcp/node/sandbox/bubblewrap';
import {
  confinedCommand,
  findServices,
  maxHiddenServices,
  withoutServices,
} from '../../../../../src/mcp/node/sandbox/confinedCommand';
import {
  type SandboxTool,
  findSandboxTool,
  planConfinement,
} from '../../../../../src/mcp/node/sandbox/planConfinement';
import { seatbeltProfile } from '../../../../../src/mcp/node/sandbox/seatbelt';
import { kindOf } from '../../../../../src/mcp/launch/launchKinds';
import { type StdioServerConfig, defaultLimits } from '../../../../../src/mcp/serverConfig';
import { ConfiguredServer } from '../../../../../src/mcp/configuredServer';
import type { ReadyDebuggerFor } from '../../../../../src/mcp/transport/serverTransport';
import { define, testDeps } from '../../testServers';

const source = { label: '' };
const seatbelt: SandboxTool = { tool: 'sandbox-exec', program: '/usr/bin/sandbox-exec' };
const bwrap: SandboxTool = { tool: 'bwrap', program: '/usr/bin/bwrap' };

function wanting(sandbox: object, more: Partial<StdioServerConfig> = {}): StdioServerConfig {
  const rules = readSandbox({ sandboxEnabled: true, sandbox });
  assert.ok(rules);
  return { type: 'stdio', command: 'node', args: [], env: {}, sandbox: rules, ...more };
}

describe('the plan of a sandbox', function () {
  let root: string;
  let home: string;
  let work: string;
  before(async function () {
    if (process.platform === 'win32') return this.skip();
    root = await realpath(await mkdtemp('/var/tmp/mcp-workbench-plan-'));
    home = join(root, 'home');
    work = join(home, 'work');
    await mkdir(join(work, 'real'), { recursive: true });
    await symlink(join(work, 'real'), join(work, 'link'));
  });
  after(() => (root ? rm(root, { recursive: true, force: true }) : undefined));

  const plan = (config: StdioServerConfig, tool = bwrap) => planConfinement(config, tool, home);

  it('lets a process write in its folder, and reach no network', async () => {
    const found = await plan(wanting({}, { cwd: work }));
    assert.deepEqual(found?.writable, [work]);
    assert.equal(found.hasNetwork, false);
    assert.deepEqual([found.hidden, found.unkept], [[], []]);
    assert.deepEqual(found.readOnly, []);
  });

  it('says that what does not exist yet can be created on Linux, whether it exists or not', async () => {
    const filesystem = { denyWrite: ['kept'] };
    const config = wanting({ filesystem }, { cwd: work });
    const without = await plan(config);
    await mkdir(join(work, '.vscode'));
    await mkdir(join(work, 'kept'));
    assert.deepEqual(await plan(config), without);
    const all: readonly [StdioServerConfig, SandboxTool, boolean, string][] = [
      [config, bwrap, true, 'part'],
      [wanting({ filesystem }, { cwd: home }), bwrap, false, 'whole'],
      [config, seatbelt, false, 'whole'],
    ];
    for (const [wanted, tool, letsCreate, level] of all) {
      const confinement = await plan(wanted, tool);
      assert.ok(confinement);
      assert.equal(confinement.letsCreate, letsCreate);
      assert.equal(processKind.confinement({ ...wanted, confinement }), level);
    }
  });

  it('does not let one write in the home folder because it runs there', async () => {
    for (const cwd of [home, root, '/'])
      assert.deepEqual((await plan(wanting({}, { cwd })))?.writable, []);
  });

  it('lets npx write where it unpacks packages', async () => {
    const found = await plan(wanting({}, { command: '/usr/bin/npx', cwd: work }));
    assert.deepEqual(found?.writable, [work, join(home, '.npm')]);
  });

  it('takes paths as they are meant, with no link on them', async () => {
    const filesystem = {
      allowWrite: ['link', '~/out', '/srv/x', 'link'],
      denyWrite: ['link/a'],
      denyRead: ['~/.ssh', '~'],
    };
    const found = await plan(wanting({ filesystem }, { cwd: work }));
    assert.deepEqual(found?.writable, [work, join(work, 'real'), join(home, 'out'), '/srv/x']);
    assert.equal(found.readOnly[0], join(work, 'real', 'a'));
    assert.deepEqual(found.hidden, [join(home, '.ssh'), home]);
  });

  for (const [title, sandbox, hasNetwork, unkept] of [
    ['no site', { network: { allowedDomains: [] } }, false, []],
    ['no site but those that are denied', { network: { deniedDomains: ['a.b'] } }, false, []],
    ['every site', { network: { allowedDomains: ['*'] } }, true, []],
    [
      'some sites',
      { network: { allowedDomains: ['a.b', '*.c.d'] } },
      true,
      ['network.allowedDomains: a.b, *.c.d'],
    ],
    [
      'every site but one',
      { network: { allowedDomains: ['*'], deniedDomains: ['a.b'] } },
      true,
      ['network.deniedDomains: a.b'],
    ],
    [
      'patterns of paths',
      { filesystem: { denyRead: ['**/.env'], allowWrite: ['*.log'] } },
      false,
      ['filesystem.allowWrite: *.log', 'filesystem.denyRead: **/.env'],
    ],
    ['what nobody knows', { limits: { memory: 1 } }, false, ['limits']],
  ] as const)
    it(`says what of it cannot be kept: ${title}`, async () => {
      const found = await plan(wanting(sandbox, { cwd: work }));
      assert.deepEqual([found?.hasNetwork, found?.unkept], [hasNetwork, unkept]);
    });

  it('goes with a server that another client starts', async () => {
    const config = wanting({}, { cwd: work, command: '/usr/bin/node', args: ['x.js'] });
    const confinement = await plan(config);
    assert.ok(confinement);
    const programs = createNodePrograms(() => Promise.resolve({}));
    const start = async (prepared: StdioServerConfig) => {
      const given = await kindOf(prepared).handOver(prepared, programs, inEnglish);
      return [given.command, ...given.args];
    };
    const line = await start({ ...config, confinement });
    assert.equal(line[0], bwrap.program);
    assert.deepEqual(line.slice(-3), ['--', '/usr/bin/node', 'x.js']);
    assert.deepEqual(await start(config), ['/usr/bin/node', 'x.js']);
  });

  it('is none where none is wanted', async () =>
    assert.equal(await plan({ type: 'stdio', command: 'a', args: [], env: {} }), undefined));

  it('becomes a profile of sandbox-exec, whose last rule counts', async () => {
    const filesystem = { allowWrite: ['/srv/a"b'], denyWrite: ['/srv/c'], denyRead: ['/srv/d'] };
    const config = wanting({ filesystem });
    const confinement = await plan(config, seatbelt);
    assert.ok(confinement);
    const { command, args } = await confinedCommand(
      '/bin/node',
      {
        ...config,
        args: ['x.js'],
        confinement,
      },
      {},
      {},
    );
    assert.equal(command, '/usr/bin/sandbox-exec');
    assert.deepEqual([args[0], ...args.slice(2)], ['-p', '/bin/node', 'x.js']);
    const lines = (args[1] ?? '').split('\n');
    assert.deepEqual(lines.slice(0, 2), ['(version 1)', '(allow default)']);
    const order = [
      '(deny file-write*)',
      String.raw`(allow file-write* (subpath "/srv/a\"b"))`,
      '(deny file-write* (subpath "/srv/c"))',
      '(deny file-read* (subpath "/srv/d"))',
      '(deny file-write* (subpath "/srv/d"))',
      '(deny network-outbound (regex "^/.*/mcp-workbench-agents-[^/]+(/s)?$"))',
      '(deny file-write-unlink (regex "^/.*/mcp-workbench-agents-[^/]+(/s)?$"))',
      '(deny network*)',
    ].map((line) => lines.indexOf(line));
    assert.ok(
      order.every((at, index) => at > (order[index - 1] ?? 0)),
      lines.join('\n'),
    );
    const guarded = { whole: [], links: [], parents: [], missing: [], isCut: false };
    const none = { guarded, services: [] };
    const open = seatbeltProfile({ ...confinement, hasNetwork: true }, none);
    assert.ok(!open.includes('(deny network*)'));
  });
});

describe('a machine that cannot confine processes', () => {
  for (const system of ['win32', 'freebsd'] as const)
    it(`has no sandbox: ${system}`, async () => {
      assert.equal(await findSandboxTool(system), undefined);
      const programs = createNodePrograms(() => Promise.resolve({}), system);
      assert.equal(await programs.confine(wanting({})), undefined);
    });
});

describe('a program that a diagnosis asks for its version', () => {
  it('is in a session of its own, without the terminal of the editor', async function () {
    if (process.platform !== 'linux') this.skip();
    const bin = await mkdtemp(join(tmpdir(), 'mcp-workbench-version-'));
    const tells = '#!/bin/sh\nread -r _ _ _ _ _ session _ < /proc/$$/stat; echo $session\n';
    await writeFile(join(bin, 'node'), tells, { mode: 0o755 });
    const programs = createNodePrograms(() => Promise.resolve({ PATH: bin }));
    const config = { type: 'stdio', command: 'node', args: [], env: {} } as const;
    const findings = await programs.check(config, inEnglish);
    const [, session] = findings.flatMap(({ title }) => /^node (\d+)$/.exec(title) ?? []);
    const own = (await readFile('/proc/self/stat', 'utf8')).split(') ')[1]?.split(' ')[3];
    assert.ok(session && session !== own, JSON.stringify(findings));
    await rm(bin, { recursive: true });
  });
});

describe('what a sandbox hides, and has gone when it is set up,', function () {
  this.timeout(30_000);
  let root = '';
  before(function () {
    // In place of bubblewrap stands a script for the shell.
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-outdated-')));
    await writeFile(join(root, 'server.js'), server);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  /** A server in a sandbox that fails to be set up so many times, as bubblewrap does, and counts how often it was tried. */
  const confinedBy = async (fails: number, says: string): Promise<StdioServerConfig> => {
    const program = join(root, 'bwrap');
    const lines = [
      '#!/bin/sh',
      `echo >> '${join(root, 'tries')}'`,
      `if [ "$(wc -l < '${join(root, 'tries')}')" -le ${fails} ]; then echo "${says}" >&2; exit 1; fi`,
      'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
    ];
    await writeFile(program, lines.join('\n'), { mode: 0o755 });
    const confinement = {
      tool: 'bwrap',
      program,
      writable: [],
      readOnly: [],
      hidden: [],
      hasNetwork: true,
      letsCreate: false,
      unkept: [],
    } as const;
    const command = process.execPath;
    return { ...wanting({}, { command, cwd: root, args: ['server.js'] }), confinement };
  };
  const tries = async () => (await readFile(join(root, 'tries'), 'utf8')).length;
  const gone = "bwrap: Can't create file at /home/u/agent.sock: Read-only file system";

  for (const [what, fails, says, isStarted, tried] of [
    ['is looked for once more', 1, gone, true, 2],
    ['ends the start where it goes on like that', 2, gone, false, 2],
    ['is not what a missing program is', 1, 'bwrap: execvp node: No such file', false, 1],
    ['is not what a server says as it ends', 1, 'Error: bwrap: no', false, 1],
  ] as const)
    it(`${what}: the server starts, or says why not`, async () => {
      const config = await confinedBy(fails, says);
      const { signal } = new AbortController();
      const opening = openServer(
        { name: 's', config, limits: defaultLimits },
        { verbose: false, secrets: new SecretMask(), signal },
      );
      if (isStarted) await (await opening).end();
      else await assert.rejects(opening, ({ message }: Error) => message.includes(says));
      assert.equal(await tries(), tried);
    });

  it('is looked for once more with a debugger, which is made ready again', async () => {
    const config = { ...(await confinedBy(1, gone)), debug: 'node' } as const;
    const seen: string[] = [];
    const debuggerFor: ReadyDebuggerFor = () => {
      seen.push('ready');
      return Promise.resolve({
        // What waits is let go by no debugger here: the one that is tried again starts without.
        attach: () => Promise.resolve(seen.push('attach') < 3),
        detach: () => void seen.push('detach'),
      });
    };
    const connected = new ConfiguredServer(define(config), testDeps({ debuggerFor }));
    assert.deepEqual(await connected.start(), { kind: 'running' });
    await connected.stop();
    const asked = seen.filter((one) => one !== 'detach');
    assert.deepEqual(asked, ['ready', 'attach', 'ready', 'attach']);
    assert.equal(seen.at(-1), 'detach');
    assert.equal(await tries(), 3);
  });

  it('is looked for once more by a diagnosis, too', async () => {
    const config = { ...(await confinedBy(1, gone)), command: 'node' };
    const programs = createNodePrograms(() => Promise.resolve({ PATH: dirname(process.execPath) }));
    const findings = await programs.check(config, inEnglish);
    assert.ok(
      findings.some(({ title }) => title.startsWith('node v')),
      JSON.stringify(findings),
    );
    assert.equal(await tries(), 2);
  });
});

describe('the folder for temporary files of a sandbox', () => {
  let root: string;
  before(async function () {
    if (process.platform !== 'linux') return this.skip();
    root = await mkdtemp('/tmp/mcp-workbench-links-');
    await symlink('/var', `${root}-out`);
    await symlink(`${root}-out`, `${root}-twice`);
    await symlink('mcp-workbench-none/../..', `${root}-up`);
    await symlink(`${root}-self`, `${root}-self`);
  });
  after(async () => {
    if (root)
      for (const name of ['', '-out', '-twice', '-up', '-self'])
        await rm(root + name, { recursive: true, force: true });
  });

  for (const [what, name, expected] of [
    ['a folder', '', ['--ro-bind-try ']],
    ['a link out of it', '-out', ['--symlink -out']],
    ['a link to a link', '-twice', ['--symlink -out', '--symlink -twice']],
    ['a link that leads up', '-up', ['--symlink -up']],
    ['a link to itself', '-self', ['--symlink -self']],
  ] as const)
    it(`has nothing past what is hidden, where the command line names ${what}`, async () => {
      const confinement = await planConfinement(wanting({}), bwrap, '/home/nobody');
      assert.ok(confinement);
      const named = { ...wanting({}, { args: [`${root}${name}/x.js`] }), confinement };
      const { args } = await confinedCommand('/bin/node', named, {}, {});
      const mounts = args.flatMap((arg, at) => {
        const isOurs = arg.startsWith(root) && /^--\w/.test(args[at - 2] ?? '');
        return isOurs ? [`${args[at - 2]} ${arg.slice(root.length)}`] : [];
      });
      assert.deepEqual(mounts.toSorted(), expected);
    });
});

describe('a process in a sandbox', function () {
  this.timeout(30_000);
  let tool: SandboxTool | undefined;
  let root: string;
  let work: string;
  let secret: string;

  before(async function () {
    tool = await findSandboxTool(process.platform);
    // Many containers do not allow namespaces to be created.
    if (tool?.tool !== 'bwrap') return this.skip();
    root = await realpath(await mkdtemp('/var/tmp/mcp-workbench-sandbox-'));
    work = join(root, 'work');
    secret = join(root, 'secret');
    await mkdir(join(work, '.git/hooks'), { recursive: true });
    await mkdir(join(root, 'other'));
    await mkdir(secret);
    await writeFile(join(secret, 'key'), 'hush');
    await writeFile(join(root, 'token'), 'hush');
    await writeFile(join(work, 'server.js'), server);
  });
  after(() => (root ? rm(root, { recursive: true, force: true }) : undefined));

  /** Runs JavaScript in the sandbox and returns its output. */
  const run = async (
    code: string,
    sandbox: object = {},
    env: Record<string, string> = {},
    own: Record<string, string> = { HOME: '/nowhere' },
    isFirst = true,
  ): Promise<string> => {
    assert.ok(tool);
    const config = wanting(sandbox, { cwd: work, args: ['-e', code] });
    const confinement = await planConfinement(config, tool, '/home/nobody');
    assert.ok(confinement);
    const { env: given, ...line } = await confinedCommand(
      process.execPath,
      { ...config, confinement },
      env,
      own,
    );
    const child = spawn(line.command, [...line.args], {
      cwd: work,
      env: given,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(child, 'close');
    // A socket that another program had for a moment is gone: as the product does, it is looked for again, once.
    if (isFirst && isOutdated(said)) return run(code, sandbox, env, own, false);
    assert.ok(!isOutdated(said), said);
    return text.trim();
  };
  const attempt = (code: string, sandbox?: object) =>
    run(
      `Promise.resolve().then(() => ${code}).then((r) => console.log('done', r ?? ''), (e) => console.log(e.code))`,
      sandbox,
    );
  const open = { network: { allowedDomains: ['*'] } };
  const write = (path: string) => `require('fs').writeFileSync(${JSON.stringify(path)}, 'x')`;
  const read = (path: string) => `require('fs').readFileSync(${JSON.stringify(path)}, 'utf8')`;

  it('writes in its folder and in one of its own for temporary files', async () => {
    assert.equal(await attempt(write(join(work, 'a'))), 'done');
    assert.equal(await readFile(join(work, 'a'), 'utf8'), 'x');
    const name = `mcp-workbench-${process.pid}`;
    assert.equal(await attempt(write(`/tmp/${name}`)), 'done');
    assert.ok(!existsSync(`/tmp/${name}`), 'That of the machine is another.');
  });

  it('writes nowhere else, but where it is allowed to', async () => {
    const other = join(root, 'other', 'a');
    assert.equal(await attempt(write(other)), 'EROFS');
    assert.ok(!existsSync(other));
    const filesystem = { allowWrite: ['../other'], denyWrite: ['../other/b'] };
    assert.equal(await attempt(write(other), { filesystem }), 'done');
    await writeFile(join(root, 'other', 'b'), 'kept');
    assert.equal(await attempt(write(join(root, 'other', 'b')), { filesystem }), 'EROFS');
  });

  it('changes nothing in its folder that others run', async () =>
    assert.equal(await attempt(write(join(work, '.git/hooks/pre-commit'))), 'EROFS'));

  it('reads all but what it is denied, whoever it is', async () => {
    assert.equal(await attempt(read(join(secret, 'key'))), 'done hush');
    const filesystem = { denyRead: ['../secret', '../token', '../missing'] };
    assert.equal(await attempt(read(join(secret, 'key')), { filesystem }), 'ENOENT');
    assert.equal(await attempt(write(join(secret, 'key')), { filesystem }), 'EROFS');
    // Some systems open a device in its place, which is empty, and some do not.
    assert.match(await attempt(read(join(root, 'token')), { filesystem }), /^(?:EACCES|done)$/);
    assert.equal(await attempt(read(join(root, 'other', 'a')), { filesystem }), 'done x');
  });

  it('reaches the network only where it may', async () => {
    const listener = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    try {
      const { port } = listener.address() as AddressInfo;
      const connect = `new Promise((yes, no) => require('net').connect(${port}, '127.0.0.1').on('data', (d) => yes(String(d))).on('error', no))`;
      assert.equal(await attempt(connect), 'ECONNREFUSED');
      assert.equal(await attempt(connect, { network: { allowedDomains: ['*'] } }), 'done hello');
    } finally {
      listener.close();
    }
  });

  describe('and the services of the machine', () => {
    const servers: Server[] = [];
    const listenAt = async (path: string) => {
      await mkdir(dirname(path), { recursive: true });
      const listening = createServer((socket) => socket.end('hello')).listen(path);
      servers.push(listening);
      await once(listening, 'listening');
    };
    afterEach(() => {
      for (const one of servers.splice(0)) one.close();
    });
    const connecting = (path: string) =>
      `new Promise((yes, no) => require('net').connect(${JSON.stringify(path)}).on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code)))`;

    for (const path of [
      '.docker/run/docker.sock',
      '.docker/desktop/docker.sock',
      '.colima/default/docker.sock',
      '.ssh/agent/s.1',
      '.gnupg/S.gpg-agent',
      '.gnupg/S.gpg-agent.ssh',
      '.1password/agent.sock',
      '.local/share/containers/podman/machine/p.sock',
      // What nobody knows of, such as an editor's own socket or an agent in its snap.
      '.config/Code/1.99-main.sock',
      'snap/agent/current/.agent.sock',
      '.gnupg/other/S.gpg-agent',
    ])
      it(`does not reach ${path}, whether it may use the network or not`, async () => {
        await listenAt(join(root, 'home', path));
        const own = { HOME: join(root, 'home') };
        for (const rules of [{}, open])
          assert.match(
            await run(connecting(join(root, 'home', path)), rules, {}, own),
            /^(?:ENOENT|ECONNREFUSED|EACCES|ENOTSOCK)$/,
          );
      });

    for (const [name, before, after] of [
      ['SSH_AUTH_SOCK', '', ''],
      ['DOCKER_HOST', 'unix://', ''],
      ['CONTAINER_HOST', 'unix://', ''],
      ['DBUS_SESSION_BUS_ADDRESS', 'unix:path=', ',guid=1'],
      ['TMUX', '', ',1,0'],
      ['VSCODE_IPC_HOOK_CLI', '', ''],
      ['VSCODE_GIT_IPC_HANDLE', '', ''],
      ['WAYLAND_DISPLAY', '', ''],
      ['PULSE_SERVER', 'unix:', ''],
      ['KITTY_LISTEN_ON', 'unix:', ''],
      ['ALACRITTY_SOCKET', '', ''],
      ['WAYFIRE_SOCKET', '', ''],
      ['YDOTOOL_SOCKET', '', ''],
      ['NVIM', '', ''],
      ['SESSION_MANAGER', 'local/here:@/tmp/x,unix/here:', ''],
    ] as const)
      it(`does not reach what ${name} names, nor get to know it`, async () => {
        const path = join(root, `custom-${name}.sock`);
        await listenAt(path);
        const own = { [name]: `${before}${path}${after}` };
        const code = `console.log(process.env.${name}); ${connecting(path)}`;
        assert.match(
          await run(code, open, own, own),
          /^undefined\n(?:ECONNREFUSED|EACCES|ENOTSOCK)$/,
        );
      });

    it('does not reach an agent for keys in the folder that GNUPGHOME names, which is not hidden', async () => {
      const keys = join(root, 'keys');
      const path = join(keys, 'S.gpg-agent');
      await listenAt(path);
      await writeFile(join(keys, 'pubring'), 'public');
      const own = { GNUPGHOME: keys };
      assert.match(
        await run(connecting(path), open, {}, own),
        /^(?:ECONNREFUSED|EACCES|ENOTSOCK)$/,
      );
      const shown = `console.log(require('fs').readFileSync('${join(keys, 'pubring')}', 'utf8'))`;
      assert.equal(await run(shown, open, {}, own), 'public');
    });

    it('finds what agents reach a window by, also in what a server with the network may write', async () => {
      const folder = await mkdtemp(join(root, agentSocketFolder));
      const paths = [join(folder, 's'), join(root, 'own', 's')];
      for (const path of paths) await listenAt(path);
      const found = await findServices({ hasNetwork: true, writable: [root] }, { HOME: work });
      assert.deepEqual(
        found.filter((path) => paths.includes(path)),
        paths.slice(0, 1),
      );
    });

    it('does not reach a container engine in the folder for temporary files, which it may write', async () => {
      const path = join(root, 'tmp', 'podman', 'podman-machine-default-api.sock');
      await listenAt(path);
      const own = { TMPDIR: join(root, 'tmp') };
      const found = await findServices({ hasNetwork: true, writable: [own.TMPDIR] }, own);
      assert.ok(found.includes(dirname(path)));
    });

    it('reaches what it may write, also where its user is at home', async () => {
      const path = join(work, 'own.sock');
      await listenAt(path);
      assert.equal(await run(connecting(path), open, {}, { HOME: root }), 'hello');
    });

    it('reads no key to the windows of the user', async () => {
      const path = join(root, 'home', '.Xauthority');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, 'cookie');
      const shown = `try { console.log(require('fs').readFileSync('${path}', 'utf8')) } catch (e) { console.log('') }`;
      assert.equal(await run(shown, open, {}, { HOME: join(root, 'home') }), '');
    });

    it('reaches another one only where it may use the network', async () => {
      const path = join(root, 'other', 'service.sock');
      await listenAt(path);
      assert.match(await run(connecting(path)), /^(?:ECONNREFUSED|EACCES|ENOTSOCK)$/);
      assert.equal(await run(connecting(path), open), 'hello');
    });

    it('starts where a socket that it hides has gone meanwhile', async () => {
      assert.ok(tool);
      const path = join(root, 'home', '.config', 'agent.sock');
      await listenAt(path);
      const config = wanting(open, { command: process.execPath, cwd: work, args: ['server.js'] });
      const confinement = await planConfinement(config, tool, '/home/nobody');
      assert.ok(confinement);
      const environment = () => Promise.resolve({ HOME: join(root, 'home') });
      const ways = await createNodeTransports(undefined, { environment })(
        { ...config, confinement },
        {
          definition: { id: 's', name: 's', config, limits: defaultLimits, source },
          log: silentLogger,
          maxMessageBytes: 1_000_000,
        },
      );
      const [listening] = servers.splice(0);
      listening?.close();
      assert.ok(listening && !existsSync(path));
      const first = ways[0]?.();
      assert.ok(first);
      const ended = new Promise<void>((resolve) => (first.channel.onclose = resolve));
      await first.channel.start();
      await ended;
      assert.match(first.stderrTail ?? '', /^bwrap: /);
      const second = await first.again?.();
      assert.ok(second);
      const heard = new Promise((resolve) => (second.channel.onmessage = resolve));
      await second.channel.start();
      await second.channel.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
      assert.deepEqual(await heard, { jsonrpc: '2.0', id: 1, result: {} });
      await second.close();
    });

    it('keeps a variable that its configuration sets', () => {
      const env = { DOCKER_HOST: 'tcp://x', SSH_AUTH_SOCK: '/y', PATH: '/bin' };
      assert.deepEqual(withoutServices(env, { DOCKER_HOST: 'tcp://x' }), {
        DOCKER_HOST: 'tcp://x',
        PATH: '/bin',
      });
    });

    it('hides no folder that a variable names but what runs needs, and so many services at most', async () => {
      const plan = { hasNetwork: true, writable: [join(root, 'work')] };
      const own = { HOME: join(root, 'home'), XDG_RUNTIME_DIR: root };
      assert.ok(!(await findServices(plan, own)).includes(root));
      assert.equal(maxHiddenServices, 300);
      for (let index = 0; index < maxHiddenServices + 5; index += 1)
        await listenAt(join(root, 'many', String(index)));
      const found = await findServices({ ...plan, hasNetwork: false }, own);
      assert.equal(found.length, maxHiddenServices);
    });
  });

  it('is in no session of a terminal where the editor’s own client starts it', async () => {
    assert.ok(tool);
    const code = `console.log(require('fs').readFileSync('/proc/self/stat', 'utf8').split(') ')[1])`;
    const config = wanting({}, { command: process.execPath, cwd: work, args: ['-e', code] });
    const confinement = await planConfinement(config, tool, '/home/nobody');
    assert.ok(confinement);
    const programs = createNodePrograms(() => Promise.resolve({}));
    const { command, args } = await programs.handOver({ ...config, confinement }, inEnglish);
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = spawn(command, [...args], { cwd: work, stdio: [...stdio] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(child, 'close');
    // That of the editor has no number in there.
    const [, , , session] = text.split(' ');
    assert.ok(Number(session) > 0, text);
  });

  it('has nothing that it may write run outside of it by a diagnosis', async () => {
    assert.ok(tool);
    const bin = join(work, 'bin');
    const marks = ['node', 'npx'].map((name) => join(root, `${name}-ran`));
    await mkdir(bin, { recursive: true });
    for (const [index, name] of ['node', 'npx'].entries())
      await writeFile(
        join(bin, name),
        `#!/bin/sh\ntrue 2>/dev/null > '${marks[index]}'\necho 1.2.3\n`,
        {
          mode: 0o755,
        },
      );
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    const config = wanting({}, { command: 'npx', cwd: work, args: [], env });
    const confinement = await planConfinement(config, tool, '/home/nobody');
    assert.ok(confinement);
    const programs = createNodePrograms(() => Promise.resolve({}));
    const before = await readdir(work);
    const findings = await programs.check({ ...config, confinement }, inEnglish);
    const titles = findings.map(({ title }) => title);
    assert.ok(titles.includes('npx 1.2.3') && titles.includes('node 1.2.3'), titles.join('\n'));
    assert.deepEqual(marks.filter(existsSync), []);
    assert.deepEqual(await readdir(work), before);
  });

  it('is named by a diagnosis as what keeps an engine from responding, and a missing folder as itself alone', async () => {
    assert.ok(tool);
    const bin = join(root, 'engine');
    await mkdir(bin, { recursive: true });
    const script =
      '#!/bin/sh\ncase $1 in --version) echo 1.2.3;; *) echo no socket; exit 1;; esac\n';
    await writeFile(join(bin, 'docker'), script, { mode: 0o755 });
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    const config = wanting({}, { command: 'docker', cwd: work, args: [], env });
    const confinement = await planConfinement(config, tool, '/home/nobody');
    assert.ok(confinement);
    const programs = createNodePrograms(() => Promise.resolve({}));
    const missing = join(work, 'missing');
    const findings = await programs.check({ ...config, cwd: missing, confinement }, inEnglish);
    assert.deepEqual(
      findings.slice(1, 4).map(({ title }) => title),
      [
        `The working directory ${missing} does not exist`,
        'docker 1.2.3',
        'The docker engine does not respond',
      ],
    );
    assert.match(findings[3]?.next ?? '', /^Its sandbox hides container engines/);
    const [engine] = (await programs.check(config, inEnglish)).slice(2);
    assert.match(engine?.next ?? '', /^Start it/);
  });

  it('sees and signals no process of the machine', async () => {
    assert.equal(await attempt(`process.kill(${process.pid}, 0)`), 'ESRCH');
    assert.equal(
      await attempt(`require('fs').existsSync('/proc/${process.pid}/environ')`),
      'done false',
    );
  });

  it('has nothing loaded into what confines it', async () => {
    const trace = join(root, 'trace');
    const env = { LD_DEBUG: 'files', LD_DEBUG_OUTPUT: trace };
    assert.match(await run('console.log(process.env.LD_DEBUG)', {}, env), /^files$/m);
    // With these variables, the loader writes a trace for every program that it loads.
    const written = (await readdir(root)).filter((name) => name.startsWith('trace'));
    assert.deepEqual(written, []);
  });

  for (const [title, isStubborn] of [
    ['by the end of its input', false],
    ['with all it started, where it does not mind that', true],
  ] as const)
    it(`speaks the protocol, and ends ${title}`, async () => {
      assert.ok(tool);
      const args = ['server.js', ...(isStubborn ? ['stubborn'] : [])];
      // With the network, no socket is hidden that another program has for a moment.
      const config = wanting(open, { command: process.execPath, cwd: work, args });
      const confinement = await planConfinement(config, tool, '/home/nobody');
      assert.ok(confinement);
      const timeouts = {
        afterEnd: isStubborn ? 100 : 10_000,
        afterTerm: 5000,
        afterKill: 5000,
        afterExit: 200,
      };
      const openWays = createNodeTransports(undefined, { timeouts: timeouts });
      const definition = { id: 's', name: 's', config, limits: defaultLimits, source };
      const context = { definition, log: silentLogger, maxMessageBytes: 1_000_000 };
      const [way] = await openWays({ ...config, confinement }, context);
      const transport = way?.();
      assert.ok(transport);
      const heard = new Promise<unknown>((resolve) => {
        transport.channel.onmessage = resolve;
      });
      await transport.channel.start();
      await transport.channel.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
      assert.deepEqual(await heard, { jsonrpc: '2.0', id: 1, result: {} });
      await transport.close();
      assert.equal(transport.neededSignal, isStubborn);
    });
});

/** Answers each line; a stubborn one, and its child process, keep running when their input ends. */
const server = `
if (process.argv[2] === 'stubborn') {
  setInterval(() => {}, 1000);
  process.on('SIGTERM', () => {});
  require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true });
}
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const serverInfo = { name: 's', version: '1' };
  const answers = {
    initialize: { result: { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo } },
    ping: { result: {} },
  };
  const error = { code: -32601, message: 'unknown' };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answers[method] ?? { error }) }));
});
`;
