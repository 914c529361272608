import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { gzipSync } from 'node:zlib';
import { createAuthorizationFetch } from '../../../../src/mcp/auth/authorizationFetch';
import {
  farthest,
  isSameAddress,
  nearest,
  reachOf,
  reachOfName,
  type Reach,
  type SignInNetwork,
} from '../../../../src/mcp/http/reach';
import { createSignInNetwork } from '../../../../src/mcp/node/signInNetwork';

const addresses: Readonly<Record<Reach, readonly string[]>> = {
  machine: [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '::1',
    '::',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:0.0.0.0',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '2002:7f00:1::',
    'no address',
    '',
    '1.2.3',
    '1.2.3.256',
  ],
  network: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '192.0.0.8',
    '192.88.99.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    '2001::1',
    // The nearest gateway of the network, and its relay.
    '2001:1::1',
    '2001:1::2',
    '2001:2::1',
    '2001:10::1',
    '2001:1ff:ffff::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    '::ffff:10.0.0.1',
    '::10.1.2.3',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '2002:a00:1::',
  ],
  internet: [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '128.0.0.1',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.1.1',
    '192.169.1.1',
    '198.17.0.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '192.88.98.255',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
    '2002:101:101::',
  ],
};

describe('an address', () => {
  for (const [reach, all] of Object.entries(addresses))
    for (const address of all)
      it(`leads to the ${reach}: ${address || 'none'}`, () =>
        assert.equal(reachOf(address), reach));

  for (const [a, b, isSame] of [
    ['2001:DB8::5', '2001:db8:0:0:0:0:0:5', true],
    ['::ffff:192.168.1.5', '192.168.1.5', true],
    ['fe80::1%eth0', 'fe80::1', true],
    ['::192.168.1.5', '192.168.1.5', false],
    ['10.0.0.1', '10.0.0.2', false],
    ['no address', 'no address', false],
  ] as const)
    it(`is ${isSame ? '' : 'not '}the same as another: ${a}, ${b}`, () =>
      assert.equal(isSameAddress(a, b), isSame));

  it('is as far as the farthest of several', () => {
    assert.equal(farthest(['machine', 'internet', 'network']), 'internet');
    assert.equal(farthest(['machine', 'network']), 'network');
    assert.equal(farthest([]), undefined);
  });
});

describe('the host of a URL', () => {
  for (const [url, reach] of [
    ['https://localhost', 'machine'],
    ['https://localhost.', 'machine'],
    ['https://LOCALHOST..', 'machine'],
    ['https://idp.localhost', 'machine'],
    ['https://0.0.0.0', 'machine'],
    ['https://127.1', 'machine'],
    ['https://2130706433', 'machine'],
    ['https://0x7f000001', 'machine'],
    ['https://0177.0.0.1', 'machine'],
    ['https://127.0.0.1.', 'machine'],
    ['https://１２７.0.0.1', 'machine'],
    ['https://[::]', 'machine'],
    ['https://[::ffff:127.0.0.1]', 'machine'],
    ['https://[0:0:0:0:0:ffff:7f00:1]', 'machine'],
    ['https://0x7f.1', 'machine'],
    ['https://017700000001', 'machine'],
    ['https://127。0。0。1', 'machine'],
    ['https://%31%32%37.0.0.1', 'machine'],
    ['https://user@0', 'machine'],
    ['https://ｌｏｃａｌｈｏｓｔ', 'machine'],
    ['https://[64:ff9b::7f00:1]', 'machine'],
    ['https://[2002:7f00:1::1]', 'machine'],
    ['https://0xa9fea9fe', 'network'],
    ['https://[::ffff:a9fe:a9fe]', 'network'],
    ['https://[64:ff9b::169.254.169.254]', 'network'],
    ['https://[fe80::1]', 'network'],
    ['https://100.64.1', 'network'],
    ['https://10.1', 'network'],
    ['https://[fd00::1]', 'network'],
    ['https://1.1.1.1', 'internet'],
    ['https://localhost.example', undefined],
    ['https://127.0.0.1.example', undefined],
    ['https://mylocalhost', undefined],
  ] as const)
    it(`is ${reach ?? 'known by its addresses alone'}: ${url}`, () =>
      assert.equal(reachOfName(new URL(url).hostname), reach));
});

/** Addresses by host, of which a connection takes the first that is admitted. */
const hosts: Readonly<Record<string, readonly Reach[]>> = {
  'mcp.example': ['internet'],
  'idp.example': ['internet'],
  'both.example': ['machine', 'internet'],
  'loop.example': ['machine'],
  'inside.example': ['network'],
  'mcp.corp.example': ['network'],
  'mcp.home.example': ['machine'],
  // Addresses of this machine in its network and in the internet.
  '192.168.7.7': ['machine'],
  '[2a00:1450::7]': ['machine'],
};

/** Creates a network of the hosts above, and notes what was sent where. */
function fakeNetwork(table = hosts, proven: readonly string[] = Object.keys(table)) {
  const sent: string[] = [];
  const network: SignInNetwork = {
    async send(url, _init, { admits, name }) {
      const admitted: Reach[] = [];
      const all = reachOfName(url.hostname);
      for (const one of table[url.hostname] ?? (all === undefined ? [] : [all]))
        if (await admits(one)) admitted.push(one);
      // What is elsewhere than in the internet has no certificate for a name that is not its own.
      const isProven =
        proven.includes(url.hostname) || !['network', 'machine'].includes(admitted[0] ?? '');
      if (admitted.length === 0 || (all === undefined && !isProven))
        throw new TypeError('fetch failed');
      if (!name.endsWith('at its server')) sent.push(`${admitted[0]} ${url.host}`);
      const to = /^\/to\/(.*)/.exec(url.pathname)?.[1];
      return to === undefined
        ? new Response('{}')
        : new Response(null, { status: 302, headers: { location: decodeURIComponent(to) } });
    },
    locate: async (hostname) => nearest(table[hostname] ?? []),
  };
  return { network, sent };
}

const toMachine = /sends its sign-in to this machine, which is refused/;
const toNetwork = /into a private network, which is refused: .* set "oauth\.issuer" to it/;
const redirect = (to: string) => `https://idp.example/to/${encodeURIComponent(to)}`;

describe('a sign-in', () => {
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ...[
      'https://0.0.0.0',
      'https://[::ffff:127.0.0.1]',
      'https://localhost.',
      'https://idp.localhost',
      'https://2130706433',
      'https://0177.1',
      'http://127.0.0.1:1',
      'https://loop.example',
      'https://[2a00:1450::7]',
      'https://192.168.7.7',
      redirect('https://[2a00:1450:0::7]:1'),
      redirect('https://loop.example'),
      redirect('https://[::]:1'),
      redirect(redirect('https://localhost./')),
    ].flatMap((asked) =>
      ['https://mcp.example/mcp', 'https://mcp.corp.example/mcp'].map(
        (server) => [server, asked, toMachine] as const,
      ),
    ),
    ...[
      'https://10.0.0.1',
      'https://169.254.169.254',
      'https://[fd00::1]',
      'https://100.64.0.1',
      'https://inside.example',
      redirect('https://inside.example'),
      redirect('https://192.168.0.1'),
    ].map((asked) => ['https://mcp.example/mcp', asked, toNetwork] as const),
    // Its name leads to this machine, at this moment.
    ['https://mcp.home.example/mcp', 'http://127.0.0.1:1', toMachine],
    ['https://mcp.home.example/mcp', redirect('http://localhost:1'), toMachine],
  ];
  for (const [server, asked, reason] of refused)
    it(`of ${server} does not connect to ${decodeURIComponent(asked)}`, async () => {
      const { network, sent } = fakeNetwork();
      const fetch = createAuthorizationFetch(new URL(server), network);
      await assert.rejects(fetch(asked), reason);
      assert.deepEqual(
        sent.filter((one) => !one.endsWith(' idp.example')),
        [],
      );
    });

  for (const [server, asked, expected] of [
    ['https://mcp.example/mcp', 'https://idp.example', 'internet'],
    ['https://mcp.example/mcp', 'https://both.example', 'internet'],
    ['https://mcp.corp.example/mcp', 'https://inside.example', 'network'],
    ['https://mcp.corp.example/mcp', 'https://mcp.corp.example', 'network'],
    ['https://mcp.corp.example/mcp', 'https://idp.example', 'internet'],
    ['https://10.0.0.1/mcp', 'https://inside.example', 'network'],
    ['http://127.0.0.1:1/mcp', 'http://localhost:2', 'machine'],
    ['http://127.0.0.1:1/mcp', 'https://inside.example', 'network'],
    ['https://mcp.home.example/mcp', 'https://loop.example', 'machine'],
    ['https://192.168.7.7/mcp', 'https://192.168.7.7:1', 'machine'],
    ['https://192.168.7.7/mcp', 'https://loop.example', 'machine'],
  ] as const)
    it(`of ${server} may be at ${asked}`, async () => {
      const { network, sent } = fakeNetwork();
      await createAuthorizationFetch(new URL(server), network)(asked);
      assert.deepEqual(sent, [`${expected} ${new URL(asked).host}`]);
    });

  it('may be in a private network that the user configured, and in no other place there', async () => {
    const { network, sent } = fakeNetwork();
    const server = new URL('https://mcp.example/mcp');
    const fetch = createAuthorizationFetch(server, network, { issuer: 'https://inside.example/x' });
    await fetch('https://inside.example/token');
    await assert.rejects(fetch('https://10.0.0.1'), toNetwork);
    assert.deepEqual(sent, ['network inside.example']);
    const atHome = createAuthorizationFetch(server, network, { issuer: 'https://loop.example' });
    await assert.rejects(atHome('https://loop.example'), toMachine);
  });

  for (const reach of ['network', 'machine'] as const)
    it(`is not led to the ${reach} by a server whose name leads there for a moment, and that does not answer there`, async () => {
      const table = { ...hosts, 'mcp.example': [reach] };
      const { network, sent } = fakeNetwork(table, []);
      const fetch = createAuthorizationFetch(new URL('https://mcp.example/mcp'), network);
      const near = reach === 'machine' ? 'https://loop.example' : 'https://inside.example';
      for (const asked of [near, redirect(near)])
        await assert.rejects(fetch(asked), reach === 'machine' ? toMachine : toNetwork);
      assert.deepEqual(
        sent.filter((one) => !one.endsWith(' idp.example')),
        [],
      );
    });

  it('is not led there by a name with an address in the internet beside it, nor through a proxy', async () => {
    for (const table of [
      { ...hosts, 'mcp.example': ['network', 'internet'] as const },
      { ...hosts, 'mcp.example': [] },
    ]) {
      const { network } = fakeNetwork(table);
      const fetch = createAuthorizationFetch(new URL('https://mcp.example/mcp'), network);
      await assert.rejects(fetch('https://inside.example'), toNetwork);
    }
  });

  it('of an identity provider may be where the user said, and nowhere else that is nearer', async () => {
    const { network, sent } = fakeNetwork();
    const identityProvider = ['https://idp.example', 'https://loop.example/token'];
    const fetch = createAuthorizationFetch(new URL('https://idp.example'), network, {
      identityProvider,
    });
    await fetch('https://loop.example/token');
    await assert.rejects(fetch('https://inside.example'), toNetwork);
    await assert.rejects(fetch('http://127.0.0.1:1'), toMachine);
    const plain = createAuthorizationFetch(new URL('https://idp.example'), network, {
      identityProvider: ['http://localhost:2/token'],
    });
    await plain('http://localhost:2/token');
    assert.deepEqual(sent, ['machine loop.example', 'machine localhost:2']);
  });

  it('is looked at again for each connection, and for where its server was a moment ago', async () => {
    const table: Record<string, readonly Reach[]> = { ...hosts };
    const { network } = fakeNetwork(table);
    const fetch = createAuthorizationFetch(new URL('https://mcp.example/mcp'), network);
    await fetch('https://mcp.example/.well-known/oauth-protected-resource');
    await fetch('https://idp.example');
    table['idp.example'] = ['machine'];
    table['mcp.example'] = ['machine'];
    await assert.rejects(fetch('https://idp.example'), toMachine);
  });

  for (const [server, page, expected] of [
    ['https://mcp.example/mcp', 'https://idp.example', 'internet'],
    ['https://mcp.corp.example/mcp', 'https://inside.example', 'network'],
    ['http://127.0.0.1:1/mcp', 'http://127.0.0.1:2', 'machine'],
    ['https://mcp.example/mcp', 'https://nowhere.example', undefined],
    ['https://mcp.example/mcp', 'https://0.0.0.0', toMachine],
    ['https://mcp.example/mcp', 'http://idp.localhost', toMachine],
    ['https://mcp.corp.example/mcp', 'https://[::1]', toMachine],
    ['https://mcp.corp.example/mcp', 'https://192.168.7.7', toMachine],
    ['https://mcp.example/mcp', 'https://[2a00:1450::7]', toMachine],
    ['https://192.168.7.7/mcp', 'https://192.168.7.7:1', 'machine'],
    ['https://mcp.example/mcp', 'https://loop.example', toMachine],
    ['https://mcp.example/mcp', 'https://both.example', toMachine],
    ['https://mcp.example/mcp', 'https://[::ffff:7f00:1]', toMachine],
    ['https://mcp.example/mcp', 'https://2130706433', toMachine],
    ['https://mcp.example/mcp', 'https://0177.0.0.1', toMachine],
    ['https://mcp.corp.example/mcp', 'https://loop.example', toMachine],
    ['https://mcp.home.example/mcp', 'https://loop.example', 'machine'],
    ['https://mcp.example/mcp', 'https://192.168.0.1', 'network'],
    ['https://mcp.example/mcp', 'https://inside.example', 'network'],
    ['https://mcp.example/mcp', 'http://idp.example', /The sign-in page is not an https: address/],
  ] as const)
    it(`of ${server} ${expected instanceof RegExp ? 'opens no' : `says where it is of`} ${page}`, async () => {
      const fetch = createAuthorizationFetch(new URL(server), fakeNetwork().network);
      const checked = fetch.checkPage(new URL(page));
      if (expected instanceof RegExp) await assert.rejects(checked, expected);
      else assert.equal(await checked, expected);
    });
});

describe('the network of this machine', () => {
  let server: Server;
  let port = 0;
  let requests = 0;
  let connections = 0;
  beforeEach(async () => {
    [requests, connections] = [0, 0];
    server = createServer((request, response) => {
      requests += 1;
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        if (request.url === '/packed')
          return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'));
        if (request.url === '/cut') {
          response.writeHead(200, { 'content-length': 100 }).write('cut');
          return setImmediate(() => response.destroy());
        }
        if (request.url === '/never') return undefined;
        if (request.url === '/nothing') return response.writeHead(204).end();
        const { method, headers } = request;
        return response
          .setHeader('x-seen', [headers['content-type'], headers['x-own']].join('|'))
          .end(`${method} ${body}`);
      });
    });
    server.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const at = (path = '', host = 'idp.test') => new URL(`http://${host}:${port}${path}`);
  const route = (admits: (reach: Reach) => boolean, name = 'one') => ({
    admits: async (reach: Reach) => admits(reach),
    name,
  });
  const network = (...found: readonly string[]) =>
    createSignInNetwork(async () =>
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

  it('asks about each address that a name has, and connects to those that are admitted', async () => {
    const asked: Reach[] = [];
    const all = network('10.255.255.1', 'fd00::1', '127.0.0.1');
    const answer = await all.send(
      at('/a'),
      {},
      {
        name: 'one',
        admits: async (reach) => asked.push(reach) > 0 && reach === 'machine',
      },
    );
    assert.equal(await answer.text(), 'GET ');
    assert.deepEqual(asked, ['network', 'network', 'machine']);
  });

  it('connects to nothing where no address is admitted', async () => {
    await assert.rejects(
      network('127.0.0.1').send(
        at(),
        {},
        route(() => false),
      ),
      TypeError,
    );
    assert.equal(connections, 0);
  });

  it('takes the addresses of its own interfaces for this machine', async () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address } of own)
      assert.equal(await network(address).locate('idp.test'), 'machine');
    const written = own
      .filter(({ scopeid }) => !scopeid)
      .map(({ address }) => (address.includes(':') ? `[${address}]` : address));
    for (const host of [...written, '127.1.2.3', '[::ffff:127.0.0.1]']) {
      const asked: Reach[] = [];
      const refuse = route((reach) => asked.push(reach) < 0);
      await assert.rejects(network().send(at('', host), {}, refuse), TypeError);
      assert.deepEqual([asked, connections], [['machine'], 0], host);
      assert.equal(await network().locate(new URL(`http://${host}`).hostname), 'machine');
    }
    assert.equal(await network('127.0.0.1', '1.1.1.1').locate('idp.test'), 'machine');
    const failing = createSignInNetwork(() => Promise.reject(new Error('ENOTFOUND')));
    assert.equal(await failing.locate('idp.test'), undefined);
  });

  it('uses a connection again for the same sign-in', async () => {
    const one = network('127.0.0.1');
    for (const _again of [1, 2])
      await (
        await one.send(
          at(),
          {},
          route(() => true),
        )
      ).text();
    assert.equal(requests, 2);
    assert.equal(connections, 1);
  });

  it('sends and reads what fetch does', async () => {
    const send = async (path: string, init: RequestInit = {}) =>
      network('127.0.0.1').send(
        at(path),
        init,
        route(() => true),
      );
    const form = await send('/form', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'x-own': 'ä'.normalize('NFC').slice(1),
      },
      body: new URLSearchParams({ a: 'ä b' }),
    });
    assert.equal(await form.text(), 'POST a=%C3%A4+b');
    assert.match(form.headers.get('x-seen') ?? '', /^application\/x-www-form-urlencoded/);
    const json = await send('/json', { method: 'POST', body: '{"a":"ä"}' });
    assert.equal(await json.text(), 'POST {"a":"ä"}');
    assert.equal(await (await send('/packed')).text(), 'packed');
    assert.equal((await send('/nothing')).status, 204);
    await assert.rejects(async () => (await send('/cut')).text(), TypeError);
    const given = new AbortController();
    const never = send('/never', { signal: given.signal });
    given.abort(new Error('given up'));
    await assert.rejects(never, /given up/);
    server.close();
    server.closeAllConnections();
    await assert.rejects(
      send('/'),
      (error: Error) => error instanceof TypeError && /ECONNREFUSED/.test(String(error.cause)),
    );
  });
});
