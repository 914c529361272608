import assert from 'node:assert/strict';
import { addressLabel } from '../../../src/base/text/text';

describe('an address in a sentence or a row', () => {
  const many = 'a.'.repeat(100);
  for (const [what, address, beginning] of [
    [
      'a long host',
      `https://accounts.google.com.${many}evil.example/login`,
      'https://accounts.google',
    ],
    ['a host alone', `accounts.google.com.${many}evil.example`, 'accounts.google'],
    ['a user before the host', `https://github.com:${many}@evil.example`, 'https://github.com:'],
    ['backslashes', `https:\\\\github.com.${many}evil.example\\x`, 'https:'],
    ['a megabyte', `https://github.com.${'a'.repeat(1_000_000)}.evil.example`, 'https://github'],
  ] as const)
    it(`keeps the end of its host with ${what}`, () => {
      const shown = addressLabel(address);
      assert.ok(shown.startsWith(beginning) && shown.endsWith('evil.example'), shown);
      assert.equal(shown.length, 200);
      assert.equal(addressLabel(shown), shown);
    });

  for (const [address, shown] of [
    ['https://github.com@evil.example/x', 'https://github.com@evil.example/x'],
    ['https:\\\\evil.example\\x', 'https://evil.example\\x'],
    ['https:evil.example', 'https://evil.example'],
    ['https://evil%2eexample/', 'https://evil.example/'],
    ['https://\u0435pic.com/', 'https://xn--pic-qdd.com/'],
    ['https://ev\til.exam\nple/', 'https://evil.example/'],
    ['https://evil\u3002example', 'https://evil.example'],
    [`https://github.com${'\u200B'.repeat(60)}.evil.example`, 'https://github.com.evil.example'],
    ['https://evil.example./', 'https://evil.example./'],
    ['https://evil.example:8443/', 'https://evil.example:8443/'],
    ['http://0177.1/', 'http://127.0.0.1/'],
    ['http://2130706433', 'http://127.0.0.1'],
    ['wss://EVIL.example/', 'wss://evil.example/'],
  ] as const)
    it(`is shown as what connects reads it: ${JSON.stringify(address)}`, () => {
      assert.equal(addressLabel(address), shown);
      assert.equal(addressLabel(shown), shown);
    });

  for (const [address, shown] of [
    ['https://idp.example/a?b=c#d', 'https://idp.example/a?b=c#d'],
    [`https://idp.example/${many}`, `https://idp.example/${many.slice(0, 179)}…`],
    ['https://idp.example/\u200B', 'https://idp.example/⟨U+200B⟩'],
    ['urn:gateway', 'urn:gateway'],
    ['', ''],
  ] as const)
    it(`is cut in its path alone where its host is short: ${address.slice(0, 40)}`, () =>
      assert.equal(addressLabel(address), shown));
});
