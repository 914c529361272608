import assert from 'node:assert/strict';
import { launchLine, launchText, shortLine } from '../../../../src/config/launch/launch';
import { describeFailure } from '../../../../src/mcp/connection/describeFailure';
import { checkAddress } from '../../../../src/mcp/diagnose';
import { McpRegistry } from '../../../../src/mcp/http/mcpRegistry';
import { assertOpenUrl } from '../../../../src/mcp/http/secureUrl';
import { readAddressConfig } from '../../../../src/mcp/launch/addressKind';
import type { HttpServerConfig } from '../../../../src/mcp/serverConfig';
import { inEnglish as t } from '../../../../src/base/translate';

const at = (url: string): HttpServerConfig => ({ type: 'http', url, headers: {} });

const places: Readonly<Record<string, (url: string) => string | Promise<string>>> = {
  'a question about a launch': (url) => launchLine(at(url)),
  'a row': (url) => shortLine(at(url), 200),
  'the text of a launch': (url) =>
    launchText({ serverName: 'a', place: 'b', config: at(url), written: at(url) }),
  'a failure': (url) => {
    const state = describeFailure(
      Object.assign(new Error('x'), { code: 'ECONNRESET' }),
      at(url),
      undefined,
    );
    return 'message' in state ? state.message : '';
  },
  'a diagnosis': async (url) => {
    const send = () => Promise.resolve(new Response(null, { status: 200 }));
    return (await checkAddress(at(url), t, { url, send }))[0]?.title ?? '';
  },
  'a registry that fails': async (url) => {
    const send = () => Promise.resolve(new Response(null, { status: 500 }));
    const found = new McpRegistry(url, send).find('x', AbortSignal.timeout(5000));
    return await found.then(String, String);
  },
  'a refusal': (url) => {
    try {
      assertOpenUrl(new URL(url.replace('https', 'http')), () => 'It');
    } catch (error) {
      return String(error);
    }
    return '';
  },
};

const odd: readonly (readonly [string, string])[] = [
  ['https://evil%2eexample/mcp', 'evil.example'],
  ['https://\\evil.example/mcp', 'evil.example'],
  ['https://ev\til.exam\nple/mcp', 'evil.example'],
  ['https://evil\u3002example/mcp', 'evil.example'],
  ['https://evil\u200B.example/mcp', 'evil.example'],
  ['https://\u0435pic.com/mcp', 'xn--pic-qdd.com'],
  ['https://134744072/mcp', '8.8.8.8'],
  [`https://github.com.${'a.'.repeat(60)}evil.example/mcp`, `${'a.'.repeat(20)}evil.example`],
];

describe('an address with an odd spelling', () => {
  for (const [where, shown] of Object.entries(places))
    for (const [address, host] of odd)
      it(`is shown as what connects reads it in ${where}: ${JSON.stringify(address).slice(0, 60)}`, async () => {
        const text = await shown(address);
        assert.ok(text.includes(host), text);
      });

  for (const url of [
    'evil.example/mcp',
    ' https://evil.example/mcp',
    '\u0001https://evil.example/mcp',
    'ht\ttps://evil.example/mcp',
    'https:evil.example/mcp',
    'https://evil .example/mcp',
    'https://evil.example:99999/mcp',
    'https:///evil.example/mcp',
  ])
    it(`is refused in a configuration with a sentence: ${JSON.stringify(url)}`, () => {
      const read = readAddressConfig({ url }, 'http', t);
      assert.match('problem' in read ? read.problem : '', /^"url" must be an http: or https:/);
    });
});
