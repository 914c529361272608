import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { repositoryRoot } from '../../support/paths';
import { countBehaviours, hostilePage, hostilePagePath } from '../../../tools/docs/hostilePage';
import { readTranslatedTexts } from '../../../tools/docs/translatedTexts';
import { languages, readTexts, filesOf } from '../../../tools/docs/languages';
import { settingsPages } from '../../../tools/docs/settingsPage';
import { walkthroughPictures, writtenPicture } from '../../../tools/docs/walkthroughPictures';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'README.zh-cn.md',
  ...readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  ),
].filter((name) => name.endsWith('.md'));

describe('a page of the documentation', () => {
  for (const page of pages)
    it(`links to files that are there: ${page}`, () => {
      const text = readFileSync(join(repositoryRoot, page), 'utf8');
      const links = Array.from(
        text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g),
        ([, link = '']) => link,
      );
      const folder = dirname(join(repositoryRoot, page));
      assert.deepEqual(
        links.filter((link) => !existsSync(join(folder, link))),
        [],
      );
    });
});

/** True if a version, as three numbers, is in a range as manifests write them. */
function satisfies(version: readonly number[], range: string): boolean {
  const compare = (other: readonly number[]) =>
    version.map((part, at) => part - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return range.split('||').some((part) =>
    Array.from(part.matchAll(/(>=|<|\^|~)?\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?/g)).every(
      ([, mark, ...numbers]) => {
        const given = numbers.filter((one) => one !== undefined).map(Number);
        const isSame = (length: number) =>
          given.slice(0, length).join() === version.slice(0, length).join();
        switch (mark) {
          case '>=':
            return compare(given) >= 0;
          case '<':
            return compare(given) < 0;
          case '^':
            return isSame(1) && compare(given) >= 0;
          case '~':
            return isSame(2) && compare(given) >= 0;
          default:
            return isSame(given.length);
        }
      },
    ),
  );
}

describe('the Node that a README asks for', () => {
  const { packages } = JSON.parse(
    readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8'),
  ) as {
    readonly packages: Readonly<
      Record<string, { readonly engines?: { readonly node?: string }; readonly optional?: boolean }>
    >;
  };
  const refusing = (version: readonly number[]) =>
    Object.entries(packages)
      // What does not fit is left out of these without a word.
      .filter(
        ([, { engines, optional }]) => !optional && !satisfies(version, engines?.node ?? '>=0'),
      )
      .map(([path]) => path);

  for (const page of ['README.md', 'README.zh-cn.md'])
    it(`is the first that all packages take, so that npm warns of none: ${page}`, () => {
      const text = readFileSync(join(repositoryRoot, page), 'utf8');
      const [, major, minor] = /Node ≥ (\d+)\.(\d+)/.exec(text)?.map(Number) ?? [];
      assert.ok(major && minor);
      for (const version of [
        [major, minor, 0],
        [major, minor + 9, 0],
        [major + 1, 0, 0],
        [major + 2, 0, 0],
      ])
        assert.deepEqual(refusing(version), [], version.join('.'));
      assert.notDeepEqual(refusing([major, minor - 1, 0]), []);
    });
});

/** Returns the anchors of the headings, as repositories create them for Markdown. */
function anchorsIn(text: string): ReadonlySet<string> {
  return new Set(
    Array.from(text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

describe('a link of the documentation', () => {
  for (const page of pages)
    it(`leads to a heading that is there: ${page}`, () => {
      const text = readFileSync(join(repositoryRoot, page), 'utf8');
      const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g));
      const folder = dirname(join(repositoryRoot, page));
      assert.deepEqual(
        links
          .filter(([, to = '', anchor = '']) => {
            const target = to === '' ? text : readFileSync(join(folder, to), 'utf8');
            return !anchorsIn(target).has(decodeURIComponent(anchor));
          })
          .map(([link]) => link),
        [],
      );
    });
});

describe('the README', () => {
  const text = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
  const [, table = ''] = text.split('## What you get');
  const [, security = ''] = text.split('## Security in five lines');

  it('has at most 600 words, commands and addresses of links aside', () => {
    const words = text
      .replaceAll(/```[^]*?```/g, '')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .split(/\s+/)
      .filter((word) => /\w/.test(word));
    assert.ok(words.length > 100 && words.length <= 600, `${words.length} words`);
  });

  it('compares with other clients, and says when', () => {
    for (const other of ['The editor', 'MCP Inspector', 'Cline']) assert.ok(table.includes(other));
    assert.match(table, /^As of \w+ 20\d\d/m);
  });

  it('says in five lines what it does about security', () => {
    const [lines = ''] = security.split('\n## ');
    assert.equal(lines.split('\n').filter((line) => line.startsWith('- ')).length, 5);
  });
});

describe('the page of the settings', () => {
  for (const [path, page] of settingsPages())
    it(`is what the manifest and the rules say: \`npm run docs\` writes ${path}`, async () => {
      const options = await resolveConfig(path);
      const expected = await format(page, { ...options, parser: 'markdown' });
      assert.equal(readFileSync(path, 'utf8'), expected);
    });
});

describe('the page of hostile servers', () => {
  it('is what the tests run through: `npm run docs` writes it', async () => {
    const options = await resolveConfig(hostilePagePath);
    const expected = await format(hostilePage(), { ...options, parser: 'markdown' });
    assert.equal(readFileSync(hostilePagePath, 'utf8'), expected);
    assert.ok(countBehaviours(expected) >= 200, `${countBehaviours(expected)}`);
  });
});

describe('a picture of the walkthrough', () => {
  for (const [path, picture] of walkthroughPictures())
    it(`has the words of the product: \`npm run docs\` writes ${path}`, () =>
      assert.equal(writtenPicture(path), picture));
});

/** The pages for users of the product, which exist in every language. */
const guide = [
  'apps',
  'chat',
  'chats',
  'development',
  'prompts',
  'questions',
  'requests',
  'resources',
  'roots',
  'servers',
  'settings',
  'sign-in',
  'skills',
  'tools',
  'troubleshooting',
];

describe("docs: a page of the user's guide", () => {
  const headings = (path: string) =>
    readFileSync(join(repositoryRoot, 'docs', path), 'utf8')
      .replaceAll(/^```[^]*?^```/gm, '')
      .match(/^#+ /gm)
      ?.map((heading) => heading.trim());

  for (const language of languages())
    for (const page of guide)
      it(`has its twin in ${language}, with the same headings: ${page}`, () =>
        assert.deepEqual(headings(`${language}/${page}.md`), headings(`${page}.md`)));

  it('is linked from the README of its language', () => {
    for (const [readme, folder] of [
      ['README.md', 'docs'],
      ...languages().map((language) => [`README.${language}.md`, `docs/${language}`] as const),
    ] as const) {
      const text = readFileSync(join(repositoryRoot, readme), 'utf8');
      assert.deepEqual(
        guide.filter((page) => !text.includes(`(${folder}/${page}.md)`)),
        [],
      );
    }
  });
});

describe('the page of troubles', () => {
  const said = [...readTranslatedTexts().texts];
  const page = readFileSync(join(repositoryRoot, 'docs', 'troubleshooting.md'), 'utf8');
  const quoted = Array.from(page.matchAll(/^### “(.*)”$/gm), ([, sentence = '']) => sentence);

  for (const language of languages())
    it(`quotes the same in ${language}`, () => {
      const texts = readTexts(filesOf(language).code);
      const path = join(repositoryRoot, 'docs', language, 'troubleshooting.md');
      const twin = Array.from(
        readFileSync(path, 'utf8').matchAll(/^### “(.*)”$/gm),
        ([, one]) => one,
      );
      assert.deepEqual(
        twin,
        quoted.map((sentence) => texts[sentence]),
      );
    });

  it('quotes what the product says, word for word', () => {
    assert.ok(quoted.length > 10);
    assert.deepEqual(
      quoted.filter((sentence) => !said.includes(sentence)),
      [],
    );
  });
});
