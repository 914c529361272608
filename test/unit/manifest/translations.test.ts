import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';
import { readTranslatedTexts } from '../../support/run/translatedTexts';

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
