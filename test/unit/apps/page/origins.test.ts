import assert from 'node:assert/strict';
import {
  type OriginConcern,
  contentPolicy,
  judgeOrigins,
  maxOrigins,
  noOrigins,
  readOrigins,
} from '../../../../src/apps/page/origins';

describe('an origin that an app declares', () => {
  const table: readonly [declared: unknown, origin: string | undefined][] = [
    ['https://api.example.com', 'https://api.example.com'],
    ['HTTPS://API.Example.COM', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com:8443', 'https://api.example.com:8443'],
    ['wss://live.example.com', 'wss://live.example.com'],
    ['https://*.example.com', 'https://*.example.com'],
    ['https://xn--80ak6aa92e.com', 'https://xn--80ak6aa92e.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['ws://127.0.0.1:9', 'ws://127.0.0.1:9'],
    ['http://[::1]:80', 'http://[::1]:80'],
    ['https://192.0.2.1', 'https://192.0.2.1'],
    // More than one origin, or something that is not an origin.
    ["'self' ; script-src *", undefined],
    ["https://a.example; script-src 'unsafe-eval'", undefined],
    ['https://a.example https://b.example', undefined],
    ['https://a.example,https://b.example', undefined],
    ['https://a.example\n;script-src *', undefined],
    ['https://a.example/path', undefined],
    ['https://a.example?query', undefined],
    ['https://user@a.example', undefined],
    ['https://a.example:99999', undefined],
    ['https://a.example:*', undefined],
    ['*', undefined],
    ['https:', undefined],
    ['https://*', undefined],
    ["'self'", undefined],
    ["'unsafe-eval'", undefined],
    ['data:', undefined],
    ['blob:', undefined],
    ['javascript:alert(1)', undefined],
    ['vscode-webview://abc', undefined],
    ['file:///', undefined],
    ['', undefined],
    [null, undefined],
    [7, undefined],
    [{ toString: () => 'https://a.example' }, undefined],
    // Not encrypted, which is only allowed on this machine.
    ['http://a.example', undefined],
    ['ws://a.example', undefined],
    ['http://localhost.a.example', undefined],
    // A wildcard for names that belong to many owners.
    ['https://*.com', undefined],
    ['https://*.co.uk', undefined],
    ['https://*.github.io', undefined],
    ['https://*.0.0.1', undefined],
    ['https://a.*.example.com', undefined],
    ['https://**.example.com', undefined],
    // Names that do not mean what they look like.
    ['https://exаmple.com', undefined],
    ['https://0x7f.1', undefined],
    ['https://2130706433', undefined],
    ['https://a..example', undefined],
    [`https://${'a'.repeat(300)}.example`, undefined],
  ];
  for (const [declared, origin] of table)
    it(`is ${origin ?? 'refused'} where it is ${JSON.stringify(declared)}`, async () => {
      const { origins, refused } = await readOrigins({ connectDomains: [declared] });
      assert.deepEqual(origins.connect, origin === undefined ? [] : [origin]);
      assert.equal(refused.length, origin === undefined ? 1 : 0);
    });

  it('is refused where it has no place: no socket is a resource, and no frame', async () => {
    for (const kind of ['resourceDomains', 'frameDomains', 'baseUriDomains']) {
      const { refused } = await readOrigins({ [kind]: ['wss://live.example.com'] });
      assert.deepEqual(refused, ['wss://live.example.com'], kind);
    }
  });

  it('is one of so many, and the rest are refused', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => `https://a${at}.example`);
    const { origins, refused } = await readOrigins({ resourceDomains: many });
    assert.equal(origins.resource.length, maxOrigins);
    assert.equal(refused.length, maxOrigins);
  });

  for (const csp of [undefined, null, 'https://a.example', [], { connectDomains: {} }])
    it(`is nowhere in ${JSON.stringify(csp)}`, async () => {
      assert.deepEqual((await readOrigins(csp)).origins, noOrigins);
    });

  const judged: readonly [origin: string, site: string, concerns: readonly OriginConcern[]][] = [
    ['https://api.example.co.uk', 'example.co.uk', []],
    ['https://me.github.io', 'me.github.io', []],
    ['https://*.example.com', 'example.com', ['anySubdomain']],
    ['https://xn--80ak6aa92e.com:8443', 'xn--80ak6aa92e.com', ['lookAlike', 'port']],
    ['http://localhost:3000', 'localhost', ['thisMachine']],
    ['https://192.0.2.1', '192.0.2.1', ['ipAddress']],
  ];
  for (const [origin, site, concerns] of judged)
    it(`is shown as one of ${site} where it is ${origin}`, async () => {
      const all = await judgeOrigins({ ...noOrigins, connect: [origin], frame: [origin] });
      assert.deepEqual(all, [{ origin, site, concerns }]);
    });
});

describe('the policy of an app', () => {
  const read = (policy: string) =>
    new Map(
      policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1).join(' ')]),
    );

  it('denies everything that an app does not declare', () => {
    assert.deepEqual(Object.fromEntries(read(contentPolicy(noOrigins))), {
      'default-src': "'none'",
      'script-src': "'unsafe-inline'",
      'style-src': "'unsafe-inline'",
      'img-src': 'data: blob:',
      'font-src': 'data:',
      'media-src': 'data: blob:',
      'connect-src': "'none'",
      'frame-src': "'none'",
      'worker-src': "'none'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
    });
  });

  it('lets through what was declared, each where it belongs and nowhere else', async () => {
    const { origins } = await readOrigins({
      connectDomains: ['https://c.example'],
      resourceDomains: ['https://r.example'],
      frameDomains: ['https://f.example'],
      baseUriDomains: ['https://b.example'],
    });
    const policy = read(contentPolicy(origins));
    const naming = (origin: string) =>
      [...policy].filter(([, value]) => value.includes(origin)).map(([name]) => name);
    assert.deepEqual(naming('c.example'), ['connect-src']);
    assert.deepEqual(naming('f.example'), ['frame-src']);
    assert.deepEqual(naming('b.example'), ['base-uri']);
    assert.deepEqual(naming('r.example'), [
      'script-src',
      'style-src',
      'img-src',
      'font-src',
      'media-src',
    ]);
  });
});
