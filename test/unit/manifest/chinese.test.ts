import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asideText, inEnglish, listText, pairText } from '../../../src/base/translate';
import { formatName, problemsText } from '../../../src/mcp/schema/words';
import { filesOf, readTexts } from '../../../tools/docs/languages';
import { repositoryRoot } from '../../support/paths';

const { code, manifest } = filesOf('zh-cn');
const texts = readTexts(code);

/**
 * Files that join words with the comma of English: for models, logs, terminals and files, for screen readers, or what
 * is no sentence of ours.
 */
const joinsLatin = new Set([
  'agents/agentSessions.ts',
  'base/text/fileName.ts',
  'base/text/jsonText.ts',
  'base/text/rowTexts.ts',
  'calls/check/checkResult.ts',
  'calls/format/calls.ts',
  'calls/format/parseCalls.ts',
  'calls/recording/exchanges.ts',
  'calls/report/report.ts',
  'calls/writeStep.ts',
  'chat/content/promptDrafts.ts',
  'chat/offer/toolOffer.ts',
  'config/add/registryEntry.ts',
  'config/bundles/readBundle.ts',
  'config/configuration.ts',
  'config/mergeLayers.ts',
  'contracts/modelMessages.ts',
  'mcp/launch/commandArguments.ts',
  'mcp/node/sandbox/planConfinement.ts',
  'mcp/session/subscriptions.ts',
  'offer/resourceServers.ts',
  'prompts/delivery/draftText.ts',
  'prompts/palette/paletteEntry.ts',
  'prompts/pickPrompt.ts',
  'prompts/preview/showPreview.ts',
  'prompts/runRequest.ts',
  'ui/editorChat.ts',
]);

/** Matches code that puts a translated text together with another one by a colon, a comma or parentheses of Latin. */
const latinAround =
  /`[^`\n]*\$\{[^`{}\n]*\bt\([^`\n]*\)\}(?:: | \(|, )|`[^`\n]*(?:: | \(|, )\$\{[^`{}\n]*\bt\(/;

/** Matches code that puts a name into parentheses of Latin behind another one. */
const latinAside = /\$\{[^{}`\n]*\} \(\$\{/;

/** Translates a text to Chinese like the editor. */
const t = (text: string, ...args: string[]) => inEnglish(texts[text] ?? text, ...args);

describe('Chinese', () => {
  for (const [what, path] of [
    ['code', code],
    ['manifest', manifest],
  ] as const) {
    const all = Object.values(readTexts(path));

    it(`has each text of the ${what} once`, () =>
      assert.equal(readFileSync(path, 'utf8').match(/^ {2}"/gm)?.length, all.length));

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

    it(`has a space between its own words and those of Latin, and none beside its own marks, in the ${what}`, () =>
      assert.deepEqual(
        all.filter((text) =>
          /\p{Script=Han}[A-Za-z0-9@]|[A-Za-z0-9]\p{Script=Han}|[，。：；（）、？！“]\s(?!\n)|\s[，。：；（）、？！”]/u.test(
            text.replaceAll(/\n|\]\([^)]*\)/g, ''),
          ),
        ),
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

  it('has its own punctuation between texts that the code puts together', () => {
    const source = join(repositoryRoot, 'src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => name.endsWith('.ts') && !joinsLatin.has(name))
      .map((name) => ({ name, code: readFileSync(join(source, name), 'utf8') }));
    assert.ok(files.length > 400);
    const found = files.filter(
      ({ code: text }) =>
        /join\('[,:] '\)/.test(text) || latinAround.test(text) || latinAside.test(text),
    );
    // Instead: listText, pairText and asideText.
    assert.deepEqual(
      found.map(({ name }) => name),
      [],
    );
    assert.equal(asideText(t('text'), t('required'), t), '文本（必填）');
    assert.equal(pairText('count', t('text'), t), 'count：文本');
  });

  it('has one word for each thing', () => {
    const others =
      /答复|侦听|略过|[本此]机|此计算机|标签页|应用程序|修订版|个提示(?!词)|当前文件|账户|的 id|编辑器自(?:己的(?: MCP )?|带)客户端/;
    const folder = join(repositoryRoot, 'docs', 'zh-cn');
    const paths = readdirSync(folder).map((name) => join(folder, name));
    const pages = [...paths, join(repositoryRoot, 'README.zh-cn.md')].map((path) =>
      readFileSync(path, 'utf8'),
    );
    const all = [code, manifest].flatMap((path) => Object.values(readTexts(path)));
    assert.ok(pages.length > 10);
    assert.deepEqual(
      [...all, ...pages.flatMap((page) => page.split('\n'))].filter((text) => others.test(text)),
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

  it('ends, asks and goes on where the English text does, with no space behind a sentence that is filled in', () => {
    const endings = [
      [/\.$/, /。$/],
      [/\?$/, /？$/],
      [/…$/, /…”?$/],
      [/^\{0\} [A-Z]/, /^\{0\}\P{White_Space}/u],
    ] as const;
    const found = Object.entries(texts).filter(
      ([english, text]) =>
        /……|\.\.\./.test(text) ||
        endings.some(([ours, theirs]) => ours.test(english) && !theirs.test(text)),
    );
    assert.deepEqual(found, []);
  });

  it('says of what a form asks that it asks, not when', () => {
    assert.equal(t('Asked: {0}', 'a?'), '询问内容：a?');
    assert.equal(t('left out'), '未填写');
  });

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
