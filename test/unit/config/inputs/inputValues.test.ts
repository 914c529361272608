import assert from 'node:assert/strict';
import { AdmittedServers, launchesOf } from '../../../../src/config/add/admission';
import {
  InputValues,
  maxLaunchesOfValue,
  type InputUser,
} from '../../../../src/config/inputs/inputValues';
import { mergeLayers, type LocatedDefinition } from '../../../../src/config/mergeLayers';
import type { ConfigLayer } from '../../../../src/config/configLayer';
import { createSecrets } from '../../../support/fakes/secrets';

const id = 'token';
const use = `\${input:${id}}`;
const other = { scope: 'folder', label: 'app/.vscode/mcp.json', uri: 'file:///app' } as const;

function located(
  entries: Readonly<Record<string, object>>,
  place: Partial<ConfigLayer> = {},
): readonly LocatedDefinition[] {
  const named = Object.entries(entries).map(([name, value]) => ({ name, value }));
  const base = { scope: 'user', label: 'User Settings', inputs: [], problems: [] } as const;
  return mergeLayers([{ ...base, ...place, entries: named }]).servers;
}

function one(value: object, place?: Partial<ConfigLayer>, name = 'one'): LocatedDefinition {
  const [server] = located({ [name]: value }, place);
  return server ?? assert.fail();
}

const reached = { url: 'https://a.example/mcp', headers: { X: use } };
const run = { command: 'node', args: ['a.js'], cwd: '/a', env: { TOKEN: use, LEVEL: 'info' } };

describe('the value of an input', () => {
  let stored: Map<string, string>;
  let configured: readonly LocatedDefinition[];
  let values: InputValues;
  let workspace: string;
  let file: Readonly<Record<string, string>>;

  beforeEach(() => {
    stored = new Map();
    configured = [];
    workspace = 'file:///one';
    file = {};
    values = new InputValues(
      createSecrets(stored),
      () => configured,
      () => workspace,
      ({ definition: { config } }) =>
        Promise.resolve(
          config.type === 'stdio' && config.envFile !== undefined
            ? { ...config, env: { ...file, ...config.env } }
            : undefined,
        ),
    );
  });

  const typeFor = ({ definition, layer }: LocatedDefinition) =>
    values.store(layer, id, 'ghp', [definition.config]);
  const isStrange = async (server: InputUser, isTrusted = true) =>
    (await values.strangeTo(server, isTrusted)).length > 0;

  const places = 'PGHOSTADDR MQTT_HOSTS SMTP_HOSTNAME VAULT_ADDR JIRA_SITE AUTH_DOMAIN'.split(' ');
  const changes: readonly (readonly [
    what: string,
    from: object,
    to: object,
    isStrange: boolean,
  ])[] = [
    ['another name', reached, reached, false],
    ['another header', reached, { ...reached, headers: { X: use, Y: 'z' } }, false],
    ['other limits', reached, { ...reached, timeouts: { start: 5 } }, false],
    ['a plain variable', run, { ...run, env: { TOKEN: use, LEVEL: 'debug' } }, false],
    ['another host', run, { ...run, env: { ...run.env, GITHUB_HOST: 'b.example' } }, true],
    ...places.map(
      (name) =>
        [`another ${name}`, run, { ...run, env: { ...run.env, [name]: 'b' } }, true] as const,
    ),
    ['another port', run, { ...run, env: { ...run.env, BROKER: 'b.example:9092,c:1' } }, true],
    ['another time', run, { ...run, env: { ...run.env, AT: '2026-01-01T10:30', N: '10' } }, false],
    ['another place', run, { ...run, env: { ...run.env, API_BASE: 'https://b.example' } }, true],
    ['no such variable', run, { ...run, env: { ...run.env, API_BASE: null } }, false],
    ['a sandbox', run, { ...run, sandboxEnabled: true }, false],
    ['another address', reached, { ...reached, url: 'https://b.example/mcp' }, true],
    ['another path', reached, { ...reached, url: 'https://a.example/b' }, true],
    ['another issuer', reached, { ...reached, oauth: { issuer: 'https://b.example' } }, true],
    ['another program', run, { ...run, command: 'deno' }, true],
    ['another argument', run, { ...run, args: ['b.js'] }, true],
    ['another folder', run, { ...run, cwd: '/b' }, true],
    ['a file of variables', run, { ...run, envFile: '/b' }, true],
    [
      'a variable that decides what runs',
      run,
      { ...run, env: { ...run.env, NODE_OPTIONS: '-r b' } },
      true,
    ],
  ];
  for (const [what, from, to, expected] of changes)
    it(`is ${expected ? 'no longer' : 'still'} for a server that has ${what}`, async () => {
      await typeFor(one(from));
      const changed = one(to, {}, 'two');
      assert.equal(await isStrange(changed), expected);
      assert.equal(await values.valueFor(changed, id), expected ? undefined : 'ghp');
    });

  const filed = { ...run, envFile: '/f' };
  for (const [what, before, after, expected] of [
    ['a plain variable', { A: 'a' }, { A: 'b' }, false],
    ['another host', { GITHUB_HOST: 'a' }, { GITHUB_HOST: 'b' }, true],
    ['its first host', {}, { GITHUB_HOST: 'b' }, true],
    ['an address', {}, { ANY: 'https://b.example' }, true],
    ['a variable that decides what runs', {}, { NODE_OPTIONS: '-r b' }, true],
    ['a variable that is set beside it', {}, { LEVEL: 'https://b.example' }, false],
  ] as const)
    it(`is ${expected ? 'no longer' : 'still'} for a server whose file of variables has ${what}`, async () => {
      file = before;
      await typeFor(one(filed));
      assert.equal(await isStrange(one(filed)), false);
      file = after;
      assert.equal(await isStrange(one(filed)), expected);
      assert.equal(await values.valueFor(one(filed), id), expected ? undefined : 'ghp');
      await values.allow(one(filed), [id]);
      assert.equal(await isStrange(one(filed)), false);
    });

  it('is for what the start has read that asked for it, whatever the file of variables says since', async () => {
    const { definition, layer } = one(filed);
    const { config } = definition;
    assert.ok(config.type === 'stdio');
    const read = (host: string) => ({ ...config, env: { ...config.env, GITHUB_HOST: host } });
    configured = [{ definition, layer }];
    file = { GITHUB_HOST: 'b' };
    await values.store(layer, id, 'ghp', [config], read('a'));
    const start = (host: string) => isStrange({ definition, layer, launched: read(host) });
    assert.deepEqual([await start('a'), await start('b')], [false, true]);
    assert.equal(await isStrange({ definition, layer }), true);
  });

  it('is for all servers that used it in its place as it was entered, and for none of later', async () => {
    const servers = located({ a: reached, b: run });
    configured = [...servers, one({ ...reached, url: 'https://c.example' }, other)];
    const [first, second] = servers;
    assert.ok(first && second);
    await typeFor(first);
    assert.deepEqual([await isStrange(first), await isStrange(second)], [false, false]);
    configured = [...configured, ...located({ later: { ...run, args: ['later.js'] } })];
    assert.equal(await isStrange(one({ ...run, args: ['later.js'] })), true);
    assert.equal(await isStrange(one({ ...reached, url: 'https://c.example' })), true);
  });

  it('is for a program of the open workspace in that workspace alone', async () => {
    const placed = one({ ...run, args: ['${workspaceFolder}/server.js'] });
    await typeFor(placed);
    await values.allow(one(run), [id]);
    assert.equal(await isStrange(placed), false);
    workspace = 'file:///two';
    assert.deepEqual([await isStrange(placed), await isStrange(one(run))], [true, false]);
  });

  it('is for the server that it was taken out of when that was added', async () => {
    const secret = 'sk-0123456789abcdefghij0123';
    const place = { scope: 'user', label: 'User Settings' } as const;
    for (const server of [
      { ...run, args: ['--api-key', secret], env: { API_KEY: secret } },
      { url: `https://a.example/mcp?api_key=${secret}`, headers: { Authorization: secret } },
    ]) {
      const { admitted, secrets } = AdmittedServers.admit(
        [{ name: 'one', server }],
        [],
      ).withoutSecrets();
      for (const { inputId, value, server: taken } of secrets)
        await values.store(place, inputId, value, launchesOf(taken));
      const [added] = admitted.servers;
      assert.ok(secrets.length > 0 && added);
      assert.equal(await isStrange(one(added.server), false), false);
    }
  });

  it('is for a server once the user agreed, and for nobody else by that', async () => {
    await typeFor(one(reached));
    await values.allow(one(run), await values.strangeTo(one(run), true));
    assert.deepEqual([await isStrange(one(run)), await isStrange(one(reached))], [false, false]);
    assert.equal(await isStrange(one({ ...run, args: ['c.js'] })), true);
  });

  it('of an earlier version is for the launches that are trusted, and for the only one that uses it', async () => {
    stored.set(`input:${JSON.stringify(['User Settings', id])}`, 'old');
    const [own, added] = located({ own: reached, added: run });
    assert.ok(own && added);
    assert.deepEqual([await isStrange(own, true), await isStrange(added, false)], [false, true]);
    // A yes to a launch is its trust: the others keep theirs.
    await values.allow(added, [id]);
    assert.deepEqual([await isStrange(own, true), await isStrange(added, true)], [false, false]);
    configured = [own];
    assert.equal(await values.valueFor(own, id), 'old');
    configured = [own, added];
    assert.equal(await values.valueFor(own, id), undefined);
  });

  it('that is entered again or deleted is for the launches of then alone', async () => {
    await typeFor(one(run));
    await typeFor(one(reached));
    assert.equal(await isStrange(one(run)), true);
    const [first] = await values.stored();
    assert.deepEqual([first?.id, first?.place], [id, 'User Settings']);
    await values.delete(first?.key ?? '');
    assert.deepEqual([...stored], []);
    assert.equal(await isStrange(one(run)), false);
  });

  it('is kept for a hundred launches, the latest', async () => {
    const servers = Array.from({ length: maxLaunchesOfValue + 1 }, (_, at) =>
      one({ ...run, args: [`${at}.js`] }),
    );
    await typeFor(one(reached));
    for (const server of servers) await values.allow(server, [id]);
    const strange = await Promise.all(servers.map((server) => isStrange(server)));
    assert.deepEqual(
      strange.flatMap((is, at) => (is ? [at] : [])),
      [0],
    );
  });

  it('is for nobody where what it is for cannot be read', async () => {
    await typeFor(one(run));
    for (const key of stored.keys()) if (key.startsWith('inputLaunches')) stored.set(key, '{}');
    assert.equal(await isStrange(one(run)), true);
  });
});
