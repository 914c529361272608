import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRecord } from '../../../../src/base/json';
import { repositoryRoot } from '../../../support/paths';
import {
  expandTemplate,
  parseTemplateValue,
  templateVariables,
  type TemplateValue,
} from '../../../../src/mcp/protocol/uriTemplate';

describe('URI templates', () => {
  for (const [template, expected] of [
    ['file:///{path}', ['path!']],
    ['x://{+path}/{id:3}', ['path!', 'id!']],
    ['demo://search{?query,tags*}', ['query', 'tags*']],
    ['x://h{/a,b}{;c}{.d}{#e}{&f}', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['x://{id}{?id}', ['id!']],
    ['x://none', []],
    ['x://{', []],
  ] as const)
    it(`has the variables of ${template}`, () =>
      assert.deepEqual(
        templateVariables(template).map(
          ({ name, required, several }) => `${name}${required ? '!' : ''}${several ? '*' : ''}`,
        ),
        expected,
      ));

  for (const { group, template, values, expected } of suiteCases())
    it(`${expected.length > 0 ? 'expand' : 'refuse'} ${template} (${group})`, () => {
      if (expected.length === 0)
        assert.throws(() => expandTemplate(template, values), { name: 'UserError' });
      else assert.ok(expected.includes(expandTemplate(template, values)));
    });

  for (const [template, value, uri] of [
    ['x:///{+v}', 'caf%C3%A9/a%20b', 'x:///caf%C3%A9/a%20b'],
    ['x:///{+v}', '100% sure', 'x:///100%25%20sure'],
    ['x:///{+v}', '%zz %', 'x:///%25zz%20%25'],
    ['x:///{+v}', 'a"b<c>|^`\\{}', 'x:///a%22b%3Cc%3E%7C%5E%60%5C%7B%7D'],
    ['file:///{v}', 'C:\\my code\\a.md', 'file:///C%3A%5Cmy%20code%5Ca.md'],
    ['file:///{+v}', 'C:\\my code\\a.md', 'file:///C:%5Cmy%20code%5Ca.md'],
    ['x:///{+v}', "[1]!$&'()*+,;=:@?#", "x:///[1]!$&'()*+,;=:@?#"],
    ['x:///{#v}', 'é%C3', 'x:///#%C3%A9%C3'],
    ['x://{v}', "John's (draft)*!", 'x://John%27s%20%28draft%29%2A%21'],
    ['x://{v}', 'caf%C3%A9', 'x://caf%25C3%25A9'],
    ['x://{v:1}{?v:2}', '😀é', 'x://%F0%9F%98%80?v=%F0%9F%98%80%C3%A9'],
    ['x://a:1,b{.v:2}', '😀é', 'x://a:1,b.%F0%9F%98%80%C3%A9'],
    ['x://{?v}', [], 'x://'],
    ['x://{?v*}', { 'a b': "it's" }, 'x://?a%20b=it%27s'],
    ['x://größe/{?v}', 'ü', 'x://gr%C3%B6%C3%9Fe/?v=%C3%BC'],
    ['x://{+v}', '%a', 'x://%25a'],
    ['x://{#v*}', ['%f', '%41', 'a%'], 'x://#%25f,%41,a%25'],
    ['x://{+v*}', { 'a/b': '%2' }, 'x://a/b=%252'],
    ['x://{;v*}', { a: '', b: '1' }, 'x://;a;b=1'],
    ['x://{&v*}', ['', 'b'], 'x://&v=&v=b'],
  ] as const satisfies readonly (readonly [string, TemplateValue, string])[])
    it(`encode ${JSON.stringify(value)} in ${template} once, and all of it`, () =>
      assert.equal(expandTemplate(template, { v: value }), uri));

  for (const template of ['x://{bad', 'x://bad}', 'x://{}', 'x://{a{b}}', 'x://{a b}', 'x://{a,}'])
    it(`refuse ${template}, which breaks the rules, in one sentence`, () =>
      assert.throws(() => expandTemplate(template, { a: '1' }), {
        name: 'UserError',
        message: `The URI template ${template} breaks the rules of RFC 6570.`,
      }));
  for (const template of ['x://{a:0}', 'x://{a:12345}', 'x://{a:1*}', 'x://{=a}', 'x://{.a..b}'])
    it(`refuse ${template}`, () =>
      assert.throws(() => expandTemplate(template, { a: '1' }), { name: 'UserError' }));

  for (const value of [['abc'], { abc: 'd' }])
    it(`refuse to cut ${JSON.stringify(value)}, in a sentence`, () =>
      assert.throws(() => expandTemplate('x://{?v:1}', { v: value }), {
        message:
          'The URI template x://{?v:1} cannot be filled in: "v" has several values, which cannot be cut.',
      }));

  it('write a name as the template does, in any operator that has names', () => {
    const values = { 'a%20b': '1', größe: '2', toString: '3' };
    assert.equal(
      expandTemplate('x:{;a%20b}{?größe}{&toString,constructor}', values),
      'x:;a%20b=1?gr%C3%B6%C3%9Fe=2&toString=3',
    );
  });

  for (const [typed, several, expected] of [
    ['a,b', false, 'a,b'],
    ['a, b ,', true, ['a', 'b']],
    ['k=v, l=w=x', true, { k: 'v', l: 'w=x' }],
    ['k=v,b', true, ['k=v', 'b']],
    ['', true, []],
  ] as const satisfies readonly (readonly [string, boolean, TemplateValue])[])
    it(`read ${JSON.stringify(typed)} as ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(
        parseTemplateValue(typed, { name: 'x', required: true, several }),
        expected,
      ));

  it('refuse a pair for a name that has one, instead of losing it', () =>
    assert.throws(
      () => parseTemplateValue('tag=a,b=c,tag=d', { name: 'x', required: true, several: true }),
      { name: 'UserError', message: '"tag" can be given only once.' },
    ));

  it('are filled in however long a name of theirs is', () => {
    const name = 'n'.repeat(200_000);
    assert.equal(expandTemplate(`x://{${name},${name}2:1}`, { [`${name}2`]: 'ab' }), 'x://a');
  });

  it('keep any value apart from the rest of the URI', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const uri = expandTemplate('x://h/{value}', { value });
        assert.equal(decodeURIComponent(uri.slice('x://h/'.length)), value);
        assert.doesNotMatch(uri.slice('x://h/'.length), /[/?#]/);
      }),
    );
  });
});

/** The cases of the public suite; none of the URIs expected if the template has to be refused. */
function suiteCases() {
  const folder = join(repositoryRoot, 'test', 'fixtures', 'uriTemplateSuite');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) =>
      Object.entries(asRecord(JSON.parse(readFileSync(join(folder, name), 'utf8')))),
    )
    .flatMap(([group, value]) => {
      const { variables, testcases } = asRecord(value);
      const values = Object.fromEntries(
        Object.entries(asRecord(variables)).flatMap(([name, one]) => {
          if (one === null) return [];
          return [[name, typeof one === 'number' ? String(one) : (one as TemplateValue)]];
        }),
      );
      return (testcases as [string, string | string[] | false][]).map(([template, uris]) => ({
        group,
        template,
        values,
        expected: uris === false ? [] : [uris].flat(),
      }));
    });
}
