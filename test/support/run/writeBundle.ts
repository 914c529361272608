// A program of its own: writes the bundle of texts to translate, in English.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../paths';
import { readTranslatedTexts } from './translatedTexts';

const texts = [...readTranslatedTexts().texts].toSorted();
const bundle = Object.fromEntries(texts.map((text) => [text, text]));
const path = join(repositoryRoot, 'l10n', 'bundle.l10n.json');
writeFileSync(path, `${JSON.stringify(bundle, undefined, 2)}\n`);
