import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { neverAborted } from '../../../../src/base/async';
import { UserError } from '../../../../src/base/errors';
import {
  maxRegistryCursor,
  maxKeptPages,
  maxRegistryBytes,
  maxRegistryEntries,
  maxRegistryPages,
  maxSearchLength,
  McpRegistry,
  readOrigin,
  type RegistryPage,
} from '../../../../src/mcp/http/mcpRegistry';
import { schemaCheck } from '../../../support/schemaChecks';
import { pageSchema, registered, RegistryServer } from '../../../support/fakes/registryServer';

const now = neverAborted();
const names = ({ servers }: RegistryPage) => servers.map(({ name }) => name);
const json = (response: ServerResponse, value: unknown) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  return true;
};

describe('a search in an MCP registry', () => {
  const entries = ['a/one', 'a/two', 'b/one', 'c/one'].map((name) => registered(name));
  let server: RegistryServer;
  let address: string;
  beforeEach(async () => {
    server = new RegistryServer(entries);
    address = await server.start();
  });
  afterEach(() => server.stop());
  const find = (text = 'one') => new McpRegistry(address).find(text, now);

  it('is tested against answers as the official description has them', async () => {
    const page = server.page(new URLSearchParams({ search: 'one' }));
    assert.equal((await schemaCheck().check(pageSchema, page)).kind, 'valid');
  });

  it('asks for nothing before something is to be found, then for the latest versions', async () => {
    const registry = new McpRegistry(address);
    assert.deepEqual(server.requests, []);
    await registry.find('one', now);
    assert.deepEqual(server.requests, [
      `/v0.1/servers?search=one&version=latest&limit=${maxRegistryEntries}`,
    ]);
  });

  it('reads page after page until there is no other', async () => {
    const first = await find();
    const second = await first.more?.(now);
    assert.deepEqual(names(first), ['a/one', 'b/one']);
    assert.ok(second);
    assert.deepEqual(names(second), ['c/one']);
    assert.equal(second.more, undefined);
  });

  it('reads what a user decides by', async () => {
    const [listed] = (await find()).servers;
    const { entry, ...shown } = listed ?? {};
    assert.deepEqual(shown, {
      name: 'a/one',
      title: '',
      description: 'What a/one does',
      version: '1.0.2',
      kinds: ['npm'],
      status: 'active',
      statusMessage: '',
      updated: '2026-11-02',
    });
    assert.deepEqual(entry, entries[0]);
  });

  it('reads one version of a server, and the latest', async () => {
    server.entries = [...entries, registered('a/one', { version: '2.0.0' })];
    const registry = new McpRegistry(address);
    const found = await Promise.all(
      ['latest', '1.0.2', '9.9.9'].map((version) => registry.version('a/one', version, now)),
    );
    assert.deepEqual(
      found.map((one) => one?.version),
      ['2.0.0', '1.0.2', undefined],
    );
    assert.deepEqual(server.requests.toSorted(), [
      '/v0.1/servers/a%2Fone/versions/1.0.2',
      '/v0.1/servers/a%2Fone/versions/9.9.9',
      '/v0.1/servers/a%2Fone/versions/latest',
    ]);
  });

  it('takes no other server, and no other version, for the one that was asked for', async () => {
    const registry = new McpRegistry(address);
    for (const other of [registered('b/one'), registered('a/one', { version: '3' })]) {
      server.intercept = (_, response) => json(response, { server: other });
      await assert.rejects(registry.version('a/one', '1.0.2', now), /did not answer as an MCP/);
    }
  });

  const unusual: readonly [what: string, answer: object, isGone: boolean][] = [
    ['has no server', { _meta: {} }, false],
    ['is the server alone', registered('a/one'), false],
    ['has an unusual name', { server: registered('one') }, false],
    [
      'is withdrawn',
      {
        server: registered('a/one'),
        _meta: { 'io.modelcontextprotocol.registry/official': { status: 'deleted' } },
      },
      true,
    ],
  ];
  for (const [what, answer, isGone] of unusual)
    it(`says that a server is ${isGone ? 'gone' : 'not to be read'}, whose entry ${what}`, async () => {
      server.intercept = (_, response) => json(response, answer);
      const asked = new McpRegistry(address).version('a/one', 'latest', now);
      if (isGone) assert.equal(await asked, undefined);
      else await assert.rejects(asked, /did not answer as an MCP/);
    });

  it('reads where a server came from of its entry, if that can be the name of one', () => {
    const origin = { url: 'https://registry.example', name: 'a/one', version: '1' };
    assert.deepEqual(readOrigin({ command: 'x', registry: { ...origin, more: 1 } }), origin);
    for (const wrong of [
      undefined,
      'a/one',
      { ...origin, name: 'one' },
      { ...origin, name: 'a/../one' },
      { ...origin, version: 1 },
      { ...origin, version: '' },
      { ...origin, url: 'x'.repeat(2000) },
    ])
      assert.equal(readOrigin({ registry: wrong }), undefined, JSON.stringify(wrong));
  });

  it('keeps an answer that the registry says is unchanged', async () => {
    const registry = new McpRegistry(address);
    const [before, after] = [await registry.find('a/', now), await registry.find('a/', now)];
    assert.deepEqual(names(after), names(before));
    assert.equal(server.unchanged, 1);
  });

  it('keeps the latest answers alone', async () => {
    const registry = new McpRegistry(address);
    await registry.find('first', now);
    for (let at = 0; at < maxKeptPages; at += 1) await registry.find(`other ${at}`, now);
    await registry.find('first', now);
    assert.equal(server.unchanged, 0);
    await registry.find(`other ${maxKeptPages - 1}`, now);
    assert.equal(server.unchanged, 1);
  });

  it('sends a bounded part of a long text', async () => {
    await find('x'.repeat(maxSearchLength + 1));
    const sent = new URL(server.requests[0] ?? '', address).searchParams.get('search');
    assert.equal(sent?.length, maxSearchLength);
  });

  const bases: readonly string[] = ['', '/', '/v0.1', '/v0.1/', '//'];
  for (const suffix of bases)
    it(`finds the API where the address ends in “${suffix}”`, async () => {
      assert.deepEqual(names(await new McpRegistry(address + suffix).find('c/', now)), ['c/one']);
    });

  describe('that is hostile', () => {
    it('ends after a bounded number of pages, however many cursors there are', async () => {
      let cursor = 0;
      server.intercept = (_, response) =>
        json(response, { servers: [], metadata: { nextCursor: String((cursor += 1)) } });
      let page: RegistryPage | undefined = await find();
      while (page?.more) page = await page.more(now);
      assert.equal(server.requests.length, maxRegistryPages);
    });

    const cursors: readonly [title: string, cursor: unknown][] = [
      ['the same again', 'same'],
      ['a number', 7],
      ['none', ''],
      ['longer than is sent', 'x'.repeat(maxRegistryCursor + 1)],
    ];
    for (const [title, nextCursor] of cursors)
      it(`has no other page where the cursor is ${title}`, async () => {
        server.intercept = (_, response) =>
          json(response, { servers: [], metadata: { nextCursor } });
        const page = await find();
        const last = title === 'the same again' ? await page.more?.(now) : page;
        assert.ok(last);
        assert.equal(last.more, undefined);
      });

    it('has a bounded number of servers of a page read, and the others counted', async () => {
      const servers = Array.from({ length: maxRegistryEntries + 7 }, (_, at) => ({
        server: registered(`a/s${at}`),
      }));
      server.intercept = (_, response) => json(response, { servers });
      const page = await find();
      assert.equal(page.servers.length, maxRegistryEntries);
      assert.equal(page.leftOut, 7);
    });

    it('leaves out what is no server, or withdrawn, and reads the rest', async () => {
      const deleted = { 'io.modelcontextprotocol.registry/official': { status: 'deleted' } };
      const servers = [
        null,
        7,
        { server: 'x' },
        { server: { name: 7 } },
        { server: { name: 'no-publisher' } },
        { server: { name: 'a/\u202Ehidden' } },
        { server: registered('a/gone'), _meta: deleted },
        { server: { name: 'a/odd', packages: 'x', remotes: 7, description: {} }, _meta: [] },
      ];
      server.intercept = (_, response) => json(response, { servers, metadata: 'x' });
      const page = await find();
      assert.deepEqual(names(page), ['a/odd']);
      assert.equal(page.leftOut, 7);
      assert.deepEqual(page.servers[0]?.kinds, []);
    });

    it('gets nothing but the fields of a launch into a configuration', async () => {
      const foreign = { mcpServers: { evil: { command: 'x' } }, command: 'x', inputs: [] };
      server.intercept = (_, response) =>
        json(response, { servers: [{ server: registered('a/one', foreign), ...foreign }] });
      const [listed] = (await find()).servers;
      assert.deepEqual(listed?.entry, registered('a/one'));
    });

    const answers: readonly [
      title: string,
      says: RegExp,
      answer: (r: ServerResponse) => unknown,
    ][] = [
      [
        'is larger than is read',
        /more than the limit/,
        (r) => r.writeHead(200).end(Buffer.alloc(maxRegistryBytes + 1, 32)),
      ],
      ['is a page', /did not answer as an MCP registry/, (r) => r.end('<html>')],
      ['is a list', /did not answer as an MCP registry/, (r) => json(r, [])],
      ['has no servers', /did not answer as an MCP registry/, (r) => json(r, { servers: {} })],
      ['is missing', /did not answer as an MCP registry/, (r) => r.writeHead(404).end()],
      ['is unchanged, though nothing was kept', /HTTP 304/, (r) => r.writeHead(304).end()],
      ['is a failure', /failed with HTTP 503/, (r) => r.writeHead(503).end('x')],
      ['breaks off', /Could not reach the MCP registry at 127/, (r) => r.destroy()],
      [
        'leads to another place of this machine',
        /redirects to another place/,
        (r) => r.writeHead(302, { location: 'http://localhost:1/v0.1/servers' }).end(),
      ],
      [
        'leads in a circle',
        /redirects without end/,
        (r) => r.writeHead(302, { location: '/v0.1/servers' }).end(),
      ],
    ];
    for (const [title, says, answer] of answers)
      it(`fails with a sentence where an answer ${title}`, async () => {
        server.intercept = (_, response) => {
          answer(response);
          return true;
        };
        await assert.rejects(
          find(),
          (error) => error instanceof UserError && says.test(error.message),
        );
      });

    it('is given up when it does not answer in time', async () => {
      server.intercept = () => true;
      await assert.rejects(
        new McpRegistry(address, fetch, 20).find('x', now),
        /did not answer within 1 seconds/,
      );
    });
  });

  const addresses: readonly [address: string, says: RegExp][] = [
    ['registry.example', /not a URL/],
    ['http://registry.example', /not an https: address/],
    ['file:///etc/passwd', /not an https: address/],
    ['https://me:secret@registry.example', /contains a password/],
  ];
  for (const [given, says] of addresses)
    it(`refuses ${given}`, () => assert.throws(() => new McpRegistry(given), says));
});
