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

/** Every text in the code that users can read, and the file that it is in. */
const texts = readdirSync(join(repositoryRoot, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) =>
    [
      ...readFileSync(join(repositoryRoot, path), 'utf8').matchAll(
        /\bt\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")/g,
      ),
    ].map(([, single, double]) => ({ path, text: single ?? double ?? '' })),
  );

/** Words that mean one thing each: which texts have them, and where these may be, or that there is another word. */
const oneMeaning: readonly {
  readonly word: RegExp;
  readonly means: string;
  readonly where?: RegExp;
}[] = [
  {
    word: /\b(?:den(?:y|ies|ied)|denial)\b/i,
    means: 'to refuse a call of a tool',
    where: /^src\/(?:gate|chat\/participant\/callReport|testing|tools|ui\/decisionText)/,
  },
  {
    word: /\bdeclin/i,
    means: 'to refuse what a server or an app asks',
    where: /^src\/(?:requests|apps\/consent|audit\/logDetails)/,
  },
  {
    word: /\bNot Now\b/,
    means: 'to put off what can be decided later',
    where: /^src\/(?!gate|requests\/elicitation|requests\/questionFrame)/,
  },
  {
    word: /^(?:\$\([\w-]+\) )?(?:Later|Maybe|Reject|Refuse|Dismiss|Disallow|Forbid|Permit|Approve|Execute|Invoke|Ignore)\b/,
    means: 'what Not Now, Deny, Decline, Allow and Run say',
  },
  { word: /\b(?:Open|View|See|Display) (?:the )?Log/i, means: 'what Show Log says' },
  { word: /\b(?:entered|stored) (?:values|inputs)\b/i, means: 'inputs' },
  { word: /Restart and Compare|by keyboard|for everything/i, means: 'what has a better name' },
  { word: /\b(?:Check|Diagnose) Server(?! Against)/, means: 'what it is checked for' },
];

describe('a word of the product', () => {
  for (const { word, means, where } of oneMeaning)
    it(`has one meaning: ${word.source} ${where ? 'means' : 'is'} ${means}`, () => {
      const others = texts.filter(
        ({ path, text }) =>
          word.test(text) && !where?.test(path) && !text.includes('permission denied'),
      );
      assert.deepEqual(others, []);
      if (where) assert.ok(texts.some(({ text }) => word.test(text)));
    });
});

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
