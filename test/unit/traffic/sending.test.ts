import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/base/translate';
import { SecretMask } from '../../../src/base/secretMask';
import { redacted } from '../../../src/base/secrets';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findCommand } from '../../../src/mcp/node/commands/findCommand';
import { defaultLimits } from '../../../src/mcp/serverConfig';
import type { Server } from '../../../src/mcp/server';
import { maxKeptMessage, TrafficRecorder } from '../../../src/mcp/traffic/trafficRecorder';
import * as vscode from 'vscode';
import type { Programs } from '../../../src/mcp/platform';
import { saveRecording } from '../../../src/traffic/entryJson';
import { byUser } from '../../../src/ui/questions/question';
import { curlCommand } from '../../../src/traffic/curlCommand';
import { draftOf, readDraft, recordedCall, requestText } from '../../../src/traffic/sendAgain';
import { fakeServer, tool } from '../../support/fakes/fakeServer';

const asIs = (text: string) => text;
const secrets = new SecretMask();
secrets.hide(['s3cret-value']);
const mask = (text: string) => secrets.apply(text);

/** Returns the entry that a message and its answer create. */
function entryOf(message: unknown, answer?: unknown) {
  const recorder = new TrafficRecorder((text) => text);
  recorder.note('sent', message);
  if (answer) recorder.note('received', answer);
  const [entry] = recorder.entries;
  assert.ok(entry);
  return entry;
}

const call = (args: object, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1_000_003,
  method: 'tools/call',
  params: { name: 'greet', arguments: args, _meta: { progressToken: 1_000_003, ...more } },
});

describe('a request that is sent again', () => {
  it('is without what each sending adds', () => {
    const params = { name: 'greet', arguments: { a: 1 } };
    const added = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    const draft = draftOf(entryOf(call({ a: 1 }, added)));
    assert.deepEqual(draft, { method: 'tools/call', params });
    const kept = draftOf(entryOf(call({ a: 1 }, { 'a.b/c': 1 })));
    assert.deepEqual(kept.params['_meta'], { 'a.b/c': 1 });
    assert.deepEqual(draftOf(entryOf({ jsonrpc: '2.0', id: 1, method: 'ping' })).params, {});
  });

  it('is edited as JSON, and read back', () => {
    const draft = { method: 'tools/list', params: { cursor: 'x' } };
    assert.deepEqual(structuredClone(readDraft(requestText(draft, asIs), inEnglish)), draft);
    assert.deepEqual(readDraft('{"method":"ping"}', inEnglish), { method: 'ping', params: {} });
  });

  for (const [text, problem] of [
    ['{', /^Line 1 is not valid JSON: a closing brace is missing\.$/],
    ['{\n"method": "ping"\n"params": {} }', /^Line 3 is not valid JSON: a comma is missing\.$/],
    ['', /"method"/],
    ['[]', /"method"/],
    ['{"method":""}', /"method"/],
    ['{"method":1}', /"method"/],
    ['{"method":"ping","params":[]}', /"params"/],
    [`{"method":"ping","params":{"a":"${redacted}"}}`, /^Replace ‹redacted› /],
    ['{"method":"ping","params":{"a":9007199254740993}}', /would arrive as 9007199254740992\./],
  ] as const)
    it(`is not sent as ${text}`, () => {
      const read = readDraft(text, inEnglish);
      assert.match('problem' in read ? read.problem : '', problem);
    });
});

describe('a recording that was saved', () => {
  const { showSaveDialog, showInformationMessage } = vscode.window;
  afterEach(() => Object.assign(vscode.window, { showSaveDialog, showInformationMessage }));
  const file = vscode.Uri.file('/w/a.mcp-recording.jsonc');
  const programs = {} as Programs;
  for (const [what, platform, target, buttons] of [
    ['is served by a process from a disk', { programs }, file, ['Open', 'Serve']],
    ['is served from no other place', { programs }, file.with({ scheme: 'ftp' }), ['Open']],
    ['is not served in a window without processes', { programs: undefined }, file, ['Open']],
  ] as const)
    it(what, async () => {
      let offered: readonly string[] = [];
      const written: string[] = [];
      Object.assign(vscode.window, {
        showSaveDialog: () => Promise.resolve(target),
        showInformationMessage: (_text: string, ...shown: readonly string[]) => {
          offered = shown;
          return Promise.resolve();
        },
      });
      const writer = {
        home: undefined,
        write: (uri: vscode.Uri) => Promise.resolve(void written.push(uri.toString())),
      };
      const view = { server: undefined, entries: [entryOf(call({}))] };
      await saveRecording(byUser(), view, asIs, { writer, platform });
      assert.deepEqual(written, [target.toString()]);
      assert.deepEqual(offered, buttons);
    });
});

const beginning = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };

/** What curl would make several requests of. */
const ranges = 'a={b,c}[1-3]';

describe('a request as a command for a shell', () => {
  const remote = (protocolVersion: string, more: Partial<Server> = {}) =>
    ({
      definition: {
        id: 'a',
        name: 'a',
        config: {
          type: 'http',
          url: 'https://user:s3cret-word@example.com/mcp?api_key=s3cret-key&b=1',
          headers: { 'X-Key': 's3cret-header', Other: 's3cret-other' },
        },
        limits: defaultLimits,
        source: { label: 'test' },
      },
      state: { kind: 'running', info: { protocolVersion, capabilities: {} } },
      isSignedIn: false,
      ...more,
    }) satisfies Partial<Server>;

  it('shows no secret, but what belongs there', () => {
    const text = curlCommand(
      remote('2025-11-25', { isSignedIn: true }),
      call({ key: 's3cret-value' }),
      mask,
      'posix',
    );
    assert.doesNotMatch(text, /s3cret/);
    for (const part of [
      "-H 'X-Key: <X-Key>'",
      "-H 'Other: <Other>'",
      "-H 'Authorization: Bearer <token>'",
      '-H "Mcp-Session-Id: $session"',
      "-H 'MCP-Protocol-Version: 2025-11-25'",
      'b=1',
    ])
      assert.ok(text.includes(part), part);
  });

  it('needs no session in a revision without, and names what it asks for', () => {
    const text = curlCommand(remote('2026-07-28'), call({}), asIs, 'posix');
    assert.doesNotMatch(text, /Session-Id|Authorization/);
    assert.match(text, /-H 'Mcp-Method: tools\/call' \\\n {2}-H 'Mcp-Name: greet'/);
  });

  for (const shell of ['sh', 'bash', 'dash', 'zsh', 'fish'])
    for (const nasty of [
      `'; echo broken; ' $(echo broken) \`echo broken\` \\ " ! \n`,
      // To fish, a backslash within quotes may be an escape.
      String.raw`\'; echo broken #`,
      String.raw`\\'; echo broken #`,
      String.raw`a\\b '' \'\' \n\\`,
      `it's`,
    ])
      it(`is read by ${shell} as it is meant, whatever a server wrote: ${JSON.stringify(nasty)}`, async function () {
        if (process.platform === 'win32') this.skip();
        if (!(await findCommand(shell, process.env, { system: process.platform }))) this.skip();
        const message = { ...call({ [nasty]: nasty }), params: { name: nasty, [nasty]: [nasty] } };
        const text = curlCommand(remote('2026-07-28'), message, asIs, 'posix');
        const script = text.replace(/^curl/, `printf '%s\\0'`);
        const words = execFileSync(shell, ['-c', script]).toString().split('\0');
        assert.deepEqual(JSON.parse(words.at(-2) ?? ''), message);
        assert.equal(words.at(-3), '--data-raw');
        assert.ok(words.includes(`Mcp-Name: ${nasty.replaceAll('\n', ' ')}`));
      });

  for (const shell of ['posix', 'powerShell'] as const)
    for (const [what, nasty] of [
      ['ends a paste and types what follows', '\u001B[201~\u000F; calc\r'],
      ['ends a paste by one character', '\u009B201~calc\u0004'],
      ['removes what was before', '\u007F\u007F\u0015calc'],
      ['turns around what is seen', '\u202Eclac\u2066'],
      ['begins a line', 'a\u2028calc\u2029'],
      ['is not seen at all', '\u{E0063}\u{E0061}\uFEFF\u200B'],
      ['is written in selectors', 'a\uFE00b\uFE0F☺\uFE0F\u{E0100}\u{E01EF}'],
      ['is blank, or not seen by some', '\u2065\u2800\u3164\u115F\u{16FE4}\u{1D159}\u{E0FFF}'],
      ['is half of a character', '\uD800a\uDC00'],
    ] as const)
      it(`has nothing in it for ${shell} that ${what}`, () => {
        const message = { ...call({ [nasty]: nasty }), params: { name: nasty, x: [nasty] } };
        const { definition, ...rest } = remote('2026-07-28');
        const url = `https://example.com/${nasty}?${nasty}`;
        const config = { type: 'http', url, headers: { [nasty]: 'x' } } as const;
        const at = { ...rest, definition: { ...definition, config } };
        const text = curlCommand(at, message, asIs, shell);
        assert.doesNotMatch(
          text.replaceAll('\n', ''),
          /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u3164\u{16FE4}\u{1D159}]/u,
        );
        const body = text
          .split('\n')
          .find((line) => line.includes('data-raw'))
          ?.replace(/^.*?(?='\{|"\{)/, '')
          .slice(1, shell === 'posix' ? undefined : -1);
        const sent = shell === 'posix' ? body?.slice(0, -1) : body?.replaceAll(/\\(["\\])/g, '$1');
        assert.deepEqual(JSON.parse(sent ?? ''), message);
      });

  for (const shell of ['posix', 'powerShell'] as const)
    it(`reads no file for headers in ${shell}, whatever they are called`, () => {
      const { definition, ...rest } = remote('2026-07-28');
      const headers = { '@/etc/passwd': 'x', '@@x': 'y' };
      const config = { ...definition.config, headers };
      const at = { ...rest, definition: { ...definition, config } };
      const text = curlCommand(at, call({}), asIs, shell);
      assert.match(text, /(?:-H '|header = ")x: <@@x>/);
      assert.doesNotMatch(text, /(?:-H '|= ")@/);
    });

  const nastyTexts = [
    `'$(calc)`,
    `" -o "C:\\evil" "`,
    `\n'@ | calc\n@'`,
    "‘’‚‛“” $(calc) `n @'",
    String.raw`\" \\ \n %PATH% & | > ^`,
    'é 日本 😀 \u2028',
  ];
  for (const nasty of nastyTexts)
    it(`means nothing to PowerShell but the text that it is: ${JSON.stringify(nasty)}`, () => {
      const message = { ...call({}), params: { name: nasty, arguments: { [nasty]: nasty } } };
      const text = curlCommand(remote('2026-07-28'), message, asIs, 'powerShell');
      const lines = text.split('\n');
      assert.deepEqual([lines[0], lines.at(-1)], ["@'", "'@ | curl.exe --config -"]);
      assert.equal(lines[1], 'globoff');
      // Nothing ends the text but a line that begins with a quote.
      for (const line of lines.slice(2, -1))
        assert.match(line, /^(?:url|header|data-raw) = "(?:[^"\\]|\\.)*"$/);
    });

  it('is read by curl as it is meant, whatever a server wrote', async function () {
    if (!(await findCommand('curl', process.env, { system: process.platform }))) this.skip();
    const heard: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        heard.push(body);
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { definition, state } = remote('2026-07-28');
    const url = `http://127.0.0.1:${port}/mcp?${ranges}`;
    const config = { type: 'http', url, headers: {} } as const;
    const at = { definition: { ...definition, config }, state, isSignedIn: false };
    try {
      for (const nasty of nastyTexts) {
        const message = call({ [nasty]: nasty });
        const text = curlCommand(at, message, asIs, 'powerShell');
        const curl = spawn('curl', ['-s', '--config', '-'], {
          stdio: ['pipe', 'ignore', 'inherit'],
        });
        curl.stdin.end(text.split('\n').slice(1, -1).join('\n'));
        await once(curl, 'close');
        assert.deepEqual(
          heard.splice(0).map((body) => JSON.parse(body) as unknown),
          [message],
        );
      }
    } finally {
      server.close();
    }
  });
});

describe('a request of a session as commands for a shell', () => {
  it('comes with what begins the session, whose id goes with the rest', async function () {
    const hasCurl = await findCommand('curl', process.env, { system: process.platform });
    if (process.platform === 'win32' || !hasCurl) this.skip();
    for (const [id, expected] of [
      ['Mcp-Session-Id', 'the id'],
      ['MCP-SESSION-ID', 'the id'],
      ['X-Other', undefined],
    ] as const) {
      const heard: (readonly [method: unknown, session: unknown])[] = [];
      const server = createServer((incoming, response) => {
        let body = '';
        incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
        incoming.on('end', () => {
          const { method } = JSON.parse(body) as { readonly method: string };
          heard.push([method, incoming.headers['mcp-session-id']]);
          response.setHeader(id, 'the id').end('{}');
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const at = fakeServer();
      const url = `http://127.0.0.1:${port}/mcp?${ranges}`;
      const config = { type: 'http', url, headers: {} } as const;
      const state = { kind: 'running', info: { protocolVersion: '2025-06-18', capabilities: {} } };
      try {
        const text = curlCommand(
          { definition: { ...at.definition, config }, state: state as never, isSignedIn: false },
          call({}),
          asIs,
          'posix',
        );
        const shell = spawn('sh', ['-c', text], { stdio: 'ignore' });
        await once(shell, 'close');
        assert.deepEqual(heard, [
          ['initialize', undefined],
          ['notifications/initialized', expected],
          ['tools/call', expected],
        ]);
      } finally {
        server.close();
      }
    }
  });

  it('has the same for PowerShell', () => {
    const config = { type: 'http', url: 'http://127.0.0.1/mcp', headers: {} } as const;
    const { definition } = fakeServer();
    const state = { kind: 'running', info: { protocolVersion: '2025-06-18', capabilities: {} } };
    const at = { definition: { ...definition, config }, state: state as never, isSignedIn: false };
    const text = curlCommand(at, call({}), asIs, 'powerShell');
    assert.equal(
      text.match(/'@ \| curl\.exe --config - -H "Mcp-Session-Id: \$session"$/gm)?.length,
      2,
    );
    assert.match(text, /^\$session = \(@'\n[^]*initialize[^]*\n'@ \| curl\.exe --config - -sS/);
    assert.equal(curlCommand(at, beginning, asIs, 'powerShell').includes('session'), false);
  });
});

describe('a call in the traffic', () => {
  const server = fakeServer({ tools: [tool({ name: 'greet', title: 'Greet' })] });
  const content = [{ type: 'text', text: 'Hello' }];
  const answer = { jsonrpc: '2.0', id: 1_000_003, result: { content } };

  it('is a call to keep, with what came back and without secrets', () => {
    const traffic = entryOf(call({ a: 1, key: 's3cret-value' }), answer);
    const kept = recordedCall({ traffic, server }, mask);
    assert.equal(kept?.tool.title, 'Greet');
    assert.deepEqual(kept?.arguments, { a: 1, key: redacted });
    assert.deepEqual(kept?.answer, { kind: 'result', result: { content, isError: false } });
  });

  it('is known without what came back where nothing did', () => {
    const task = { jsonrpc: '2.0', id: 1_000_003, result: { resultType: 'task' } };
    const large = [{ type: 'text', text: 'x'.repeat(maxKeptMessage) }];
    const cut = { jsonrpc: '2.0', id: 1_000_003, result: { content: large } };
    for (const other of [undefined, task, cut]) {
      const kept = recordedCall({ traffic: entryOf(call({}), other), server }, asIs);
      assert.ok(kept && !('answer' in kept));
    }
  });

  it('has the code of an error of the protocol', () => {
    const error = { jsonrpc: '2.0', id: 1_000_003, error: { code: -32011, message: 'no' } };
    const kept = recordedCall({ traffic: entryOf(call({}), error), server }, asIs);
    assert.deepEqual(kept?.answer, { kind: 'error', code: -32011 });
  });

  it('is no other message', () => {
    const others = [
      { ...call({}), method: 'tools/list' },
      { ...call({}), params: { name: 1 } },
    ];
    for (const message of others)
      assert.equal(recordedCall({ traffic: entryOf(message), server }, asIs), undefined);
  });
});
