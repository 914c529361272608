import assert from 'node:assert/strict';
import { readWebAddress } from '../../../src/mcp/http/webAddress';

describe('the address of a page to visit', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vscode://some.extension/run',
    'command:workbench.action.quit',
    'http://example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'ftp://localhost/',
    '//example.com',
    'example.com',
    '',
  ])
    it(`is none when it is ${JSON.stringify(text)}`, async () =>
      assert.equal(await readWebAddress(text), undefined));

  for (const [text, site, concerns] of [
    ['https://example.com/connect?a=1&b=%2F', 'example.com', []],
    ['https://accounts.example.com.evil.org/', 'evil.org', []],
    ['https://a.b.example.co.uk/', 'example.co.uk', []],
    ['https://someone.github.io/login', 'someone.github.io', []],
    ['https://example.com@evil.org/', 'evil.org', ['credentials']],
    ['https://xn--e1awd7f.com/', 'xn--e1awd7f.com', ['lookAlike']],
    ['https://еpic.com/', 'xn--pic-qdd.com', ['lookAlike']],
    ['https://93.184.216.34:8443/', '93.184.216.34', ['ipAddress', 'port']],
    ['https://[2001:db8::1]/', '[2001:db8::1]', ['ipAddress']],
    ['http://localhost:3000/done', 'localhost', ['thisMachine']],
    ['http://127.0.0.1:3000/', '127.0.0.1', ['thisMachine']],
    ['http://2130706433/', '127.0.0.1', ['thisMachine']],
    ['http://[::1]/', '[::1]', ['thisMachine']],
    ['https://intranet/', 'intranet', []],
  ] as const)
    it(`${text} leads to ${site}${concerns.length > 0 ? `: ${concerns.join(', ')}` : ''}`, async () => {
      const address = await readWebAddress(text);
      assert.equal(address?.site, site);
      assert.deepEqual(address.concerns, concerns);
    });

  it('is opened as it is shown, and written in its own letters beside', async () => {
    const address = await readWebAddress('HTTPS://Еxample.com/Ä?q=a%2Fb#c');
    assert.equal(address?.href, 'https://xn--xample-2of.com/%C3%84?q=a%2Fb#c');
    assert.equal(address.written, 'еxample.com');
  });
});
