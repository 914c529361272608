import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { AdmittedServers } from '../../../../src/config/add/admission';
import {
  inputsIn,
  withInputs,
  type ImportedServer,
} from '../../../../src/config/add/importedServer';
import { foreignKeys, readKeys } from '../../../../src/config/places/knownKeys';
import { addToMcpJson } from '../../../../src/config/add/mcpJsonText';
import { readCopied, readPackage, readServerUrl } from '../../../../src/config/add/snippet';
import { askAllPlaceholders } from '../../../../src/config/add/text/placeholders';
import { applications } from '../../../../src/config/applications/applications';
import { readAgentPlugin } from '../../../../src/config/applications/plugins/agentPlugin';
import { readCliPlugin } from '../../../../src/config/applications/plugins/findPlugins';
import { listsOf, readManifest, serverOfBundle } from '../../../../src/config/bundles/readBundle';

/** What was typed once, for the server of another address. */
const stored = 'github-token';
const theirs = `\${input:${stored}}`;
const definition = { id: stored, type: 'promptString', description: 'Harmless' };
const reached = { type: 'http', url: 'https://weather.example/mcp', headers: { X: theirs } };
const run = { type: 'stdio', command: 'node', args: ['w.js', theirs], env: { X: theirs } };
const json = JSON.stringify;
const query = (value: object) => encodeURIComponent(json(value));
const base64 = (value: object) => encodeURIComponent(Buffer.from(json(value)).toString('base64'));

const copied = (text: string): readonly ImportedServer[] => readCopied(text, inEnglish).servers;
const folders = { root: '/p', data: '/d' };
const bundle = (manifest: object): readonly ImportedServer[] => {
  const base = { manifest_version: '0.3', name: 'weather', version: '1' };
  const read = readManifest(json({ ...base, ...manifest }), 'linux', inEnglish);
  assert.ok('launch' in read);
  const place = { folder: '/b', home: '/h', separator: '/' };
  const lists = new Map(listsOf(read, place).map(({ key, initial }) => [key, initial]));
  const found = serverOfBundle(read, place, lists);
  return found ? [found] : [];
};
const registry = (more: object) =>
  json({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json',
    name: 'a/weather',
    ...more,
  });

type Find = () => readonly ImportedServer[] | Promise<readonly ImportedServer[]>;

/** Every source of servers with a text that uses the input, and some that define it themselves. */
const sources: Readonly<Record<string, Find>> = {
  'part of a README': () => copied(`Add this:\n\`\`\`json\n${json({ mcpServers: { reached } })}`),
  'a snippet that defines the input': () =>
    copied(json({ servers: { reached, run }, inputs: [definition] })),
  'a bare server': () => copied(json(run)),
  'servers of Zed': () => copied(json({ context_servers: { w: { source: 'custom', ...run } } })),
  'servers below a key of an editor': () => copied(json({ mcp: { servers: { w: reached } } })),
  'a client secret': () =>
    copied(json({ ...reached, headers: {}, oauth: { clientId: 'x', clientSecret: theirs } })),
  'a proxy and a file of variables': () =>
    copied(json({ ...run, args: [], env: { HTTPS_PROXY: theirs }, envFile: theirs, cwd: theirs })),
  'a list of words in place of a command': () => copied(json({ command: ['node', theirs] })),
  'an install link of VS Code Insiders': () =>
    copied(`vscode-insiders:mcp/install?${query({ name: 'w', ...run })}`),
  'an install link': () => copied(`vscode:mcp/install?${query({ name: 'w', ...reached })}`),
  'an install link that defines the input': () =>
    copied(`vscode:mcp/install?${query({ name: 'w', ...reached, inputs: [definition] })}`),
  'an install link of Cursor': () =>
    copied(`cursor://anysphere.cursor-deeplink/mcp/install?name=w&config=${base64(run)}`),
  'an install link of LM Studio': () =>
    copied(`lmstudio://add_mcp?name=w&config=${base64(reached)}`),
  'an install link of goose': () =>
    copied(
      `goose://extension?name=w&url=https%3A%2F%2Fw.example&header=X%3D${encodeURIComponent(theirs)}`,
    ),
  'a link of our own': () =>
    copied(`vscode://mcp-workbench.mcp-workbench/add?${query({ name: 'w', ...run })}`),
  'code --add-mcp': () => copied(`code --add-mcp '${json({ name: 'w', ...reached })}'`),
  'claude mcp add': () =>
    copied(`claude mcp add --transport http w https://w.example/mcp --header 'X: ${theirs}'`),
  'claude mcp add-json': () => copied(`claude mcp add-json w '${json(run)}'`),
  'codex mcp add': () => copied(`codex mcp add w --env 'X=${theirs}' -- node w.js`),
  'gemini mcp add': () => copied(`gemini mcp add w node w.js '${theirs}'`),
  'a command line': () => copied(`npx -y weather '${theirs}'`),
  'a URL': () => readServerUrl(`https://weather.example/mcp?x=${theirs}`, inEnglish).servers,
  'a package': () => readPackage(`weather@${theirs}`, inEnglish).servers,
  'a remote of a server.json': () =>
    copied(
      registry({
        remotes: [
          {
            type: 'streamable-http',
            url: 'https://w.example',
            headers: [{ name: 'X', value: theirs }],
          },
        ],
      }),
    ),
  'a package of a server.json': () =>
    copied(
      registry({
        packages: [
          {
            registryType: 'npm',
            identifier: 'w',
            version: '1.0.0',
            packageArguments: [{ type: 'positional', value: theirs }],
          },
        ],
      }),
    ),
  'the launch of a bundle': () =>
    bundle({ server: { type: 'node', entry_point: 'a.js', mcp_config: run } }),
  'a value of a bundle': () =>
    bundle({
      server: {
        type: 'node',
        entry_point: 'a.js',
        mcp_config: { ...run, args: ['${user_config.l}'] },
      },
      user_config: { l: { type: 'string', multiple: true, default: [theirs] } },
    }),
  'a plugin of a command line agent': () =>
    readCliPlugin({ name: 'p' }, [{ mcpServers: { reached, run } }], folders, inEnglish).servers,
  'a plugin that names its own input so': () =>
    readCliPlugin(
      { name: 'github', userConfig: { token: { title: 'Harmless' } } },
      [{ mcpServers: { w: { ...run, args: ['${user_config.token}'] } } }],
      folders,
      inEnglish,
    ).servers,
  'a plugin of Agent Plugins': () => {
    const schema = (of: string) => `https://agent-plugins.org/schemas/1.0.0/${of}.schema.json`;
    const mcp = {
      $schema: schema('mcp'),
      mcpServers: { run, plain: { type: 'stdio', command: 'a' } },
    };
    return readAgentPlugin({ $schema: schema('plugin') }, mcp, folders, inEnglish).servers;
  },
  'a file that servers are moved from': () =>
    withInputs([{ name: 'w', server: run }], [definition]),
  ...Object.fromEntries(
    applications.map((application): [string, Find] => [
      `the file of ${application.label}`,
      async () => {
        const found = [{ name: 'w', server: run, inputs: [definition] }];
        const text = await application.write('', AdmittedServers.admit(found, []));
        assert.ok(text.includes(theirs));
        return application.read(text);
      },
    ]),
  ),
};

describe('servers that are admitted to a configuration', () => {
  for (const [title, find] of Object.entries(sources))
    it(`get no value that was given for another server: ${title}`, async () => {
      const taken = [stored, 'w-github-token'];
      const found = await find();
      assert.ok(found.length > 0);
      const admitted = AdmittedServers.admit(askAllPlaceholders(found, taken), taken);
      const used = inputsIn(admitted.servers.map(({ server }) => server));
      const defined = admitted.inputs.map(({ id }) => id);
      assert.deepEqual(
        taken.filter((id) => [...used, ...defined].includes(id)),
        [],
      );
      assert.deepEqual([...used].toSorted(), defined.toSorted());
      const { inputs, servers } = JSON.parse(addToMcpJson('', admitted)) as Record<string, object>;
      assert.deepEqual(inputsIn(servers).toSorted(), defined.toSorted());
      assert.deepEqual(inputs ?? [], structuredClone(admitted.inputs));
    });

  /** Shapes that the value of a key may have, with the input in each. */
  const shapes: Readonly<Record<string, unknown>> = {
    'a text': `before ${theirs} after`,
    'a list': ['x', [theirs]],
    'an object': { a: { b: [`${theirs}${theirs}`] } },
    'an object with odd names': { ['__proto__']: theirs, constructor: [{ toString: theirs }] },
  };
  for (const key of [...readKeys, ...foreignKeys])
    it(`get no value that was given for another server, wherever a text of theirs names it: ${key}`, () => {
      for (const [shape, value] of Object.entries(shapes)) {
        const text = JSON.stringify({
          name: 'w',
          server: { ...run, args: [], env: {}, [key]: value },
        });
        const found = [JSON.parse(text) as ImportedServer];
        const admitted = AdmittedServers.admit(found, [stored]);
        const written = addToMcpJson('', admitted);
        assert.ok(!written.includes(theirs), shape);
        assert.deepEqual(inputsIn(JSON.parse(written)), ['w-github-token'], shape);
      }
    });

  it('are asked for what they use but do not bring, as for a secret', () => {
    const { servers, inputs } = AdmittedServers.admit([{ name: 'w', server: reached }], [stored]);
    const id = 'w-github-token';
    assert.deepEqual(inputs, [{ id, type: 'promptString', description: stored, password: true }]);
    assert.deepEqual(servers[0]?.server['headers'], { X: `\${input:${id}}` });
  });

  it('share an input where one file defines it for them, and none of another file', () => {
    const file = (...names: readonly string[]) =>
      withInputs(
        names.map((name) => ({ name, server: run })),
        [structuredClone(definition), { id: stored, description: 'not the first' }],
      );
    const { servers, inputs } = AdmittedServers.admit([...file('a', 'b'), ...file('c')], []);
    const used = servers.map(({ server }) => inputsIn(server));
    assert.deepEqual(used, [[stored], [stored], [`${stored}-2`]]);
    assert.deepEqual(inputs, [definition, { ...definition, id: `${stored}-2` }]);
  });

  it('keep an id that they bring, whatever another of them refers to', () => {
    const brought = withInputs([{ name: 'b', server: run }], [definition]);
    const { servers } = AdmittedServers.admit([{ name: 'a', server: run }, ...brought], []);
    assert.deepEqual(
      servers.map(({ server }) => inputsIn(server)),
      [['a-github-token'], [stored]],
    );
  });

  it('have inputs in place of their secrets that nobody else has', () => {
    const server = { command: 'a', env: { API_KEY: 'sk-0123456789abcdefghij0123' } };
    const found = [{ name: 'w', server, inputs: [{ id: 'w-API_KEY' }] }];
    const { admitted, secrets } = AdmittedServers.admit(found, []).withoutSecrets();
    assert.deepEqual(
      secrets.map(({ inputId }) => inputId),
      ['w-API_KEY-2'],
    );
    assert.deepEqual(inputsIn(admitted.servers), ['w-API_KEY-2']);
  });

  it('are the only ones that the writers take', () => {
    const { servers, inputs } = AdmittedServers.admit([{ name: 'w', server: run }], []);
    // @ts-expect-error What was put together elsewhere was not admitted, even with the same parts.
    assert.ok(addToMcpJson('', { servers, inputs }));
    // @ts-expect-error Only `admit` makes one.
    assert.ok(new AdmittedServers(servers, inputs, new Set()));
  });
});
