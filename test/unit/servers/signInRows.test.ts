import assert from 'node:assert/strict';
import type { SignInPage, SignInParty } from '../../../src/mcp/auth/authorizationUi';
import { rowRoom, widthOf } from '../../../src/base/text/rows';
import type { Reach } from '../../../src/mcp/http/reach';
import { maxAddressLength, readWebAddress } from '../../../src/mcp/http/webAddress';
import {
  createBrowserVisits,
  EditorLinks,
  signInRows,
} from '../../../src/servers/signIn/browserVisits';
import type { Questions } from '../../../src/ui/questions/questions';

const decisions = ['Open in Browser', 'Copy Address', 'Paste the Address…', 'Not Now'];

describe('the question about a sign-in', () => {
  const rowsOf = async (
    url: string,
    page: Partial<Omit<SignInPage, 'url'>> = {},
    reach?: Reach,
  ): Promise<readonly string[]> => {
    const address = await readWebAddress(url, reach);
    assert.ok(address);
    const all = await signInRows({ url: new URL(url), state: 's', parties: [], ...page }, address);
    const decision = all.findIndex(({ label }) => label === 'Your decision');
    assert.deepEqual(
      all.slice(decision + 1).map(({ label }) => label),
      decisions,
    );
    return all
      .slice(1, decision)
      .map(({ label, description }) => [label, description].filter(Boolean).join(' · '));
  };

  for (const [url, reach, rows] of [
    ['https://idp.example/authorize?a=b', undefined, ['idp.example']],
    ['https://login.idp.example/x', undefined, ['idp.example', 'Host', 'login.idp.example']],
    [
      'https://login.idp.example:8443/x',
      undefined,
      ['idp.example', 'The page uses an unusual port', 'Host', 'login.idp.example:8443'],
    ],
    [
      'https://github.com@evil.example/',
      undefined,
      ['evil.example', 'The text before @ is not the site'],
    ],
    [
      'https://еpic.com/',
      undefined,
      ['xn--pic-qdd.com · looks like еpic.com', 'The domain contains look-alike characters'],
    ],
    ['https://93.184.216.34/', undefined, ['93.184.216.34', 'The address is an IP address']],
    [
      'http://127.0.0.1:8/',
      'machine',
      ['127.0.0.1', 'The page is served by a program on this machine', 'Host', '127.0.0.1:8'],
    ],
    [
      'https://idp.example/',
      'machine',
      ['idp.example', 'The page is served by a program on this machine'],
    ],
    ['https://idp.example/', 'network', ['idp.example', 'The page is in a private network']],
  ] as const)
    it(`says whose page it is: ${url}${reach ? ` in the ${reach}` : ''}`, async () =>
      assert.deepEqual(await rowsOf(url, {}, reach), rows));

  for (const [what, count, owner] of [
    ['as long as may be', 110, /^evil\.example$/],
    ['longer than any', 2000, /….*\.evil\.example$/],
  ] as const)
    it(`shows the owner of a host first that is ${what}, and all of the host`, async () => {
      const trap = `accounts.google.com.${'a.'.repeat(count)}evil.example`;
      const [site, heading, ...host] = await rowsOf(`https://${trap}/`);
      assert.match(site ?? '', owner);
      assert.deepEqual([heading, host.join('')], ['Host', trap]);
    });

  it('names the permissions that no sign-in before asked for, and what the tokens are valid for', async () => {
    const about = { more: 'admin delete', wider: 'https://mcp.example' };
    assert.deepEqual(await rowsOf('https://idp.example/', about), [
      'idp.example',
      'Asks for more permissions than before',
      'admin delete',
      'Valid for all of https://mcp.example · The server wants more than a sign-in to itself.',
    ]);
  });

  it('names each service that the permissions name, and what the resource is all the same', async () => {
    const audiences = ['https://graph.microsoft.com', 'api://files'];
    const wider = 'https://mcp.example';
    const why = 'A permission names it. The server could use the sign-in there.';
    assert.deepEqual(await rowsOf('https://idp.example/', { wider, audiences }), [
      'idp.example',
      `Valid for https://graph.microsoft.com · ${why}`,
      `Valid for api://files · ${why}`,
      'Valid for all of https://mcp.example · The server wants more than a sign-in to itself.',
    ]);
  });

  it('has rows for twenty of the services that permissions name, and says how many more there are', async () => {
    const audiences = Array.from({ length: 1020 }, (_, i) => `api://${i}`);
    const rows = await rowsOf('https://idp.example/', { audiences });
    assert.equal(rows.length, 22);
    assert.deepEqual(
      [rows.at(-2)?.split(' · ')[0], rows.at(-1)],
      ['Valid for api://19', 'And 1000 more'],
    );
  });

  it('names all of these permissions, however many and in whatever order the server asks for them', async () => {
    const more = `${'profile:read '.repeat(100)}admin:delete`;
    const [, heading, ...rows] = await rowsOf('https://idp.example/', { more });
    assert.equal(heading, 'Asks for more permissions than before');
    assert.ok(rows.length > 10, String(rows.length));
    assert.equal(rows.map((row) => row.replace(/^\u2003 /, '')).join(''), more);
    assert.ok(rows.every((row) => widthOf(row) <= rowRoom));
  });

  it('is not asked about an address that is too long to be opened', async () => {
    const ui = createBrowserVisits(new EditorLinks('a.b'), undefined, {} as Questions);
    const { signal } = new AbortController();
    const visit = await ui.toPort(1)({ id: 'one', name: 'One' }, signal);
    const url = new URL(`https://idp.example/?scope=${'a'.repeat(maxAddressLength)}`);
    await assert.rejects(
      visit.visit({ url, state: 's', parties: [] }, signal),
      /too long to be opened/,
    );
  });

  const all = (url: string): readonly SignInParty[] =>
    (['code', 'registration', 'page'] as const).map((part) => ({ part, url: new URL(url) }));
  const other = 'Not the site of the page';
  for (const [what, url, server, parties, rows] of [
    [
      'nobody, where all is of one site',
      'https://login.idp.example',
      'https://mcp.example',
      all('https://api.idp.example'),
      [],
    ],
    [
      'one that has it all',
      'https://github.com',
      'https://mcp.example',
      all('https://evil.example'),
      [
        'evil.example · gets what this sign-in gives, registered this program, says where the page is',
      ],
    ],
    [
      'the server itself',
      'https://github.com',
      'https://mcp.evil.example',
      all('https://evil.example').slice(0, 1),
      ['evil.example · the server’s own site, gets what this sign-in gives'],
    ],
    [
      'others that share a domain of many owners',
      'https://someone.github.io',
      undefined,
      all('https://evil.github.io').slice(0, 1),
      ['evil.github.io · gets what this sign-in gives'],
    ],
    [
      'another program of this machine',
      'http://127.0.0.1:1',
      undefined,
      all('http://127.0.0.1:2').slice(1, 2),
      ['127.0.0.1:2 · registered this program'],
    ],
    [
      'each of several',
      'https://github.com',
      undefined,
      [...all('https://a.example').slice(0, 1), ...all('https://b.example').slice(2)],
      ['a.example · gets what this sign-in gives', 'b.example · says where the page is'],
    ],
  ] as const)
    it(`names who takes part beside the page: ${what}`, async () => {
      const shown = await rowsOf(url, { parties, ...(server && { server: new URL(server) }) });
      const at = shown.indexOf(other);
      assert.deepEqual(at < 0 ? [] : shown.slice(at + 1), rows);
    });
});
