import assert from 'node:assert/strict';
import bundle from '../../../l10n/bundle.l10n.json';
import { readTranslatedTexts } from '../../support/translatedTexts';

describe('the texts to translate', () => {
  const { texts, unread } = readTranslatedTexts();
  const known = new Map(Object.entries(bundle));

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
