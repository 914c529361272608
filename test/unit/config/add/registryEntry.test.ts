import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { readCopied } from '../../../../src/config/add/snippet';

const $schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
const read = (entry: object) =>
  structuredClone(
    readCopied(JSON.stringify({ $schema, name: 'io.example/weather', ...entry }), inEnglish),
  );
const stdio = { type: 'stdio' };
const one = (fields: object) => read({ packages: [{ transport: stdio, ...fields }] });

describe('a server.json of the registry', () => {
  const key = { name: 'API_KEY', description: 'Key', isRequired: true, isSecret: true };
  const lines: readonly [title: string, fields: object, line: readonly string[]][] = [
    [
      'npm',
      { registryType: 'npm', identifier: '@a/b', version: '1.0.2' },
      ['npx', '-y', '@a/b@1.0.2'],
    ],
    [
      'npm with arguments',
      {
        registryType: 'npm',
        identifier: 'b',
        runtimeArguments: [{ type: 'named', name: '-y' }],
        packageArguments: [
          { type: 'positional', value: 'start' },
          { type: 'positional', valueHint: 'dir', isRequired: true },
          { type: 'positional', valueHint: 'other' },
          { type: 'named', name: '--mode', default: 'local', choices: ['local', 'proxy'] },
          { type: 'named', name: '--port', format: 'number' },
          { type: 'named', name: '--quiet' },
          { type: 'named', name: '--to', value: '{a}-{b}', variables: { a: { default: 'x' } } },
        ],
      },
      ['npx', '-y', 'b', 'start', '${input:weather-dir}', '--mode', 'local', '--quiet'].concat(
        '--to',
        'x-{b}',
      ),
    ],
    ['pypi', { registryType: 'pypi', identifier: 'b', version: '0.5.0' }, ['uvx', 'b==0.5.0']],
    [
      'nuget',
      {
        registryType: 'nuget',
        identifier: 'A.B',
        version: '0.4.0-beta',
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
      ['dnx', 'A.B@0.4.0-beta', '--yes', '--', 'mcp'],
    ],
    [
      'an image with its version',
      { registryType: 'oci', identifier: 'ghcr.io/a/b:1.0', environmentVariables: [key] },
      ['docker', 'run', '-i', '--rm', '-e', 'API_KEY', 'ghcr.io/a/b:1.0'],
    ],
    [
      'an image as older entries name it',
      {
        registry_type: 'oci',
        registry_base_url: 'https://ghcr.io',
        identifier: 'a/b',
        version: '1.0',
        runtime_arguments: [
          { type: 'named', name: '--mount', value: 'src={from}', variables: { from: {} } },
        ],
      },
      ['docker', 'run', '-i', '--rm', '--mount', 'src=${input:weather-from}', 'ghcr.io/a/b:1.0'],
    ],
  ];
  for (const [title, fields, line] of lines)
    it(`is started as its package wants: ${title}`, () => {
      const [found] = one(fields).servers;
      assert.deepEqual([found?.server['command'], found?.server['args']], [line[0], line.slice(1)]);
      assert.equal(found?.name, 'weather');
    });

  it('makes inputs of what a user has to give, and keeps defaults', () => {
    const [found] = one({
      registryType: 'npm',
      identifier: 'b',
      environmentVariables: [
        key,
        { name: 'UNITS', isRequired: true, choices: ['c', 'f'], default: 'c' },
        { name: 'LEVEL', default: 'info' },
        { name: 'OPTIONAL' },
        { name: '__proto__', value: 'odd' },
      ],
    }).servers;
    assert.deepEqual(Object.entries(found?.server['env'] as object), [
      ['API_KEY', '${input:weather-API_KEY}'],
      ['UNITS', '${input:weather-UNITS}'],
      ['LEVEL', 'info'],
      ['__proto__', 'odd'],
    ]);
    assert.deepEqual(found?.inputs, [
      { id: 'weather-API_KEY', description: 'Key', type: 'promptString', password: true },
      {
        id: 'weather-UNITS',
        description: 'UNITS',
        default: 'c',
        type: 'pickString',
        options: ['c', 'f'],
      },
    ]);
  });

  it('is a choice where it can be started and reached in several ways', () => {
    const { servers, isChoice } = read({
      packages: [{ registryType: 'npm', identifier: 'b', transport: stdio }],
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://{tenant}.a.b/mcp',
          variables: { tenant: { description: 'Tenant' } },
          headers: [{ name: 'X-Key', isRequired: true, isSecret: true }, { name: 'X-Region' }],
        },
        { transport_type: 'sse', url: 'https://a.b/sse' },
      ],
    });
    assert.equal(isChoice, true);
    assert.deepEqual(
      servers.slice(1).map(({ server }) => server),
      [
        {
          type: 'http',
          url: 'https://${input:weather-tenant}.a.b/mcp',
          headers: { 'X-Key': '${input:weather-X-Key}' },
        },
        { type: 'sse', url: 'https://a.b/sse' },
      ],
    );
  });

  it("is read from the registry's answer too", () => {
    const server = { name: 'a/b', remotes: [{ type: 'sse', url: 'https://a.b' }] };
    const { servers } = readCopied(JSON.stringify({ server, _meta: {} }), inEnglish);
    assert.deepEqual(servers, [{ name: 'b', server: { type: 'sse', url: 'https://a.b' } }]);
  });

  const refused: readonly [title: string, entry: object, problem: RegExp][] = [
    ['nothing to start', {}, /"io.example\/weather" lists no packages and no remotes/],
    ['empty lists', { packages: [], remotes: [] }, /lists no packages and no remotes/],
    ['odd lists', { packages: 'x', remotes: [7] }, /lists no packages and no remotes/],
    ['a bundle', { packages: [{ registryType: 'mcpb', identifier: 'a' }] }, /here: mcpb/],
    [
      'another registry',
      {
        packages: [
          { registryType: 'npm', registryBaseUrl: 'https://npm.example.com', identifier: 'a' },
        ],
      },
      /No package of .* here: npm/,
    ],
    [
      'an option for a name',
      { packages: [{ registryType: 'npm', identifier: '--call=rm' }] },
      /No package of/,
    ],
    [
      'an option for a version',
      { packages: [{ registryType: 'oci', identifier: 'a', version: '1 --privileged' }] },
      /No package of/,
    ],
    [
      'a package that is reached by a URL',
      { packages: [{ registryType: 'npm', identifier: 'a', transport: { type: 'sse' } }] },
      /No package of/,
    ],
    [
      'a type that objects inherit',
      { packages: [{ registryType: 'constructor', identifier: 'a' }] },
      /here: constructor/,
    ],
  ];
  for (const [title, entry, problem] of refused)
    it(`gets one sentence: ${title}`, () => {
      const { servers, problem: told } = read(entry);
      assert.deepEqual(servers, []);
      assert.match(told ?? '', problem);
    });
});
