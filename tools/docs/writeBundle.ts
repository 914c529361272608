// A standalone program, `npm run l10n`: collects the English texts of the code, and removes what is no longer used from
// the translations. With `-- --add <language>`, it starts another translation, in English until somebody translates it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../../package.nls.json';
import { repositoryRoot } from '../../test/support/paths';
import { filesOf, languages, readTexts, type Texts } from './languages';
import { readTranslatedTexts } from './translatedTexts';

function write(path: string, texts: Texts): void {
  writeFileSync(path, `${JSON.stringify(texts, undefined, 2)}\n`);
}

/**
 * Keeps only what is still used in a translation, in the order of the English texts, and prints each text that is not
 * translated.
 */
function update(path: string, english: Texts): void {
  const known = readTexts(path);
  const keys = Object.keys(english);
  const left = keys.filter((key) => known[key] === undefined);
  write(
    path,
    Object.fromEntries(
      keys.flatMap((key) => (known[key] === undefined ? [] : [[key, known[key]]])),
    ),
  );
  for (const key of left) console.log(`${path}: not translated: ${key}`);
}

const { values } = parseArgs({ options: { add: { type: 'string' } } });
const texts = [...readTranslatedTexts().texts].toSorted();
const bundle = Object.fromEntries(texts.map((text) => [text, text]));
write(join(repositoryRoot, 'l10n', 'bundle.l10n.json'), bundle);
if (values.add !== undefined) {
  write(filesOf(values.add).code, bundle);
  write(filesOf(values.add).manifest, manifest);
}
for (const language of languages()) {
  update(filesOf(language).code, bundle);
  update(filesOf(language).manifest, manifest);
}
