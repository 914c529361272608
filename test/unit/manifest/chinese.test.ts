import assert from 'node:assert/strict';
import { inEnglish, listText } from '../../../src/base/translate';
import { formatName, problemsText } from '../../../src/mcp/schema/words';
import { filesOf, readTexts } from '../../../tools/docs/languages';

const { code, manifest } = filesOf('zh-cn');
const texts = readTexts(code);

/** Translates a text to Chinese like the editor. */
const t = (text: string, ...args: string[]) => inEnglish(texts[text] ?? text, ...args);

describe('Chinese', () => {
  for (const [what, path] of [
    ['code', code],
    ['manifest', manifest],
  ] as const) {
    const all = Object.values(readTexts(path));

    it(`says 你 to whoever reads the ${what}`, () =>
      assert.deepEqual(
        all.filter((text) => text.includes('您')),
        [],
      ));

    it(`has no comma or colon of Latin between its own words in the ${what}`, () =>
      assert.deepEqual(
        all.filter((text) => /[\p{Script=Han}”）][,:;]/u.test(text)),
        [],
      ));

    it(`has parentheses of full width beside its own words in the ${what}`, () =>
      assert.deepEqual(
        all.filter((text) => {
          const words = text.replaceAll(/\$\([\w-]+\) ?|\]\([^)]*\)/g, '');
          return /[\p{Script=Han}”]\s?\(|\)\s?\p{Script=Han}/u.test(words);
        }),
        [],
      ));

    it(`has “ ” around names, and straight quotation marks around code alone, in the ${what}`, () =>
      assert.deepEqual(
        all.filter((text) =>
          /[‘’「」『』]|"[^"]*(?:\p{Script=Han}|\{\d\})/u.test(
            text.replaceAll(/"[\x20-\x21\x23-\x7a|~]*"/g, ''),
          ),
        ),
        [],
      ));
  }

  it('has one word for each thing', () => {
    const others = /答复|侦听|略过|本机|修订版本|个提示(?!词)|当前文件|账户|的 id/;
    const all = [code, manifest].flatMap((path) => Object.values(readTexts(path)));
    assert.deepEqual(
      all.filter((text) => others.test(text)),
      [],
    );
  });

  it('keeps straight quotation marks around the keys and values of a file', () =>
    assert.deepEqual(
      Object.entries(texts).filter(([english, text]) =>
        [...english.matchAll(/"([a-z][\w.]*)"/gi)].some(([, key]) => text.includes(`“${key}”`)),
      ),
      [],
    ));

  it('calls a question what it is called elsewhere', () => {
    assert.equal(t('Show Question'), '显示询问');
    assert.match(t('No question waits for you.'), /询问/);
  });

  it('sets words and headings apart by marks of its own', () => {
    assert.equal(listText(['一', '二'], t), '一、二');
    assert.equal(t('{0}:', t('Launch')), '启动方式：');
    assert.equal(t('{0}: {1}', t('Ended'), t('declined')), `${t('Ended')}：已拒绝`);
  });

  it('says in one sentence who allowed a call, and what for', () => {
    const scope = listText([t('this tool'), t('for this session')], t);
    assert.equal(t('allowed by {0}, {1}', t('you'), scope), '由你允许：此工具、本次会话');
    assert.equal(t('denied by {0}', t('MCP Workbench')), '由本扩展拒绝');
  });

  it('says what does not fit a schema without a space between its words', () => {
    const path = ['guests', '0'];
    const email = { kind: 'format', path, format: 'email' } as const;
    const type = { kind: 'type', path: ['b'], types: ['string', 'number'] } as const;
    const problems = [email, type] as unknown as Parameters<typeof problemsText>[0];
    assert.equal(
      t('Unexpected format: {0}', problemsText(problems, t)),
      '意外的格式：“guests.0”：不是电子邮件地址；“b”：必须是文本或数字',
    );
    for (const format of ['email', 'uri', 'date', 'date-time', 'time', 'uuid', 'ipv4'])
      assert.match(formatName(format, t) ?? '', /^\p{Script=Han}/u);
  });
});
