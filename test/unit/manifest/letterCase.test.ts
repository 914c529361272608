import assert from 'node:assert/strict';
import manifest from '../../../package.nls.json';
import { casesOf } from './letterCase';
import { readTranslatedTexts } from '../../../tools/docs/translatedTexts';

const inManifest = Object.entries(manifest).filter(([key]) => !key.endsWith('.picture'));
const { texts, places } = readTranslatedTexts();

/** True for keys of commands, views, setting groups and tools; all other texts in the manifest are sentences. */
const isTitleKey = (key: string) => /^(command|view|settings)\.|^tool\.\w+$/.test(key);

const commands = inManifest.flatMap(([key, text]) => (key.startsWith('command.') ? [text] : []));
const titles = [...commands, ...texts]
  .filter((text) => /\S \S/.test(text) && !text.includes('{') && !casesOf(text).has('sentence'))
  .flatMap((title) => [title, title.replace(/…$/, '')])
  .toSorted((a, b) => b.length - a.length);

const isSentenceEnd = /[.?!]$/;

/** The places where a text is a sentence: beside or below something, or in a field. */
const sentencePlaces = new Set([
  'description',
  'detail',
  'next',
  'placeholder',
  'placeHolder',
  'problem',
  'prompt',
  'reason',
  'refused',
]);

/** Buttons of dialogs and documents. */
const titlePlaces = new Set(['decline', 'openLabel', 'saveLabel', 'submit']);

/** Texts that start like commands but are not, such as those that say what the user can do. */
const hints = new Set([
  'Copy the messages as text',
  'Select an approval to see exactly what it covers',
  'Select servers to check them',
  'Set by your administrator',
  'Start the server to see what is in here',
]);

const verbs = new Set(commands.map((title) => title.split(' ')[0]));

const isAt = (text: string, wanted: ReadonlySet<string>) =>
  (places.get(text) ?? []).some((place) => wanted.has(place));

describe('the case of texts', () => {
  for (const [text, cases] of [
    ['Continue', ['title', 'sentence']],
    ['Open in Browser', ['title']],
    ['Open with Values…', ['title']],
    ['Show All ({0} more lines)', ['title']],
    ['Open the file', ['sentence']],
    ['Open the URL of `Some Thing` in MCP Workbench. Then stop.', ['sentence']],
    ['Disable it with Disable Server.', ['sentence']],
    ['Open With Values Of It', []],
    ['Open The File', []],
    ['The server Refuses it.', []],
  ] as const)
    it(`is told: ${text}`, () => assert.deepEqual([...casesOf(text, ['Disable Server'])], cases));
});

describe('the texts of the manifest, each', () => {
  it('is in title case, if it names a command, a view, a group of settings or a tool', () =>
    assert.deepEqual(
      inManifest.filter(([key, text]) => isTitleKey(key) && !casesOf(text).has('title')),
      [],
    ));

  it('is in sentence case otherwise', () =>
    assert.deepEqual(
      inManifest.filter(
        ([key, text]) => !isTitleKey(key) && !casesOf(text, titles).has('sentence'),
      ),
      [],
    ));

  it('names the commands behind its buttons in title case', () =>
    assert.deepEqual(
      inManifest
        .flatMap(([, text]) =>
          Array.from(text.matchAll(/\[([^\]]+)\]\(command:/g), ([, name]) => name),
        )
        .filter((name = '') => !casesOf(name).has('title')),
      [],
    ));
});

describe('the texts of the code, each', () => {
  const wrong = (is: (text: string) => boolean, wanted: 'title' | 'sentence') =>
    [...texts].filter((text) => is(text) && !casesOf(text, titles).has(wanted));

  it('is in title case or in sentence case, and no mixture', () =>
    assert.deepEqual(
      [...texts].filter((text) => casesOf(text, titles).size === 0),
      [],
    ));

  it('is in sentence case, if it is a sentence', () =>
    assert.deepEqual(
      wrong((text) => isSentenceEnd.test(text), 'sentence'),
      [],
    ));

  it('is in sentence case, where it describes, asks or complains', () =>
    assert.deepEqual(
      wrong((text) => isAt(text, sentencePlaces), 'sentence'),
      [],
    ));

  it('is in title case, where it is a button', () =>
    assert.deepEqual(
      wrong((text) => isAt(text, titlePlaces), 'title'),
      [],
    ));

  it('is in title case, where it begins as a command does', () =>
    assert.deepEqual(
      wrong(
        (text) =>
          verbs.has(text.split(' ')[0]) &&
          !isSentenceEnd.test(text) &&
          !isAt(text, sentencePlaces) &&
          !hints.has(text),
        'title',
      ),
      [],
    ));

  it('quotes commands and buttons by their names', () => {
    const known = new Set([...texts, ...commands].map((title) => title.replace(/…$/, '')));
    const quoted = [...texts].flatMap((text) =>
      Array.from(text.matchAll(/["“]([A-Z][^"”{]*)["”]/g), ([, name = '']) =>
        name.replace(/…$/, ''),
      ),
    );
    assert.ok(quoted.length > 5);
    assert.deepEqual(
      quoted.filter((name) => !known.has(name) && name !== 'Authorization'),
      [],
    );
  });
});
