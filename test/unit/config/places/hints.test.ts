import assert from 'node:assert/strict';
import { oauthKeys } from '../../../../src/mcp/auth/client/oauthConfig';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inEnglish } from '../../../../src/base/translate';
import { findHints } from '../../../../src/config/places/hints';
import {
  foreignKeys,
  otherNames,
  otherSignInNames,
  readKeys,
} from '../../../../src/config/places/knownKeys';
import { repositoryRoot } from '../../../support/paths';

const ofCopilot = { serversKey: 'mcpServers', timeUnit: 'ms' } as const;
const ofEditor = { serversKey: 'servers' } as const;

/** Returns the hints for a text, with or without a fix, each with the text that it marks. */
function hintsOf(
  text: string,
  file: Parameters<typeof findHints>[1] = ofCopilot,
  wanted?: 'moveToSettings' | 'moveDevelopment' | 'respell',
): string[] {
  const lines = text.split('\n');
  return findHints(text, file, inEnglish)
    .filter(({ fix }) => fix === wanted)
    .map(({ message, range }) => {
      const line = lines[range?.line ?? 0] ?? '';
      return `${line.slice(range?.character, range?.endCharacter)} ${message}`;
    });
}

const entry = (value: object, name = 'a') => JSON.stringify({ mcpServers: { [name]: value } });
const command = 'node';

describe('a hint', () => {
  const spaced = 'begins or ends with a space.';
  for (const [title, text, hints] of [
    ['a space before a command', entry({ command: ' node' }), [`" node" "command" ${spaced}`]],
    [
      'a space after an address',
      entry({ type: 'http', url: 'https://x ' }),
      [`"https://x " "url" ${spaced}`],
    ],
    [
      'a whole command line in place of a command',
      entry({ command: 'npx -y some/server' }),
      [
        '"npx -y some/server" "command" is the program alone. Its arguments belong in "args": "command": "npx", "args": ["-y", …].',
      ],
    ],
    ['a tab after a folder', entry({ command, cwd: '/a\t' }), [`"/a\\t" "cwd" ${spaced}`]],
    ['a space around a flag', entry({ command, args: ['-y ', ' a'] }), [`"-y " "-y" ${spaced}`]],
    ['a space in a name of env', entry({ command, env: { 'A ': '1' } }), [`"A " "A" ${spaced}`]],
    [
      'a space after a key',
      entry({ type: 'http', url: 'https://x', headers: { Authorization: 'Bearer a ' } }),
      [`"Bearer a " The value of "Authorization" ${spaced}`],
    ],
    ['a space after the name of a server', entry({ command }, 'a '), [`"a " "a" ${spaced}`]],
    [
      'what of development mode is not read',
      entry({ command, dev: { watch: ['!a'], debug: 'node' } }),
      [
        '["!a"] "watch" must be a glob or a list of globs, not all of them with a "!" before them.',
        '"node" "debug" must have a "type" of "node" / "debugpy" / "bun".',
      ],
    ],
    [
      'a revision that is not spoken',
      entry({ command, dev: { protocolVersion: '2025-13-01' } }),
      [
        '"2025-13-01" "protocolVersion" must be one of: 2024-11-05 / 2025-03-26 / 2025-06-18 / 2025-11-25 / 2026-07-28.',
      ],
    ],
    [
      'something that a client is never without',
      entry({ command, dev: { without: ['roots', 'mouth'] } }),
      [
        '["roots","mouth"] "without" must be a list of: roots / sampling / elicitation / tasks / apps / extensions.',
      ],
    ],
    ['what a client may be without', entry({ command, dev: { without: ['roots', 'apps'] } }), []],
    [
      'a debugger for an address',
      entry({ type: 'http', url: 'https://x', dev: { debug: { type: 'node' } } }),
      ['{"type":"node"} "debug" has no effect: only a server with a command can be debugged.'],
    ],
    [
      'an address without a type',
      entry({ url: 'https://x' }),
      ['"a" Add "type": "http". Without a type, some applications take this server for a program.'],
    ],
    [
      'an unknown key with a known one near it',
      entry({ comand: 'node', Args: [] }),
      [
        '"comand" "comand" is not a known key. Did you mean "command"?',
        '"Args" "Args" is not a known key. Did you mean "args"?',
      ],
    ],
    [
      'servers in the words of another application',
      '{ "servers": { "a": { "command": "node" } } }',
      [
        '"servers" Other applications that read this file look for servers below "mcpServers", not "servers".',
      ],
    ],
    [
      'servers below a key that nobody knows',
      '{\n"mcpserver": {}, "input": [] }',
      [
        '"mcpserver" "mcpserver" is not a known key. Did you mean "mcpServers"?',
        '"input" "input" is not a known key. Did you mean "inputs"?',
      ],
    ],
  ] as const)
    it(`is given for ${title}, at its place`, () => assert.deepEqual(hintsOf(text), hints));

  for (const [name, key] of Object.entries(otherNames))
    it(`is given for ${name}, which is ${key} here`, () =>
      assert.match(hintsOf(entry({ [name]: 'x' })).join(), new RegExp(`Did you mean "${key}"`)));

  for (const [title, value, file, hints] of [
    [
      'an address under another name',
      { type: 'http', httpUrl: 'https://x' },
      ofCopilot,
      ['"httpUrl" "httpUrl" is read as "url". Other applications may not know this spelling.'],
    ],
    [
      'a kind in another spelling',
      { type: 'streamable_http', url: 'https://x' },
      ofCopilot,
      ['"type" "type" is read as "type": "http". Other applications may not know this spelling.'],
    ],
    [
      'all of a server below its transport',
      { transport: { type: 'sse', url: 'https://x' } },
      ofEditor,
      [
        '"transport" "transport" is read as "type", "url". Other applications may not know this spelling.',
      ],
    ],
    [
      'a transport beside the type',
      { type: 'stdio', transport: 'stdio', command },
      ofEditor,
      ['"transport" "transport" repeats what "type" says.'],
    ],
    [
      'what Copilot writes, but in the file of the editor',
      { type: 'local', command },
      ofEditor,
      ['"type" "type" is read as "type": "stdio". Other applications may not know this spelling.'],
    ],
    ['what Copilot writes', { type: 'local', command }, ofCopilot, []],
  ] as const)
    it(`is given, with a fix, for ${title}`, () =>
      assert.deepEqual(
        hintsOf(JSON.stringify({ [file.serversKey]: { a: value } }), file, 'respell'),
        hints,
      ));

  for (const [title, value, file, hints] of [
    ['a time of Claude Code', { command, timeout: 60_000 }, ofCopilot, []],
    ['a time that names its unit', { command, tool_timeout_sec: 60 }, ofEditor, []],
    [
      'a time without a unit',
      { command, timeout: 60 },
      ofEditor,
      [
        '"timeout" "timeout" is not used: applications differ in whether it counts seconds or milliseconds. Use "timeouts": { "request": 60, "total": 60 }, in seconds.',
      ],
    ],
    [
      'a time that was meant in seconds',
      { command, timeout: 60 },
      ofCopilot,
      ['"timeout" "timeout" is not used: it is in milliseconds, and less than a second.'],
    ],
    [
      'a time that is a text',
      { command, request_timeout_ms: '60000' },
      ofEditor,
      [
        '"request_timeout_ms" "request_timeout_ms" is not used: it must be a number greater than 0.',
      ],
    ],
  ] as const)
    it(`is ${hints.length > 0 ? '' : 'not '}given for ${title}`, () =>
      assert.deepEqual(hintsOf(JSON.stringify({ [file.serversKey]: { a: value } }), file), hints));

  const remote = { type: 'http', url: 'https://x' };
  for (const [name, key] of Object.entries(otherSignInNames))
    it(`is given for oauth.${name}, which is oauth.${key} here`, () =>
      assert.deepEqual(hintsOf(entry({ ...remote, oauth: { [name]: {} } })), [
        `"${name}" "oauth.${name}" is not a known key. Did you mean "oauth.${key}"?`,
      ]));

  for (const name of ['authServerMetadataUrl', 'authorizationUrl', 'enabled', 'constructor'])
    it(`is given for oauth.${name}, which means nothing here`, () =>
      assert.deepEqual(hintsOf(entry({ ...remote, oauth: { clientId: 'a', [name]: true } })), [
        `"${name}" "oauth.${name}" is not a known key and is not read.`,
      ]));

  it('is given for another way to sign in beside the one that is read', () =>
    assert.deepEqual(hintsOf(entry({ ...remote, oauth: { provider: 'acme', idp: {} } })), [
      '"idp" "oauth.idp" is not a known key and is not read.',
    ]));

  it('is not given for what is read of a sign-in', () => {
    const oauth = Object.fromEntries(oauthKeys.map((key) => [key, 'a']));
    assert.deepEqual(hintsOf(entry({ ...remote, oauth })), []);
  });

  for (const [application, value] of [
    ['VS Code', { command, envFile: '', dev: { watch: '' }, sandboxEnabled: true, sandbox: {} }],
    ['VS Code', { ...remote, oauth: { clientId: '' }, dev: {}, gallery: '', version: '' }],
    ['Cursor', { ...remote, headers: {}, auth: { CLIENT_ID: '', CLIENT_SECRET: '', scopes: [] } }],
    ['Claude Code', { ...remote, headersHelper: '', oauth: {}, timeout: 1000, alwaysLoad: true }],
    [
      'Copilot',
      { type: 'local', command, args: [], tools: [], cwd: '', timeout: 1000, oidc: true },
    ],
    ['Copilot', { command, deferTools: '', disableToolCache: true, slowConnectionThresholdMs: 1 }],
    ['Copilot', { ...remote, oauthClientId: '', oauthScopes: [], oauthPublicClient: true }],
    ['Copilot', { ...remote, oauthGrantType: '', filterMapping: {}, excludeTools: [] }],
  ] as const)
    it(`is not given for what ${application} documents: ${Object.keys(value).join(', ')}`, () =>
      assert.deepEqual(hintsOf(entry(value)), []));

  for (const key of [...readKeys, ...foreignKeys])
    it(`is not given for ${key}, which an application reads`, () =>
      assert.deepEqual(hintsOf(entry({ [key]: 1000, type: 'stdio' })), []));

  for (const [title, text, file] of [
    ['an empty file', '', ofCopilot],
    ['a list', '[]', ofCopilot],
    ['a server that is a text', '{"mcpServers":{"a":"node"}}', ofCopilot],
    ['a path with a blank in it', entry({ command: '/opt/my programs/serve' }), ofCopilot],
    ['a space in an argument', entry({ command, args: ['a ', ' b', '--x= y'] }), ofCopilot],
    [
      'the break at the end of a key',
      entry({ command, env: { KEY: '-----END-----\n' } }),
      ofCopilot,
    ],
    ['a key that is like one of others', entry({ command, timeou: 1 }), ofCopilot],
    ['a key that is like none', entry({ command, documentation: 'x' }), ofCopilot],
    ['a key beside the one it is like', entry({ command, args: [], arg: [] }), ofCopilot],
    ['both ways to list servers', '{"servers":{},"mcpServers":{}}', ofCopilot],
    ['what stands at the top of a file', '{"$schema":"x","inputs":[],"mcpServers":{}}', ofCopilot],
    ['an address of VS Code', '{"servers":{"a":{"url":"https://x"}},"sandbox":{}}', ofEditor],
    [
      'what is beside the servers',
      '{"server":1,"c":{"servers":{}}}',
      { ...ofEditor, parent: ['c'] },
    ],
  ] as const)
    it(`is not given for ${title}`, () => assert.deepEqual(hintsOf(text, file), []));

  it('is given below the object that has the servers', () =>
    assert.equal(hintsOf('{"c":{"mcpServers":{}}}', { ...ofEditor, parent: ['c'] }).length, 1));

  it('is given a hundred times at most, however long what it names', () => {
    const fields = Array.from({ length: 500 }, (_, i) => [`${' '.repeat(i)}env`, 'x'] as const);
    const all = findHints(entry({ env: Object.fromEntries(fields) }), ofCopilot, inEnglish);
    assert.equal(all.length, 100);
    assert.ok(all.every(({ message }) => message.length < 200));
  });

  it('goes by the keys that the schema of these files knows', () => {
    const schema = JSON.parse(
      readFileSync(join(repositoryRoot, 'media', 'mcp.schema.json'), 'utf8'),
    ) as {
      definitions: { server: { properties: Record<string, { deprecationMessage?: string }> } };
    };
    const known = Object.entries(schema.definitions.server.properties)
      .filter(([, { deprecationMessage }]) => !deprecationMessage)
      .map(([key]) => key);
    assert.deepEqual(readKeys.toSorted(), known.toSorted());
  });
});

describe('a server that other applications cannot use from its file', () => {
  const url = 'https://example.com/mcp';
  for (const [what, value] of [
    ['cwd', { command, cwd: 'a' }],
    ['envFile', { command, envFile: '.env' }],
    ['oauth', { type: 'http', url, oauth: { clientId: 'a' } }],
    ['"type": "sse"', { type: 'sse', url }],
    ['${input:…}', { command, env: { KEY: '${input:key}' } }],
    ['sandboxEnabled', { command, sandboxEnabled: true }],
    ['cwd, envFile, ${input:…}', { command, cwd: 'a', envFile: 'b', args: ['${input:c}'] }],
  ] as const) {
    it(`is marked with ${what}, and can move to the settings`, () =>
      assert.deepEqual(hintsOf(entry(value), ofCopilot, 'moveToSettings'), [
        `"a" Other applications that read this file cannot use ${what}.`,
      ]));

    it(`is not marked with ${what} in a file of the editor`, () =>
      assert.deepEqual(
        hintsOf(entry(value).replace('mcpServers', 'servers'), ofEditor, 'moveToSettings'),
        [],
      ));
  }

  it('is not marked with what they all have', () => {
    const plain = { command, args: ['${HOME}'], env: { A: '${B}' }, tools: ['*'] };
    assert.deepEqual(hintsOf(entry(plain), ofCopilot, 'moveToSettings'), []);
  });
});

describe('development in a file', () => {
  const inServers = entry({ command, dev: { watch: 'a' } }).replace('mcpServers', 'servers');
  for (const [title, text, file, marked] of [
    ['that the editor acts on', inServers, { ...ofEditor, isOfEditor: true }, true],
    ['in which nothing is developed', entry({ command }), { ...ofEditor, isOfEditor: true }, false],
    ['that the editor does not read', inServers, ofEditor, false],
    ['whose `dev` the editor does not read', entry({ command, dev: {} }), ofCopilot, false],
  ] as const)
    it(`${marked ? 'is' : 'is not'} marked to be moved: one ${title}`, () => {
      const hints = hintsOf(text, file, 'moveDevelopment');
      assert.equal(hints.length, marked ? 1 : 0);
      if (marked)
        assert.match(hints[0] ?? '', /^"a" Because of "dev" in this file, the editor’s own client/);
    });
});
