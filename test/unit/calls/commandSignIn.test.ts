import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { launchOfServer, openServer } from '../../../cli/launch';
import { asOptions, clientOf, SignIns, type SignInTerminal } from '../../../cli/signIn';
import { SecretMask } from '../../../src/base/secretMask';
import { inEnglish } from '../../../src/base/translate';
import { signInMs } from '../../../src/mcp/auth/authorization';
import { defaultLimits, type OAuthConfig } from '../../../src/mcp/serverConfig';
import { AuthServer } from '../../fixtures/authServer/authServer';
import { ProtectedServer } from '../../fixtures/authServer/protectedServer';
import { built } from '../../support/paths';
import { execute } from '../../support/run/execute';

/** Somebody at a terminal, who does something about each page that they are sent to. */
class Reader implements SignInTerminal {
  isWatched = true;
  readonly input = new PassThrough();
  readonly said: string[] = [];
  readonly opened: string[] = [];
  /** What they do once they have read where to sign in. */
  act: (page: string) => unknown = () => this.input.write('\n');

  readonly say = (text: string): void => {
    this.said.push(text);
    const page = /^http.*\/authorize\?.*$/m.exec(text)?.[0];
    if (page) this.act(page);
  };

  readonly open: SignInTerminal['open'] = async ({ href }) => {
    this.opened.push(href);
    void fetch(href).catch(() => {});
    return true;
  };
}

describe('signing in from a terminal', function () {
  this.timeout(30_000);
  let authServer: AuthServer;
  let server: ProtectedServer;
  let reader: Reader;
  let secrets: SecretMask;
  let interrupt: AbortController;
  beforeEach(async () => {
    authServer = await AuthServer.start();
    server = await ProtectedServer.start(authServer);
    reader = new Reader();
    secrets = new SecretMask();
    interrupt = new AbortController();
  });
  afterEach(async () => {
    await server[Symbol.asyncDispose]();
    await authServer[Symbol.asyncDispose]();
  });

  const signIns = (asks = true) => new SignIns({ asks, secrets, terminal: reader });
  const open = (used = signIns(), oauth?: OAuthConfig) => {
    const config = { type: 'http', url: server.url, headers: {}, ...(oauth && { oauth }) } as const;
    const launch = { name: 'demo', config, limits: defaultLimits };
    return openServer(launch, { verbose: false, secrets, signal: interrupt.signal, signIns: used });
  };
  const refused = async (message: RegExp, oauth?: OAuthConfig) =>
    assert.rejects(open(signIns(), oauth), { message });
  const tokens = () => authServer.requestsTo('/token').map(({ params }) => params['grant_type']);

  /** Where a page sends the browser. */
  const endOf = async (page: string) => {
    const { headers } = await fetch(page, { redirect: 'manual' });
    return headers.get('location') ?? '';
  };

  it('says where, who takes part and what it grants, and opens the page on Enter alone', async () => {
    authServer.behaviour.metadata = { token_endpoint: `${authServer.issuer}/token` };
    const session = await open();
    assert.equal((await session.call('read', {}, interrupt)).isError, false);
    await session.end();
    const [said = '', ...more] = reader.said;
    assert.deepEqual(more, []);
    const { host, hostname } = new URL(authServer.issuer);
    const [first, ...lines] = said.split('\n');
    assert.equal(
      first,
      `"demo" needs you to sign in at ${hostname}. Do so only if you know this site.`,
    );
    assert.deepEqual(lines.slice(0, 3), [
      `Host: ${host}`,
      'Caution: The page is served by a program on this machine',
      'Permissions: files:read',
    ]);
    assert.match(said, /Press Enter to open this address.* within 10 minutes:\nhttp:/);
    assert.deepEqual(reader.opened, [lines.find((line) => line.startsWith('http'))]);
    const sent = Object.fromEntries(new URL(reader.opened[0] ?? '').searchParams);
    assert.match(sent['redirect_uri'] ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.equal(sent['code_challenge_method'], 'S256');
    assert.equal(sent['resource'], server.origin);
  });

  it('goes on where the page was opened without it', async () => {
    reader.act = (page) => fetch(page);
    await (await open()).end();
    assert.deepEqual(reader.opened, []);
  });

  it('takes the address on which the browser ended from the terminal, and no other', async () => {
    reader.act = async (page) => {
      const end = await endOf(page);
      const { searchParams } = new URL(end);
      reader.input.write('hello\n');
      reader.input.write(`${end.replace(/state=\w{8}/, 'state=00000000')}\n`);
      assert.ok(searchParams.get('state'));
      reader.input.write(`${end}\n`);
    };
    await (await open()).end();
    const no = 'This is not the address on which this sign-in ends.';
    assert.deepEqual(reader.said.slice(1), [no, no]);
    assert.deepEqual(tokens(), ['authorization_code']);
  });

  it('says that no browser could be opened, and waits on', async () => {
    const opening: SignInTerminal['open'] = async ({ href }) => {
      setImmediate(() => void fetch(href));
      return false;
    };
    const failing = { isWatched: true, say: reader.say, input: reader.input, open: opening };
    await (await open(new SignIns({ asks: true, secrets, terminal: failing }))).end();
    assert.equal(reader.said[1], 'No browser could be opened. Open the address yourself.');
  });

  it('happens once for each server in a run, whose tokens no output has', async () => {
    const used = signIns();
    for (const _ of [1, 2]) await (await open(used)).end();
    assert.equal(reader.opened.length, 1);
    const { authorization = '' } = server.seen.at(-1)?.headers ?? {};
    assert.match(authorization, /^Bearer .{8}/);
    assert.equal(secrets.apply(`it has ${authorization}`), 'it has Bearer ‹redacted›');
    await (await open(signIns())).end();
    assert.equal(reader.opened.length, 2);
  });

  it('asks again for the permission that a call turns out to need, and says which it is', async () => {
    const session = await open();
    assert.equal((await session.call('write', {}, interrupt)).isError, false);
    await session.end();
    assert.match(reader.said[1] ?? '', /^More than before: files:write$/m);
  });

  it('is not begun where nobody asked for it, and said how to', async () => {
    await assert.rejects(open(signIns(false)), {
      message:
        'The server "demo" does not run: It needs a sign-in. Sign in with --sign-in, or pass a token with --header "Authorization: Bearer …".',
    });
    assert.deepEqual([authServer.seen.length, reader.said.length], [0, 0]);
  });

  it('is what a recording needs whose server refuses its first request', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-replay-'));
    try {
      const file = join(folder, 'a.mcp-recording.jsonc');
      const message = { jsonrpc: '2.0', id: 0, method: 'ping' };
      const answer = { jsonrpc: '2.0', id: 0, result: {} };
      const messages = [
        { from: 'client', at: 0, message },
        { from: 'server', at: 1, message: answer },
        { from: 'client', at: 2, message: { ...message, id: 1 } },
        { from: 'server', at: 3, message: { ...answer, id: 1 } },
      ];
      await writeFile(file, JSON.stringify({ recording: 1, messages }));
      const args = ['replay', file, '--against', server.url];
      const { code, output } = await execute(process.execPath, [
        built('command', 'mcp-workbench.js'),
        ...args,
      ]);
      assert.equal(code, 2, output);
      assert.match(
        output,
        /127\.0\.0\.1.* needs a sign-in\. Sign in with --sign-in, or pass a token/,
      );
      assert.doesNotMatch(output, /Error POSTing/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('registers nothing where nobody reads the terminal, and says what to do instead', async () => {
    reader.isWatched = false;
    await refused(
      /takes a browser and somebody at a terminal.*Pass a token with --header.*--client-id/,
    );
    assert.equal(authServer.requestsTo('/register').length, 0);
    assert.deepEqual(reader.said, []);
  });

  const secretly = { clientId: 'robot', clientSecret: 'hush-hunter2' };
  it('needs nobody for a client with a secret, which is sent to its issuer alone', async () => {
    authServer.addClient('robot', 'hush-hunter2');
    process.env['OF_TEST'] = 'hush-hunter2';
    try {
      const given = { 'client-id': 'robot', 'client-secret-env': 'OF_TEST' };
      const own = clientOf({ ...given, issuer: authServer.issuer });
      await (await open(signIns(false), own)).end();
      assert.deepEqual(tokens(), ['client_credentials']);
      assert.equal(secrets.apply('hush-hunter2'), '‹redacted›');
      const others = clientOf({ ...given, issuer: 'https://idp.example' });
      await assert.rejects(open(signIns(false), others), /configured client is known to/);
      assert.equal(tokens().length, 1);
      assert.deepEqual(reader.said, []);
    } finally {
      delete process.env['OF_TEST'];
    }
  });

  it('is one of a registered client with its secret where somebody signs in, at its port', async () => {
    authServer.addClient('robot', 'hush-hunter2');
    const oauth = { ...secretly, issuer: authServer.issuer, scopes: 'files:read files:write' };
    await (await open(signIns(), oauth)).end();
    assert.deepEqual(tokens(), ['authorization_code']);
    const { searchParams } = new URL(reader.opened[0] ?? '');
    assert.equal(searchParams.get('client_id'), 'robot');
    assert.equal(searchParams.get('scope'), 'files:read files:write');
    assert.equal(authServer.requestsTo('/register').length, 0);
  });

  const breaks: Readonly<Record<string, readonly [() => unknown, RegExp]>> = {
    'an authorization server that says to be another': [
      () => (authServer.behaviour.metadata = { issuer: 'https://evil.example' }),
      /Issuer mismatch/,
    ],
    'an answer of another issuer': [
      () => (authServer.behaviour.iss = 'https://evil.example'),
      /issuer/i,
    ],
    'a page that is not encrypted': [
      () =>
        (authServer.behaviour.metadata = {
          authorization_endpoint: 'http://idp.example/authorize',
        }),
      /The sign-in page is not an https: address: http:\/\/idp\.example/,
    ],
    'an authorization server that is not encrypted': [
      () => (authServer.listed = 'http://idp.example'),
      /not an https: address: http:\/\/idp\.example/,
    ],
    'the resource of another server': [
      () => (server.description = { resource: 'https://bank.example/' }),
      /describes the sign-in of another server/,
    ],
    'a refusal there': [
      () => (authServer.behaviour.error = { error: 'access_denied' }),
      /refused the sign-in\./,
    ],
    'a token that the server does not take': [
      () => (authServer.behaviour.givesVoidTokens = true),
      /does not accept the sign-in that was just made/,
    ],
    'an authorization server that registers nobody': [
      () => (authServer.behaviour.metadata = { registration_endpoint: undefined }),
      /Register this one there and pass its id with --client-id\./,
    ],
  };
  for (const [what, [breakIt, message]] of Object.entries(breaks))
    it(`ends with a sentence for ${what}`, async () => {
      breakIt();
      await refused(message);
    });

  /** True if something listens where the browser was to come back to. */
  const isListened = (page: string) =>
    fetch(new URL(page).searchParams.get('redirect_uri') ?? '').then(
      () => true,
      () => false,
    );

  it('waits on where a browser comes back with another state, and no longer once it is interrupted', async () => {
    let page = '';
    reader.act = async (shown) => {
      page = shown;
      const end = await endOf(page);
      const { status } = await fetch(end.replace(/state=\w{8}/, 'state=00000000'));
      assert.equal(status, 400);
      interrupt.abort();
    };
    await refused(/The sign-in was cancelled\./);
    assert.equal(await isListened(page), false);
    assert.equal(reader.input.listenerCount('data'), 0);
    assert.deepEqual(tokens(), []);
  });

  it('is given up after its time, and says so', async () => {
    const late = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => (ms === signInMs ? late.signal : timeout(ms));
    let page = '';
    reader.act = (shown) => {
      page = shown;
      late.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    };
    try {
      await refused(/The sign-in took too long\./);
      assert.equal(await isListened(page), false);
    } finally {
      AbortSignal.timeout = timeout;
    }
  });

  it('is no secret way out for the command without a terminal, as in CI', async () => {
    const command = built('command', 'mcp-workbench.js');
    for (const args of [
      ['send', 'tools/list', '--server', `demo=${server.url}`],
      ['surface', '--', server.url],
      ['check', '--', server.url],
      ['skills', '--', server.url],
    ]) {
      const at = args.indexOf('--') < 0 ? args.length : args.indexOf('--');
      const all = [command, ...args.slice(0, at), '--sign-in', ...args.slice(at)];
      const { code, output } = await execute(process.execPath, all);
      assert.equal(code, 2, output);
      assert.match(output, /takes a browser and somebody at a terminal/);
    }
    assert.equal(authServer.requestsTo('/register').length, 0);
  });
});

describe('the options about signing in', () => {
  const env = 'OF_TEST';
  before(() => (process.env[env] = 'hush'));
  after(() => delete process.env[env]);
  const client = { 'client-id': 'id', issuer: 'https://idp.example' };

  it('are those of a configuration', () => {
    assert.deepEqual(clientOf({}), {});
    assert.deepEqual(
      clientOf({ 'sign-in': true, ...client, scope: 'a b', 'callback-port': '80' }),
      {
        clientId: 'id',
        issuer: 'https://idp.example',
        scopes: 'a b',
        callbackPort: '80',
      },
    );
    const secret = { clientId: 'id', issuer: 'https://idp.example', clientSecret: 'hush' };
    const given = { ...client, 'client-secret-env': env };
    assert.deepEqual(clientOf({ 'sign-in': true, ...given }), secret);
    assert.deepEqual(clientOf(given), { ...secret, grantType: 'client_credentials' });
  });

  const unused = /^--client-id, --issuer, --scope and --callback-port are for --sign-in/;
  for (const [values, message] of [
    [{ 'client-id': 'id' }, unused],
    [{ scope: 'a' }, unused],
    [
      { 'client-secret-env': 'NOT_SET_HERE', ...client },
      /^The environment variable "NOT_SET_HERE"/,
    ],
    [{ 'client-secret-env': env, 'client-id': 'id' }, /^--client-secret-env needs --client-id and/],
    [{ 'sign-in': true, 'callback-port': '0' }, /^--callback-port must be the number of a port/],
  ] as const)
    it(`are refused where nothing could come of them: ${Object.keys(values).join(' ')}`, () =>
      assert.throws(() => clientOf(values), { message }));

  it('are named in what is said of a configuration', () => {
    assert.equal(
      asOptions(inEnglish('Set "oauth.issuer" or "oauth.grantType".')),
      'Set --issuer or "oauth.grantType".',
    );
  });

  it('are not for a process', async () => {
    for (const given of [{ 'sign-in': true }, { 'sign-in': true, 'client-id': 'id' }])
      await assert.rejects(launchOfServer('send', { ...given, launched: ['node', 'x.js'] }), {
        message: '--sign-in is for servers at a URL, and "node" is a process.',
      });
  });
});
