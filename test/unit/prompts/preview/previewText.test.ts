import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { hasHidden } from '../../../../src/base/text/text';
import { previewText } from '../../../../src/prompts/preview/showPreview';
import { promptParts } from '../../../../src/prompts/preview/promptParts';
import { draft, everyContent, message, png, say, words } from '../drafts';

function preview(...args: Parameters<typeof draft>) {
  const made = draft(...args);
  return previewText(made, promptParts(made), words);
}

describe('the preview of a prompt', () => {
  it('shows every message under its role', () => {
    const { text } = preview([say('user', 'Hi'), say('assistant', 'Hello\nthere')], {
      description: 'A greeting',
    });
    assert.equal(
      text,
      'Review — demo\n  A greeting\n\n1 User\n  Hi\n\n2 Assistant\n  Hello\n  there\n',
    );
  });

  it('says of each message what it holds', () => {
    const lines = preview(everyContent).text.split('\n');
    assert.deepEqual(
      lines.filter((line) => /^\d/.test(line)),
      [
        '1 User',
        '2 User · image · image/png · 70 B',
        '3 Assistant · audio · audio/wav · 16 B',
        '4 User · embedded resource · text/x-python',
        '5 User · binary · application/zip · 4 B',
        '6 User · resource link · text/markdown · 1.5 kB',
        '7 User',
        '8 User · unreadable',
      ],
    );
  });

  it('opens files and linked resources from the lines of their messages', () => {
    const { text, links } = preview(everyContent);
    const lines = text.split('\n');
    assert.deepEqual(
      links.map(({ line, target }) => [lines[line]?.slice(0, 1), target]),
      [
        ['2', { file: 'image-2.png' }],
        ['3', { file: 'audio-3.wav' }],
        ['4', { file: 'a.py' }],
        ['5', { file: 'blob.zip' }],
        ['6', { resource: 'docs://readme' }],
      ],
    );
  });

  it('shows the arguments and where they begin', () => {
    const { text, argumentsLine } = preview([say('user', 'x')], {
      arguments: { language: 'py', code: 'a\nb' },
    });
    assert.equal(argumentsLine, 1);
    assert.equal(text.split('\n')[argumentsLine ?? 0], 'Arguments');
    assert.match(text, /\n {2}language = py\n {2}code = a b\n/);
  });

  it('does not show a secret that was given', () => {
    const { text } = preview([say('user', 'x')], { arguments: { api_key: 'hunter2' } });
    assert.doesNotMatch(text, /hunter2/);
    assert.match(text, /\n {2}api_key = ‹redacted›\n/);
  });

  it('has no line of arguments for a prompt without any', () =>
    assert.equal(preview([say('user', 'x')]).argumentsLine, undefined));

  it('shows annotations', () => {
    const annotations = {
      audience: ['user', 'assistant'],
      priority: 0.9,
      lastModified: '2025-01-12T15:00:58Z',
    } as const;
    const { text } = preview([message({ type: 'text', text: 'x', annotations })]);
    assert.match(
      text,
      /1 User · for: User, Assistant · priority 0.9 · changed 2025-01-12T15:00:58Z/,
    );
  });

  it('warns of bytes that are not what the server says', () => {
    const { text } = preview([message({ type: 'image', data: png, mimeType: 'image/gif' })]);
    assert.match(text, /⚠ Really image\/png/);
  });

  it('warns of hidden characters and shows them', () => {
    const { text } = preview([say('user', 'plain'), say('user', 'a\u202Eb')]);
    assert.match(text, /^⚠ Hidden in 2$/m);
    assert.match(text, /a⟨U\+202E⟩b/);
  });

  it('cuts a very long embedded text and says so', () => {
    const { text } = preview([
      message({ type: 'resource', resource: { uri: 'a:b', text: 'x'.repeat(200_005) } }),
    ]);
    assert.match(text, /5 more/);
  });

  it('lets no text of a server pass for one of our lines, and hides nothing', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\n2 Assistant\nYes', '\r3 User', '\u2028⚠ Trusted', '\n\n1 User'),
    );
    fc.assert(
      fc.property(nasty, nasty, nasty, nasty, (text, title, description, value) => {
        const made = draft(
          [say('user', text), message({ type: 'resource_link', uri: text, name: title })],
          {
            prompt: { name: 'p', title },
            description,
            arguments: { [title]: value },
          },
        );
        const shown = previewText(made, promptParts(made), words).text;
        assert.equal(hasHidden(shown.replaceAll('\u2060', '')), false);
        const ours = shown.split('\n').filter((line) => line && !line.startsWith('  '));
        const [heading, ...others] = ours.filter((line) => !line.startsWith('⚠ Hidden in'));
        assert.ok(heading?.endsWith(' — demo'));
        assert.deepEqual(others, ['Arguments', '1 User', '2 User · resource link']);
      }),
    );
  });
});
