import assert from 'node:assert/strict';
import { isUriInside } from '../../../../src/base/uri/fileAddress';

describe('a file: URI', () => {
  for (const [uri, inside] of [
    ['file:///w/app/a.ts', true],
    ['file:///w/app/lib/b.ts', true],
    ['file:///w/app/a%20b.ts', true],
    ['file:///w/app/日本.ts', true],
    ['file:///w/application/a.ts', false],
    ['file:///w/app', false],
    ['file:///w/app/', false],
    ['file:///w/app/../../etc/passwd', false],
    ['file:///w/app/%2e%2e/x', false],
    ['file:///w/app/..%2f..%2fx', false],
    ['file:///w/app/..%5Cx', false],
    ['file:///w/app/..\\..\\x', false],
    ['file:///w/app/x%00', false],
    ['file://host/w/app/x', false],
    ['https://w/app/x', false],
    ['', false],
  ] as const)
    it(`${uri} is ${inside ? '' : 'not '}inside file:///w/app`, () => {
      assert.equal(isUriInside(uri, 'file:///w/app'), inside);
      assert.equal(isUriInside(uri, 'file:///w/app/'), inside);
    });

  for (const folder of ['file:///c:/w', 'file:///C:/w/'])
    for (const [uri, inside] of [
      ['file:///c:/w/a.ts', true],
      ['file:///C:/w/a.ts', true],
      ['file:///D:/w/a.ts', false],
      ['file:///C:/W/a.ts', false],
      ['file:///C:/w/../x', false],
    ] as const)
      it(`${uri} is ${inside ? '' : 'not '}inside ${folder}`, () =>
        assert.equal(isUriInside(uri, folder), inside));

  it('is inside no address that is not a folder of files', () =>
    assert.equal(isUriInside('file:///w/x', 'https://w'), false));
});
