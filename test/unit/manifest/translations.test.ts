import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';
import manifest from '../../../package.nls.json';
import {
  filesOf,
  fixedParts,
  languages,
  readTexts,
  type Texts,
} from '../../../tools/docs/languages';
import { readTranslatedTexts } from '../../../tools/docs/translatedTexts';

describe('the texts to translate', () => {
  const { texts, unread } = readTranslatedTexts();
  const bundle = readFileSync(join(repositoryRoot, 'l10n', 'bundle.l10n.json'), 'utf8');
  const known = new Map(Object.entries(JSON.parse(bundle) as Record<string, string>));

  it('are all written where they are used', () => {
    assert.ok(texts.size > 100);
    assert.deepEqual(unread, []);
  });

  it('are all in the bundle: `npm run l10n` puts them there', () =>
    assert.deepEqual(
      [...texts].filter((text) => !known.has(text)),
      [],
    ));

  it('are in the bundle only while something uses them', () =>
    assert.deepEqual(
      [...known.keys()].filter((text) => !texts.has(text)),
      [],
    ));

  it('are in English there', () =>
    assert.deepEqual(
      [...known].filter(([text, english]) => text !== english),
      [],
    ));
});

describe('a date or a number', () => {
  it('is written as the language of the editor does it, and not as that of the machine', () => {
    const folder = join(repositoryRoot, 'src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const found = files
      .filter((name) => name.endsWith('.ts'))
      .filter((name) =>
        /\.toLocale(?:Date|Time)?String\(\)/.test(readFileSync(join(folder, name), 'utf8')),
      );
    assert.deepEqual(found, []);
  });
});

describe('a language', () => {
  const english: Texts = JSON.parse(
    readFileSync(join(repositoryRoot, 'l10n', 'bundle.l10n.json'), 'utf8'),
  ) as Texts;

  it('is there beside English', () => assert.ok(languages().includes('zh-cn')));

  for (const language of languages())
    for (const [what, path, source] of [
      ['code', filesOf(language).code, english],
      ['manifest', filesOf(language).manifest, manifest as Texts],
    ] as const) {
      const translated = readTexts(path);

      it(`has every text of the ${what} in ${language}, and no other: \`npm run l10n\` names them`, () =>
        assert.deepEqual(Object.keys(translated).toSorted(), Object.keys(source).toSorted()));

      it(`keeps what a text of the ${what} must repeat in ${language}`, () =>
        assert.deepEqual(
          Object.entries(translated).filter(
            ([key, text]) => fixedParts(text).join() !== fixedParts(source[key] ?? '').join(),
          ),
          [],
        ));
    }
});
