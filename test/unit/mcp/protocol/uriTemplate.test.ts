import assert from 'node:assert/strict';
import * as fc from 'fast-check';
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

  // The examples of RFC 6570, section 1.2.
  const values = {
    var: 'value',
    hello: 'Hello World!',
    path: '/foo/bar',
    list: ['red', 'green', 'blue'],
    keys: { semi: ';', dot: '.', comma: ',' },
    x: '1024',
    empty: '',
  };
  for (const [template, uri] of [
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{+path}/here', '/foo/bar/here'],
    ['X{#var}', 'X#value'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{?x,empty}', '?x=1024&empty='],
    ['{var:3}', 'val'],
    ['{list*}', 'red,green,blue'],
    ['{?list*}', '?list=red&list=green&list=blue'],
    ['{?keys*}', '?semi=%3B&dot=.&comma=%2C'],
    ['{?missing}', ''],
  ] as const)
    it(`expands ${template} as the standard says`, () =>
      assert.equal(expandTemplate(template, values), uri));

  it('refuse a template that breaks the rules, in one sentence', () =>
    assert.throws(() => expandTemplate('x://{bad', {}), {
      name: 'UserError',
      message: /x:\/\/\{bad/,
    }));

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
