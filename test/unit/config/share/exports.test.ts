import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { applications } from '../../../../src/config/applications/applications';
import { addToFile, ownServers } from '../../../../src/config/share/exportServers';
import { carry } from '../../../../src/config/share/carry';
import { shareable } from '../../../../src/config/share/shareable';
import { samples } from '../applications/samples';

const places = {
  userHome: '/home/me',
  pathSeparator: '/',
  workspaceFolder: (name?: string) => (name === undefined ? '/work' : undefined),
};
const secret = 'ghp_0123456789abcdefghij0123';

/** The servers as configured here. */
const configured: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  plain: {
    command: 'npx',
    args: ['-y', 'plain@1.0.0', '${userHome}/notes'],
    env: { REGION: 'eu' },
  },
  keyed: { command: 'npx', args: ['keyed'], env: { API_KEY: secret } },
  remote: { type: 'http', url: 'https://example.com/remote', headers: { 'X-Team': 'a' } },
  guarded: {
    type: 'http',
    url: 'https://example.com/g',
    headers: { Authorization: `Bearer ${secret}` },
  },
  old: { type: 'sse', url: 'https://example.com/sse' },
};

/** What replaces the key and the token, as seen when they are read back; `undefined` if they are left out. */
const editorStyle = { key: '${env:API_KEY}', token: 'Bearer ${env:GUARDED_AUTHORIZATION}' };
const shellStyle = { key: '${API_KEY}', token: 'Bearer ${GUARDED_AUTHORIZATION}' };
const references: Readonly<Record<string, { readonly key?: string; readonly token?: string }>> = {
  'VS Code': { key: '${input:keyed-API_KEY}', token: 'Bearer ${input:guarded-Authorization}' },
  'Claude Desktop': {},
  'Claude Code': shellStyle,
  'Copilot CLI': { key: shellStyle.key },
  Cursor: editorStyle,
  Windsurf: editorStyle,
  Cline: editorStyle,
  'Roo Code': editorStyle,
  Continue: editorStyle,
  Zed: {},
  'Gemini CLI': shellStyle,
  Codex: editorStyle,
  goose: { key: editorStyle.key, token: shellStyle.token },
};
const processesOnly = new Set(['Claude Desktop']);
const withoutSse = new Set(['Claude Desktop', 'Windsurf', 'Zed', 'Codex', 'goose']);

describe('servers that are exported', () => {
  for (const application of applications) {
    const { label } = application;
    const carried = Object.entries(configured).map(([name, value]) => {
      const found = shareable(name, value, []);
      assert.ok(found);
      return { name, ...carry(found, application, places, inEnglish) };
    });
    const found = carried.flatMap((one) => one.found ?? []);

    it(`and imported again from ${label} are the same, without a secret in the file`, async () => {
      const { key, token } = references[label] ?? assert.fail(`${label} is in no table`);
      for (const before of ['', samples[label]?.[0] ?? '']) {
        const text = await addToFile(application, before, found, inEnglish);
        assert.ok(!text.includes(secret));
        const read = new Map((await application.read(text)).map((one) => [one.name, one.server]));
        assert.deepEqual(structuredClone(read.get('plain')), {
          type: 'stdio',
          ...configured['plain'],
          args: ['-y', 'plain@1.0.0', '/home/me/notes'],
        });
        assert.deepEqual(structuredClone(read.get('keyed')), {
          type: 'stdio',
          command: 'npx',
          args: ['keyed'],
          ...(key !== undefined && { env: { API_KEY: key } }),
        });
        if (processesOnly.has(label)) continue;
        assert.deepEqual(structuredClone(read.get('remote')), configured['remote']);
        assert.deepEqual(structuredClone(read.get('guarded')), {
          type: 'http',
          url: 'https://example.com/g',
          ...(token !== undefined && { headers: { Authorization: token } }),
        });
        if (!withoutSse.has(label))
          assert.deepEqual(structuredClone(read.get('old')), configured['old']);
      }
    });

    it(`leave everything else in the file of ${label} as it is`, async () => {
      const before = samples[label]?.[0] ?? '';
      const known = await ownServers(application, before);
      const text = await addToFile(application, before, found, inEnglish);
      const after = await ownServers(application, text);
      for (const [name, server] of known)
        if (!Object.hasOwn(configured, name)) assert.deepEqual(after.get(name), server);
      for (const line of before
        .split('\n')
        .filter((one) => /written by|"theme|^model|GOOSE/.test(one)))
        assert.ok(text.includes(line.trim().replace(/,$/, '')), line);
      // Adding it again changes nothing.
      assert.equal(await addToFile(application, text, found, inEnglish), text);
    });

    it(`say what ${label} cannot have of them`, () => {
      const notes = carried.flatMap((one) => one.notes);
      for (const note of notes) assert.match(note, /^\w.*\.$/);
      const mentions = (name: string) => notes.some((note) => note.startsWith(name));
      assert.equal(mentions('plain'), false);
      assert.equal(mentions('keyed'), label !== 'VS Code');
      assert.equal(mentions('remote'), processesOnly.has(label));
      assert.equal(mentions('old'), withoutSse.has(label));
    });
  }

  const app = (label: string) => applications.find((one) => one.label === label) ?? assert.fail();
  const carryOne = (value: object, label: string, inputs: unknown = []) => {
    const found = shareable('s', value, inputs);
    assert.ok(found);
    return carry(found, app(label), places, inEnglish);
  };

  const parts: readonly [title: string, value: object, label: string, note: RegExp | undefined][] =
    [
      [
        'an argument that is secret',
        { command: 'a', args: ['--token', secret] },
        'Zed',
        /^s cannot be exported: Zed cannot fill in its args\.$/,
      ],
      [
        'a folder that is not open',
        { command: '${workspaceFolder:gone}/a' },
        'Cursor',
        /cannot fill in its command/,
      ],
      [
        'a restriction',
        { command: 'a', sandboxEnabled: true },
        'Cursor',
        /^s: Cursor cannot take sandboxEnabled, so it is left out\.$/,
      ],
      [
        'tools that are off',
        { command: 'a', disabledTools: ['b'] },
        'Claude Code',
        /cannot take disabledTools/,
      ],
      [
        'a variable that is taken away',
        { command: 'a', env: { PATH: null } },
        'Cursor',
        /cannot take PATH/,
      ],
      [
        'a text in place of a variable',
        { command: 'a', env: { A: '${B:-c}' } },
        'Cursor',
        /cannot take A/,
      ],
      [
        'a text in place of a variable, as in a shell',
        { command: 'a', env: { A: '${B:-c}' } },
        'Claude Code',
        undefined,
      ],
      [
        'tools that are off, where they can be',
        { command: 'a', disabledTools: ['b'] },
        'Roo Code',
        undefined,
      ],
    ];
  for (const [title, value, label, note] of parts)
    it(`are told about: ${title}`, () => {
      const { notes } = carryOne(value, label);
      if (note) assert.match(notes.join('\n'), note);
      else assert.deepEqual(notes, []);
    });

  /** What an application has for the times below, and what is left out of them. */
  const times: Readonly<Record<string, readonly [written: RegExp, lost: readonly string[]]>> = {
    'Claude Code': [/"timeout": 90500\b/, ['timeouts.start']],
    'Copilot CLI': [/"timeout": 90500\b/, ['timeouts.start']],
    'Gemini CLI': [/"timeout": 90500\b/, ['timeouts.start']],
    Cline: [/"timeout": 91\b/, ['timeouts.start']],
    'Roo Code': [/"timeout": 91\b/, ['timeouts.start']],
    Zed: [/"timeout": 91\b/, ['timeouts.start']],
    goose: [/timeout: 91\b/, ['timeouts.start']],
    Codex: [
      /tool_timeout_sec = 91\b[^]*startup_timeout_sec = 5\b|startup_timeout_sec = 5\b[^]*tool_timeout_sec = 91\b/,
      [],
    ],
    Continue: [/connectionTimeout: 5000\b/, ['timeouts.request']],
  };
  for (const { label, read } of applications)
    it(`have their times in the words and the unit of ${label}, and again here`, async () => {
      const [written, lost] = times[label] ?? [
        /^(?![^]*[tT]imeout)/,
        ['timeouts.request', 'timeouts.start'],
      ];
      const { found, notes } = carryOne(
        { command: 'a', timeouts: { start: 5, request: 90.5 } },
        label,
      );
      assert.ok(found);
      assert.deepEqual(
        notes,
        lost.length === 0 ? [] : [`s: ${label} cannot take ${lost.join(', ')}, so it is left out.`],
      );
      const text = await addToFile(app(label), '', [found], inEnglish);
      assert.match(text, written);
      const [again] = await read(text);
      const call = /90500/.test(text) ? 90.5 : 91;
      const kept = {
        ...(!lost.includes('timeouts.request') && { request: call, total: call }),
        ...(!lost.includes('timeouts.start') && { start: 5 }),
      };
      assert.deepEqual(again?.server['timeouts'], Object.keys(kept).length > 0 ? kept : undefined);
    });

  it('bring their inputs to VS Code, and no value of one that is secret', async () => {
    const input = { id: 'pw', type: 'promptString', password: true, default: secret };
    const { found } = carryOne({ command: 'a', env: { P: '${input:pw}' } }, 'VS Code', [input]);
    const before =
      '{ "inputs": [{ "id": "pw", "type": "promptString" }], "servers": { "b": { "command": "b", "args": ["${input:pw}"] } } }';
    const text = await addToFile(app('VS Code'), before, found ? [found] : [], inEnglish);
    assert.ok(!text.includes(secret));
    const { servers, inputs } = JSON.parse(text);
    // The existing input with that id belongs to another server, and this one must not get its value.
    assert.equal(servers.s.env.P, '${input:pw-2}');
    assert.deepEqual(
      inputs.map(({ id }: { id: string }) => id),
      ['pw', 'pw-2'],
    );
  });

  it('get no value of an input that a file of VS Code defines, and keep their own on a second export', async () => {
    const input = { id: 'pw', type: 'promptString', password: true };
    const { found } = carryOne({ command: 'a', env: { P: '${input:pw}' } }, 'VS Code', [input]);
    const servers = found ? [found] : [];
    const before = '{ "inputs": [{ "id": "pw", "type": "promptString" }] }';
    const once = await addToFile(app('VS Code'), before, servers, inEnglish);
    assert.equal(JSON.parse(once).servers.s.env.P, '${input:pw-2}');
    const fresh = await addToFile(app('VS Code'), '', servers, inEnglish);
    assert.equal(await addToFile(app('VS Code'), fresh, servers, inEnglish), fresh);
  });

  it('get no value that was entered in VS Code for another server of their name, which they replace', async () => {
    const input = { id: 'pw', type: 'promptString', password: true };
    const headers = { X: '${input:pw}' };
    for (const [entry, old] of [
      [
        { url: 'https://evil.example', headers },
        { type: 'http', url: 'https://a.example', headers },
      ],
      [
        { command: 'evil', env: headers },
        { command: 'a', env: headers },
      ],
    ] as const) {
      const { found } = carryOne(entry, 'VS Code', [input]);
      const before = JSON.stringify({ inputs: [input], servers: { s: old } });
      const text = await addToFile(app('VS Code'), before, found ? [found] : [], inEnglish);
      assert.match(text, /\$\{input:pw-2\}/);
      assert.doesNotMatch(text, /\$\{input:pw\}/);
    }
  });

  it('take the place of their namesake in TOML, tables below it too', async () => {
    const before =
      '# mine\n[mcp_servers.s]\ncommand = "old"\n[mcp_servers.s.env]\nA = "1"\n\n# of the next\n[mcp_servers."s t"]\ncommand = "kept"\n';
    const { found } = carryOne({ command: 'new' }, 'Codex');
    const text = await addToFile(app('Codex'), before, found ? [found] : [], inEnglish);
    assert.match(text, /^# mine\n[^]*\n# of the next\n\[mcp_servers\."s t"\]\n/);
    assert.doesNotMatch(text, /old|A = /);
    assert.deepEqual([...(await ownServers(app('Codex'), text)).keys()].toSorted(), ['s', 's t']);
  });

  it('are not written into a file that cannot be edited safely or read', async () => {
    const { found } = carryOne({ command: 'new' }, 'Codex');
    const inline = 'mcp_servers = { kept = { command = "a" } }\n';
    for (const [label, text] of [
      ['Codex', inline],
      ['Cursor', '{ "a": [1, }'],
      ['goose', '= : ['],
    ] as const)
      await assert.rejects(addToFile(app(label), text, found ? [found] : [], inEnglish));
  });
});
