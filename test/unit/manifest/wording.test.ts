import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';

/** Phrases that the product once used but a native writer would not; parts of texts, exactly as written. */
const gone = [
  ' anew',
  ' any more',
  ' shall ',
  'All Arguments in One',
  'Allow what',
  'Ask Anew',
  'Changes are not heard',
  'Changes of the Working Tree',
  'Fill In and Open',
  'Go On',
  'Insert the Clipboard',
  'Let It Ask',
  'Look at ',
  'Needs a look',
  'Not started: ',
  'Nothing found of',
  'Nothing waits for',
  'Put Into',
  'Says about itself',
  'Told to',
  'What stands before',
  'Write Into the File',
  'allowance',
  'as last seen',
  'asks for roots and gets none',
  'by themselves',
  'do not fit:',
  'does not suffice',
  'end recorded',
  'extension without code',
  'forgets what',
  'had said all',
  'is no complete',
  'is no text file',
  'it says not',
  'leave empty to leave it out',
  'must NOT have',
  'must have required property',
  'needs was not given',
  'not decided: you',
  'server says:',
  'takes their place',
  'these are no limits',
  'wants no more tokens',
  'what it complains of',
  'who you would talk to',
  'without a person',
];

const docs = readdirSync(join(repositoryRoot, 'docs'))
  .filter((name) => name.endsWith('.md'))
  // These quote the specification, servers and tests.
  .filter((name) => !['apps.md', 'hostile-servers.md'].includes(name))
  .map((name) => `docs/${name}`);

describe('the texts of the product', () => {
  for (const path of ['l10n/bundle.l10n.json', 'package.nls.json', 'README.md', ...docs])
    it(`are those of a native writer: ${path}`, () => {
      const text = readFileSync(join(repositoryRoot, path), 'utf8');
      assert.deepEqual(
        gone.filter((phrase) => text.includes(phrase)),
        [],
      );
    });
});
