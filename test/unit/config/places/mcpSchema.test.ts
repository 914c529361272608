import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../../package.json';
import { mergeLayers } from '../../../../src/config/mergeLayers';
import { spokenRevisions } from '../../../../src/mcp/protocol/revisions';
import type { JsonSchema } from '../../../../src/mcp/protocol/types';
import { repositoryRoot } from '../../../support/paths';
import { schemaCheck } from '../../../support/schemaChecks';

interface ObjectSchema {
  readonly properties: Readonly<
    Record<string, { readonly description?: string; readonly deprecationMessage?: string }>
  >;
}

const schema = JSON.parse(
  readFileSync(join(repositoryRoot, 'media', 'mcp.schema.json'), 'utf8'),
) as JsonSchema & { readonly definitions: { readonly server: ObjectSchema } };

const inFiles = schema.definitions.server.properties;
const [servers] = manifest.contributes.configuration;
const inSettings = servers?.properties['mcpWorkbench.servers']?.additionalProperties.properties;

/** Returns an object that records which of its keys are read. */
function noting(value: object, read: Set<string>): object {
  return new Proxy(value, {
    get(target, key) {
      if (typeof key === 'string') read.add(key);
      return Reflect.get(target, key) as unknown;
    },
  });
}

/** Returns the keys of an entry, or of its part `part`, that are read for a server of either type. */
function readKeys(part?: string): string[] {
  const read = new Set<string>();
  const own = part === undefined ? {} : { [part]: noting({}, read) };
  for (const entry of [
    { type: 'stdio', command: 'node', ...own },
    { type: 'http', url: 'https://example.com/mcp', ...own },
  ]) {
    const value = part === undefined ? noting(entry, read) : entry;
    const place = { scope: 'user', label: '', inputs: undefined, problems: [] } as const;
    const { problems } = mergeLayers([{ ...place, entries: [{ name: 'a', value }] }]);
    assert.deepEqual(problems, []);
  }
  return [...read].toSorted();
}

const sorted = (part: object | undefined) => Object.keys(part ?? {}).toSorted();

describe('the schema of files with servers', () => {
  it('knows the keys that are read, and marks all others', () => {
    const known = Object.entries(inFiles).filter(
      ([, { deprecationMessage }]) => !deprecationMessage,
    );
    assert.deepEqual(sorted(Object.fromEntries(known)), readKeys());
  });

  for (const part of ['oauth', 'timeouts', 'dev'] as const)
    it(`knows the keys of "${part}" that are read, as the setting does`, () => {
      assert.deepEqual(
        sorted((inFiles[part] as ObjectSchema | undefined)?.properties),
        readKeys(part),
      );
      assert.deepEqual(sorted(inSettings?.[part].properties), readKeys(part));
    });

  it('offers every revision that is spoken, and no other', () => {
    const inFile = schema.definitions.server.properties['dev'] as unknown as typeof inSetting;
    const inSetting = servers?.properties['mcpWorkbench.development']?.additionalProperties;
    for (const one of [inFile, inSetting, inSettings?.dev])
      assert.deepEqual(one?.properties.protocolVersion.enum, [...spokenRevisions]);
  });

  it('knows what the setting knows, and what only other applications write', () => {
    const foreign = ['enabled', 'excludeTools', 'sandbox', 'sandboxEnabled'];
    assert.deepEqual([...sorted(inSettings), ...foreign].toSorted(), readKeys());
  });

  it('is for the files that the editor has no schema of its own for', () => {
    const { fileMatch } =
      manifest.contributes.jsonValidation.find(({ url }) => url === './media/mcp.schema.json') ??
      {};
    assert.deepEqual(fileMatch, ['.mcp.json', '.github/mcp.json', '.copilot/mcp-config.json']);
  });

  it('describes every key where the editor shows it: beside a reference it would not', () => {
    const parts: unknown[] = [schema];
    for (const part of parts)
      if (typeof part === 'object' && part !== null) {
        if ('$ref' in part) assert.deepEqual(Object.keys(part), ['$ref']);
        parts.push(...Object.values(part));
      }
    for (const [key, part] of Object.entries(inFiles)) assert.ok(part.description, key);
  });

  const kindOf = async (value: object) => (await schemaCheck().check(schema, value)).kind;
  const entry = (value: unknown) => ({ mcpServers: { a: value } });
  const command = 'node';
  const url = 'https://example.com/mcp';

  for (const [title, value] of [
    ['nothing', {}],
    ['a program', entry({ command, args: ['a'], env: { A: '1', B: 2, C: null }, cwd: '.' })],
    ['a program as Copilot writes it', entry({ type: 'local', command, tools: ['*'], timeout: 9 })],
    ['an address of another spelling', entry({ type: 'streamable_http', serverUrl: url })],
    ['a server below its transport', entry({ transport: { type: 'sse', url } })],
    ['an address as Claude Code writes it', entry({ type: 'http', url, headersHelper: 'x' })],
    ['an address as Cursor writes it', entry({ url, auth: { CLIENT_ID: 'x', scopes: ['a'] } })],
    ['an address that is a variable', entry({ url: '${env:ADDRESS}' })],
    ['what VS Code writes', { servers: { a: { command, dev: {}, sandboxEnabled: true } } }],
    ['a server that is off', entry({ command, disabled: true, enabled: false })],
    ['an input', { inputs: [{ id: 'a', type: 'pickString', options: ['x', { value: 'y' }] }] }],
  ] as const)
    it(`takes ${title}`, async () => assert.equal(await kindOf(value), 'valid'));

  for (const [title, value] of [
    ['a list of servers', { mcpServers: [] }],
    ['a server that is a text', entry('node')],
    ['neither program nor address', entry({ args: [] })],
    ['arguments in one text', entry({ command, args: 'a b' })],
    ['a variable that is a list', entry({ command, env: { A: [] } })],
    ['another type', entry({ type: 'websocket', url })],
    ['an address of another kind', entry({ url: 'ftp://example.com' })],
    ['an input without an id', { inputs: [{ type: 'promptString' }] }],
  ] as const)
    it(`refuses ${title}`, async () => assert.equal(await kindOf(value), 'invalid'));
});
