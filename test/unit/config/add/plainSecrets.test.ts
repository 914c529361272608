import assert from 'node:assert/strict';
import { takeAllSecrets, takeSecrets } from '../../../../src/config/add/plainSecrets';

describe('secrets in plain text', () => {
  it('give way to inputs, and what is no secret stays', () =>
    assert.deepEqual(
      takeSecrets({
        name: 'my server',
        server: {
          command: 'x',
          env: {
            API_KEY: 'hush',
            LOG: 'debug',
            REGION: 'eu',
            TOKEN: '${env:TOKEN}',
            EMPTY_KEY: '',
          },
        },
      }),
      {
        server: {
          command: 'x',
          env: {
            API_KEY: '${input:my-server-API_KEY}',
            LOG: 'debug',
            REGION: 'eu',
            TOKEN: '${env:TOKEN}',
            EMPTY_KEY: '',
          },
        },
        secrets: [{ inputId: 'my-server-API_KEY', name: 'API_KEY', value: 'hush' }],
      },
    ));

  it('are found in headers by their form, and the scheme before them stays', () => {
    const { server, secrets } = takeSecrets({
      name: 'web',
      server: { url: 'https://a.b', headers: { Authorization: 'Bearer abc', 'X-Trace': 'on' } },
    });
    assert.deepEqual(server, {
      url: 'https://a.b',
      headers: { Authorization: 'Bearer ${input:web-Authorization}', 'X-Trace': 'on' },
    });
    assert.equal(secrets[0]?.value, 'abc');
  });

  it('are found by their form whatever their name is', () =>
    assert.equal(
      takeSecrets({
        name: 'a',
        server: { command: 'x', env: { VALUE: `ghp_${'a1'.repeat(18)}` } },
      }).secrets.length,
      1,
    ));

  it('of servers whose names are nearly the same do not share an input, nor one of another server', () => {
    const keyed = (name: string, key: string) => ({ name, server: { env: { API_KEY: key } } });
    const all = takeAllSecrets(
      [keyed('a b', 'x'), keyed('a-b', 'y'), keyed('c', 'z')],
      ['c-API_KEY'],
    );
    assert.deepEqual(
      all.map(({ name, server, secrets }) => [name, server['env'], secrets[0]?.value]),
      [
        ['a b', { API_KEY: '${input:a-b-API_KEY}' }, 'x'],
        ['a-b', { API_KEY: '${input:a-b-API_KEY-2}' }, 'y'],
        ['c', { API_KEY: '${input:c-API_KEY-2}' }, 'z'],
      ],
    );
  });

  const form = `ghp_${'a1'.repeat(18)}`;
  const rows: readonly {
    readonly name: string;
    readonly from: Readonly<Record<string, unknown>>;
    readonly to: Readonly<Record<string, unknown>>;
    readonly taken: Readonly<Record<string, string>>;
  }[] = [
    {
      name: 'behind an option',
      from: { args: ['-y', 'pkg', '--access-token', 'abc', '--port', '80'] },
      to: { args: ['-y', 'pkg', '--access-token', '${input:s-access-token}', '--port', '80'] },
      taken: { 's-access-token': 'abc' },
    },
    {
      name: 'in an option',
      from: { args: ['--api-key=a=b', '--mode=fast', '-token=x'] },
      to: { args: ['--api-key=${input:s-api-key}', '--mode=fast', '-token=${input:s-token}'] },
      taken: { 's-api-key': 'a=b', 's-token': 'x' },
    },
    {
      name: 'in a variable for a container',
      from: { args: ['run', '-e', 'API_KEY=abc', '-e', 'LANG=en', '-e', 'TOKEN', 'token-x:1'] },
      to: {
        args: [
          'run',
          '-e',
          'API_KEY=${input:s-API_KEY}',
          '-e',
          'LANG=en',
          '-e',
          'TOKEN',
          'token-x:1',
        ],
      },
      taken: { 's-API_KEY': 'abc' },
    },
    {
      name: 'in a header among the arguments',
      from: { args: ['--header', 'Authorization: Bearer abc', '-H', 'X-Api-Key:k', '-H', 'A: b'] },
      to: {
        args: [
          '--header',
          'Authorization: Bearer ${input:s-Authorization}',
          '-H',
          'X-Api-Key:${input:s-X-Api-Key}',
          '-H',
          'A: b',
        ],
      },
      taken: { 's-Authorization': 'abc', 's-X-Api-Key': 'k' },
    },
    {
      name: 'in the value of an option that names a variable or a header',
      from: { args: ['--env=API_KEY=abc', '-e=LANG=en', '--header=Authorization: Bearer xyz'] },
      to: {
        args: [
          '--env=API_KEY=${input:s-API_KEY}',
          '-e=LANG=en',
          '--header=Authorization: Bearer ${input:s-Authorization}',
        ],
      },
      taken: { 's-API_KEY': 'abc', 's-Authorization': 'xyz' },
    },
    {
      name: 'in JSON, in a script and in the words that name a database, but not what a program finds',
      from: {
        args: [
          '--config',
          '{"a":{"apiKey":"abcd"}}',
          '-c',
          'export TOKEN=$(get) API_KEY="efgh"; run',
        ],
        env: { DATABASE: 'Server=x;Password=ijkl;User=u' },
      },
      to: {
        args: [
          '--config',
          '{"a":{"apiKey":"${input:s-apiKey}"}}',
          '-c',
          'export TOKEN=$(get) API_KEY="${input:s-API_KEY}"; run',
        ],
        env: { DATABASE: 'Server=x;Password=${input:s-Password};User=u' },
      },
      taken: { 's-apiKey': 'abcd', 's-API_KEY': 'efgh', 's-Password': 'ijkl' },
    },
    {
      name: 'at the beginning of a script, of which the rest stays',
      from: { args: ['TOKEN="abcd" exec run', '/c:x', '--token:abc'] },
      to: { args: ['TOKEN="${input:s-TOKEN}" exec run', '/c:x', '--token:${input:s-token}'] },
      taken: { 's-TOKEN': 'abcd', 's-token': 'abc' },
    },
    {
      name: 'at the beginning of a script behind its option, without quotes',
      from: { args: ['-c', 'TOKEN=abcd exec run'] },
      to: { args: ['-c', 'TOKEN=${input:s-TOKEN} exec run'] },
      taken: { 's-TOKEN': 'abcd' },
    },
    {
      name: 'in their own place in a script, whatever else is called so or begins so',
      from: {
        args: ['-c', 'export A_TOKEN=postgres B_TOKEN=postgres-2 C=${P}; postgres-mcp s-A_TOKEN'],
      },
      to: {
        args: [
          '-c',
          'export A_TOKEN=${input:s-A_TOKEN} B_TOKEN=${input:s-B_TOKEN} C=${P}; postgres-mcp s-A_TOKEN',
        ],
      },
      taken: { 's-A_TOKEN': 'postgres', 's-B_TOKEN': 'postgres-2' },
    },
    {
      name: 'beside variables in JSON, in a script and in an address, and not in what holds one',
      from: {
        args: [
          '--config',
          '{"root":"${workspaceFolder}","apiKey":"abcd","token":"x-${env:T}"}',
          '-c',
          'export TOKEN=efgh A_TOKEN=x-${env:T}; run ${PORT}',
          'https://${env:USER}@h',
          'https://${env:USER}:ijkl@h',
        ],
      },
      to: {
        args: [
          '--config',
          '{"root":"${workspaceFolder}","apiKey":"${input:s-apiKey}","token":"x-${env:T}"}',
          '-c',
          'export TOKEN=${input:s-TOKEN} A_TOKEN=x-${env:T}; run ${PORT}',
          'https://${env:USER}@h',
          'https://${env:USER}:${input:s-password}@h',
        ],
      },
      taken: { 's-apiKey': 'abcd', 's-TOKEN': 'efgh', 's-password': 'ijkl' },
    },
    {
      name: 'in an address in a script, and in one whose password holds an @',
      from: { args: ['-c', 'psql "postgres://u:abc@h/db"; run', 'postgres://u:p@ss@h/db'] },
      to: {
        args: [
          '-c',
          'psql "postgres://u:${input:s-password}@h/db"; run',
          'postgres://u:${input:s-password-2}@h/db',
        ],
      },
      taken: { 's-password': 'abc', 's-password-2': 'p@ss' },
    },
    {
      name: 'in JSON at any depth, as numbers, and beside variables of an option that is called so',
      from: {
        args: [
          '{"a":"{\\"token\\":\\"abcd\\",\\"b\\":1}","pin":1234}',
          '--auth={"root":"${workspaceFolder}","token":"efgh","tokens":["ijkl",{"a":5678}]}',
          'TOKEN="a\\"bcd" exec run',
          '${env:A} ' + form,
        ],
      },
      to: {
        args: [
          '{"a":"{\\"token\\":\\"${input:s-token}\\",\\"b\\":1}","pin":${input:s-pin}}',
          '--auth={"root":"${workspaceFolder}","token":"${input:s-token-2}","tokens":["${input:s-tokens}",{"a":${input:s-a}}]}',
          'TOKEN="${input:s-TOKEN}" exec run',
          '${env:A}${input:s-argument-4}',
        ],
      },
      taken: {
        's-token': 'abcd',
        's-pin': '1234',
        's-token-2': 'efgh',
        's-tokens': 'ijkl',
        's-a': '5678',
        's-TOKEN': 'a\\"bcd',
        's-argument-4': ` ${form}`,
      },
    },
    {
      name: 'as passwords of users, and behind an option though they begin with a dash',
      from: { args: ['-u', 'me:abc', '--user=me:def', '-u', '1000:1000', '--token', '-9x', 'a'] },
      to: {
        args: [
          '-u',
          'me:${input:s-password}',
          '--user=me:${input:s-password-2}',
          '-u',
          '1000:1000',
          '--token',
          '${input:s-token}',
          'a',
        ],
      },
      taken: { 's-password': 'abc', 's-password-2': 'def', 's-token': '-9x' },
    },
    {
      name: 'by their form among the arguments',
      from: { args: [form, `--with=${form}`, 'plain'] },
      to: { args: ['${input:s-argument-1}', '--with=${input:s-with}', 'plain'] },
      taken: { 's-argument-1': form, 's-with': form },
    },
    {
      name: 'in the parameters of an address, whose other parts stay as they are',
      from: { url: 'https://h/a%20b?x=1&api_key=a%2Fb&y=%20#api_key=f' },
      to: {
        url: 'https://h/a%20b?x=1&api_key=${input:s-api_key}&y=%20#api_key=${input:s-api_key-2}',
      },
      taken: { 's-api_key': 'a%2Fb', 's-api_key-2': 'f' },
    },
    {
      name: 'in a parameter that is called key',
      from: { url: 'https://h/?key=abc' },
      to: { url: 'https://h/?key=${input:s-api_key}' },
      taken: { 's-api_key': 'abc' },
    },
    {
      name: 'in an address before its host',
      from: { url: 'https://me:abc@h:80/@x/y' },
      to: { url: 'https://me:${input:s-password}@h:80/@x/y' },
      taken: { 's-password': 'abc' },
    },
    {
      name: 'by their form in the path of an address',
      from: { url: `https://h/${form}/mcp?a=${form}` },
      to: { url: 'https://h/${input:s-path}/mcp?a=${input:s-a}' },
      taken: { 's-path': form, 's-a': form },
    },
    {
      name: 'in addresses among arguments and variables',
      from: {
        args: ['--url=https://h?token=t', 'https://h/x?token=u'],
        env: { DATABASE: 'postgres://me:abc@h/db' },
      },
      to: {
        args: ['--url=https://h?token=${input:s-token}', 'https://h/x?token=${input:s-token-2}'],
        env: { DATABASE: 'postgres://me:${input:s-password}@h/db' },
      },
      taken: { 's-password': 'abc', 's-token': 't', 's-token-2': 'u' },
    },
    {
      name: 'once, where one value stands in two places',
      from: { args: ['--token', 'abc', '--token=abc'] },
      to: { args: ['--token', '${input:s-token}', '--token=${input:s-token}'] },
      taken: { 's-token': 'abc' },
    },
    {
      name: 'nowhere in what is a variable already, or empty',
      from: {
        args: [
          '--token',
          '${env:T}',
          '--api-key=${input:k}',
          '--token',
          '--verbose',
          'C:\\token',
          '',
        ],
        url: 'https://h/?token=${input:t}&key=',
      },
      to: {
        args: [
          '--token',
          '${env:T}',
          '--api-key=${input:k}',
          '--token',
          '--verbose',
          'C:\\token',
          '',
        ],
        url: 'https://h/?token=${input:t}&key=',
      },
      taken: {},
    },
  ];
  for (const { name, from, to, taken } of rows)
    it(`are found ${name}`, () => {
      const { server, secrets } = takeSecrets({ name: 's', server: from });
      assert.deepEqual(server, to);
      const found = secrets.map(({ inputId, value }) => [inputId, value]);
      assert.deepEqual(Object.fromEntries(found), taken);
      assert.equal(found.length, Object.keys(taken).length);
    });
});
