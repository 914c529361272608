import assert from 'node:assert/strict';
import { addressLabel } from '../../../src/base/text/address';

describe('an address in a sentence or a row', () => {
  const many = 'a.'.repeat(100);
  const dns = `github.com.${'a.'.repeat(115)}evil.example:8443`;
  for (const [what, address, ...shown] of [
    ['as long as there are', `https://${dns}/login`, `https://${dns}/login`],
    ['alone', dns, dns],
    ['behind a user', `https://me:${many}@${dns}/login`, `https://…@${dns}/login`],
    ['in a row', `https://github.com.${many}evil.example/login`, 'https://….', 40],
    ['alone in a row', `github.com.${many}evil.example`, '….', 40],
    ['too long to lead anywhere', `https://github.com.${many}${many}evil.example`, 'https://….'],
    ['of a long name', `https://x.y.${'a'.repeat(48)}github.com/x`, 'https://….y.a', 40],
    ['of long names', `https://${'a'.repeat(48)}-github.co.uk/x`, 'https://aaaa', 40],
    ['of a megabyte', `https://github.com.${'a'.repeat(1_000_000)}.evil.example`, 'https://'],
    ['behind backslashes', `https:\\\\github.com.${many}${many}evil.example\\x`, 'https://….'],
  ] as const)
    it(`has the last names of a host whole that is ${what}`, () => {
      const [beginning, maxLength] = shown;
      const label = addressLabel(address, maxLength);
      assert.ok(label.startsWith(beginning), label);
      assert.match(label, /[./](?:evil\.example(?::8443)?(?:\/login)?|a+-?github\.co\S*)$/);
      assert.ok(!label.includes('github.com.') || label.includes(dns), label);
      assert.equal(addressLabel(label, maxLength), label);
      assert.ok(label.length <= 300, String(label.length));
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
    [' \u0001https://evil%2eexample/ ', 'https://evil.example/'],
    ['ht\ttps://evil%2eexample/', 'https://evil.example/'],
    ['https:\\\\github.com\\@evil.example', 'https://github.com\\@evil.example'],
    ['https://gith\u2026ub@evil%2eexample/', 'https://gith\u2026ub@evil.example/'],
    ['https://${input:SITE}.example/', 'https://${input:SITE}.example/'],
    ['https://${SITE}/', 'https://${SITE}/'],
    ['EVIL.example/mcp', 'EVIL.example/mcp'],
  ] as const)
    it(`is shown as what connects reads it: ${JSON.stringify(address)}`, () => {
      assert.equal(addressLabel(address), shown);
      assert.equal(addressLabel(shown), shown);
    });

  for (const [address, shown] of [
    ['https://idp.example/a?b=c#d', 'https://idp.example/a?b=c#d'],
    [
      `https://idp.example/${many}${many}`,
      `https://idp.example/${`${many}${many}`.slice(0, 279)}…`,
    ],
    ['https://idp.example/\u200B', 'https://idp.example/⟨U+200B⟩'],
    ['urn:gateway', 'urn:gateway'],
    ['', ''],
  ] as const)
    it(`is cut in its path alone where its host is short: ${address.slice(0, 40)}`, () =>
      assert.equal(addressLabel(address), shown));
});
