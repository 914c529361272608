import assert from 'node:assert/strict';
import {
  launchIdentity,
  launchLine,
  launchText,
  launchWarnings,
  shortLine,
  storedLine,
  withHeadings,
  type Launch,
} from '../../../../src/config/launch/launch';
import type { StdioServerConfig } from '../../../../src/mcp/serverConfig';
import { canonicalJson } from '../../../../src/base/json';
import { inEnglish } from '../../../../src/base/translate';
import { filesOf, readTexts } from '../../../../tools/docs/languages';

function stdio(command: string, args: string[] = [], env: StdioServerConfig['env'] = {}) {
  return { type: 'stdio', command, args, env, cwd: '/work' } as const;
}

function launch(config: Launch['config'], written = config): Launch {
  return { serverName: 'demo', place: 'User Settings', config, written };
}

const noRules = {
  allowWrite: [],
  denyWrite: [],
  denyRead: [],
  allowedDomains: [],
  deniedDomains: [],
  unknown: [],
};
const confinement = {
  tool: 'bwrap',
  program: '/usr/bin/bwrap',
  writable: ['/work'],
  readOnly: [],
  hidden: ['/secret'],
  hasNetwork: false,
  letsCreate: false,
  unkept: [],
} as const;
const confined = { ...stdio('node', ['confined.js']), sandbox: noRules, confinement };

describe('the launch that a user is asked about', () => {
  for (const [config, line] of [
    [stdio('node', ['a.js', '--x=1']), 'node a.js --x=1'],
    [stdio('sh', ['-c', 'echo a; rm b']), "sh -c 'echo a; rm b'"],
    [stdio('x', ["it's", '']), `x 'it'\\''s' ''`],
    [stdio('x', ['a\u202Eb', '\u200B']), "x 'a⟨U+202E⟩b' '⟨U+200B⟩'"],
    [stdio('x', ['a\nb']), "x 'a⏎b'"],
    [{ type: 'http', url: 'https://example.com', headers: {} }, 'https://example.com'],
  ] as const)
    it(`is shown as ${line}`, () => assert.equal(launchLine(config), line));

  it('keeps the host of its address where it is cut, and of a command the beginning', () => {
    const url = `https://github.com.${'a.'.repeat(100)}evil.example/mcp`;
    assert.match(
      shortLine({ type: 'http', url, headers: {} }, 80),
      /^https:\/\/…\.(?:a\.)+evil\.example$/,
    );
    assert.match(shortLine(stdio('node', ['x'.repeat(100), 'end']), 80), /^node x+…$/);
  });

  it('is shown with what it sets and sends, but no value that may be a secret', () => {
    const process = launchText(
      launch(stdio('x', [], { KEY: 'hush-1', PORT: '80', TOKEN: '${input:token}', GONE: null })),
    );
    assert.match(process, /GONE \(removed\)\n +KEY \(hidden, mark [0-9a-f]{16}\)\n +PORT = 80\n/);
    assert.match(process, /TOKEN = \$\{input:token\}/);
    assert.doesNotMatch(process, /hush/);
    const address = launchText(
      launch({
        type: 'http',
        url: 'https://a',
        headers: { 'X-Key': 'hush-2' },
        oauth: { clientId: 'me', clientSecret: 'hush-3' },
      }),
    );
    assert.match(address, /X-Key \(hidden/);
    assert.match(address, /clientId = me\n +clientSecret \(hidden/);
    assert.doesNotMatch(address, /hush/);
  });

  it('is shown with one line for each argument, and what is odd before it', () => {
    const text = launchText(launch(stdio('bash', ['-c', 'echo a\necho b', '--x=1'])));
    assert.match(
      text,
      /Worth knowing\n +bash [^]*Command line\n +bash\n +-c\n +'echo a⏎echo b'\n +--x=1\n/,
    );
  });

  it('is shown on one line by what tells it from others, the command before all else', () => {
    const line = (config: Launch['config']) => storedLine(launchText(launch(config)), inEnglish);
    assert.match(
      line(stdio('bash', ['-c', 'echo a\n\necho b'], { PORT: '80' })),
      /^bash -c 'echo a⏎⏎echo b' · Working directory: \/work · .*PORT = 80.* · Worth knowing: bash /,
    );
    assert.equal(line({ type: 'http', url: 'https://a', headers: {} }), 'https://a');
  });

  it('has its headings in the language of the user where it was kept in English', () => {
    const texts = readTexts(filesOf('zh-cn').code);
    const t = (text: string, ...args: string[]) => inEnglish(texts[text] ?? text, ...args);
    const kept = launchText(launch(stdio('bash', ['-c', 'Working directory'], { PORT: '80' })));
    assert.equal(withHeadings(kept, inEnglish), kept);
    const address = launch({
      type: 'sse',
      url: 'http://a',
      headers: { A: 'b' },
      oauth: { clientId: 'c' },
    });
    const socket = launch({ type: 'http', url: 'unix:///run/docker.sock', headers: {} });
    for (const text of [kept, launchText(address), launchText(socket)]) {
      const headings = withHeadings(text, t).match(/^\S.*$/gm) ?? [];
      assert.ok(headings.length > 3);
      for (const heading of headings) assert.match(heading, /^\p{Script=Han}|^MCP 服务器$/u);
    }
    assert.match(withHeadings(kept, t), /^ {4}Working directory$|^ {4}'Working directory'$/m);
    assert.match(storedLine(kept, t), /^bash -c 'Working directory' · 工作目录：\/work · /);
  });

  it('is shown differently when a hidden value changed', () => {
    const [before, after] = ['hush-1', 'hush-2'].map((KEY) =>
      launchText(launch(stdio('x', [], { KEY }))),
    );
    assert.notEqual(before, after);
  });

  for (const [title, changed] of [
    ['the command', stdio('other', ['a'], { A: '1' })],
    ['an argument', stdio('x', ['b'], { A: '1' })],
    ['the value of a variable', stdio('x', ['a'], { A: '2' })],
    ['a further variable', stdio('x', ['a'], { A: '1', B: '1' })],
    ['the working directory', { ...stdio('x', ['a'], { A: '1' }), cwd: '/other' }],
  ] as const)
    it(`is another one when ${title} changed`, () =>
      assert.notEqual(
        canonicalJson(launchIdentity(launch(stdio('x', ['a'], { A: '1' })))),
        canonicalJson(launchIdentity(launch(changed))),
      ));

  it('is shown with the port that it opens for a debugger, and is another one without', () => {
    const plain = stdio('node', ['a.js']);
    const debugged = { ...plain, debug: 'node' } as const;
    assert.match(launchText(launch(debugged)), /Debugger\n +Opens a port on this machine for node/);
    assert.doesNotMatch(launchText(launch(plain)), /Debugger/);
    const [a, b] = [debugged, plain].map((one) => canonicalJson(launchIdentity(launch(one))));
    assert.notEqual(a, b);
  });

  it('is the same when only the value behind a variable of the environment changed', () => {
    const written = stdio('x', [], { KEY: '${env:KEY}' });
    assert.equal(
      canonicalJson(launchIdentity(launch(stdio('x', [], { KEY: 'old' }), written))),
      canonicalJson(launchIdentity(launch(stdio('x', [], { KEY: 'new' }), written))),
    );
  });

  for (const [config, warning] of [
    [stdio('npx', ['-y', 'pkg']), /latest version/],
    [stdio('npx', ['-y', '@a/pkg@latest']), /latest version/],
    [stdio('C:\\bin\\npx.cmd', ['pkg']), /latest version/],
    [stdio('uvx', ['pkg']), /latest version/],
    [stdio('npx', ['-y', '@a/pkg@1.2.3']), undefined],
    [stdio('uvx', ['pkg==1.0']), undefined],
    [stdio('bash', ['-c', 'x']), /script/],
    [stdio('sudo', ['x']), /another user/],
    [stdio('x', [], { NODE_OPTIONS: '-r y' }), /NODE_OPTIONS/],
    [stdio('code', ['a.js'], { ELECTRON_RUN_AS_NODE: '1' }), /the JavaScript file that is named/],
    [stdio('code', [], { ELECTRON_OVERRIDE_DIST_PATH: '/x' }), /can load other code/],
    [stdio('node', ['a.js']), undefined],
    [{ ...stdio('node', ['confined.js']), sandbox: noRules }, /runs unconfined/],
    [confined, /^Other programs may run or follow what it writes, [^\n]*$/],
    [{ ...confined, confinement: { ...confinement, writable: [] } }, undefined],
    [
      { ...confined, confinement: { ...confinement, unkept: ['network.allowedDomains: a.b'] } },
      /^Part of its sandbox cannot be kept here.*: network\.allowedDomains: a\.b\.$/m,
    ],
    [
      { ...confined, confinement: { ...confinement, letsCreate: true } },
      /^It can create what does not exist yet, .*: bwrap cannot prevent that\.$/m,
    ],
    [
      { ...confined, command: 'npx', args: ['-y', 'a@1.0.0'] },
      /^npx can fetch nothing in its sandbox/m,
    ],
    [{ type: 'http', url: 'http://example.com', headers: {} }, /not encrypted/],
    [{ type: 'http', url: 'http://localhost:3000', headers: {} }, undefined],
    [{ type: 'http', url: 'http://127.0.0.1:3000/mcp', headers: {} }, undefined],
    [{ type: 'http', url: 'http://[::1]:3000/', headers: {} }, undefined],
    [{ type: 'http', url: 'http://localhost.evil.example', headers: {} }, /not encrypted/],
    [{ type: 'http', url: 'http://127.0.0.1.evil.example', headers: {} }, /not encrypted/],
    [{ type: 'http', url: 'http://127.evil.example', headers: {} }, /not encrypted/],
    [{ type: 'http', url: 'http://localhost@evil.example', headers: {} }, /not encrypted/],
    [{ type: 'http', url: 'HTTP://Example.com', headers: {} }, /not encrypted/],
    [{ type: 'http', url: 'https://example.com', headers: {} }, undefined],
    [
      { type: 'http', url: 'https://еpic.com/mcp', headers: {} },
      /^The domain contains look-alike characters: it is xn--pic-qdd\.com\.$/,
    ],
    [
      { type: 'sse', url: 'https://github.com@evil.example/', headers: {} },
      /^The text before @ is not the site: that is evil\.example\.$/,
    ],
    [
      { type: 'http', url: `https://github.com:${'a'.repeat(40)}@evil.example/`, headers: {} },
      /^The text before @ is not the site: that is evil\.example\.$/,
    ],
    [{ type: 'http', url: 'unix:///run/a@b.sock', headers: {} }, undefined],
  ] as const)
    it(`is${warning ? '' : ' not'} warned about: ${launchLine(config)}`, () => {
      const text = launchWarnings({ config }).join('\n');
      if (warning) assert.match(text, warning);
      else assert.equal(text, '');
    });
});

describe('a launch that is confined', () => {
  it('says by what, and to what, beside its command line', () => {
    const text = launchText(launch(confined));
    assert.match(text, /^Command line, confined by bwrap\n {4}node\n {4}confined\.js$/m);
    assert.match(
      text,
      /^Sandbox\n {4}Writes only in \/work\n {4}Cannot read \/secret\n {4}Cannot use the network$/m,
    );
  });

  it('is another one where it is not confined, or to something else', () => {
    const { confinement: _, ...free } = confined;
    const wider = { ...confined, confinement: { ...confinement, hasNetwork: true } };
    const all = [confined, free, wider].map((one) => canonicalJson(launchIdentity(launch(one))));
    assert.equal(new Set(all).size, 3);
  });
});
