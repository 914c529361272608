import assert from 'node:assert/strict';
import { hasHidden } from '../../../../src/base/text/text';
import { chatTurns } from '../../../../src/prompts/delivery/deliverPrompt';
import {
  asMarkdown,
  asText,
  foldMessages,
  markdownFiles,
} from '../../../../src/prompts/delivery/draftText';
import { promptParts } from '../../../../src/prompts/preview/promptParts';
import { draft, everyContent, message, say } from '../drafts';

describe('a prompt as text', () => {
  it('is the text of a single message, exactly', () => {
    const text = '  a\r\n\t"b" 👍🏽\n\n';
    assert.equal(asText(promptParts(draft([say('user', text)]))), text);
  });

  it('joins messages of one role without naming it', () => {
    const parts = promptParts(draft([say('assistant', 'a'), say('assistant', 'b')]));
    assert.equal(asText(parts), 'a\n\nb');
  });

  it('names the roles where they differ, whichever comes first', () => {
    const messages = [say('assistant', 'a'), say('user', 'b'), say('user', 'c')];
    assert.equal(asText(promptParts(draft(messages))), 'Assistant:\na\n\nUser:\nb\n\nUser:\nc');
  });

  it('names what is no text', () => {
    const text = asText(promptParts(draft(everyContent)));
    for (const expected of [
      '[image: image/png, 70 B]',
      '[audio: audio/wav, 16 B]',
      'file:///src/a.py\n```\nprint(1)\n```',
      '[demo://blob: application/zip, 4 B]',
      'docs://readme',
      'hologram',
      'not valid base64',
    ])
      assert.ok(text.includes(expected), expected);
  });

  it('fences an embedded text with more backticks than it holds', () => {
    const resource = { uri: 'a:b', text: 'x ```` y' };
    const text = asText(promptParts(draft([message({ type: 'resource', resource })])));
    assert.equal(text, 'a:b\n`````\nx ```` y\n`````');
  });
});

describe('what is hidden in a prompt', () => {
  const evil = 'a\u{E0041}\u200Bb\u202E\u001B[31m\n';
  const shown = 'a⟨U+E0041⟩⟨U+200B⟩b⟨U+202E⟩⟨U+001B⟩[31m\n';
  const uri = `x:${evil}`;
  const made = draft([
    say('user', evil),
    message({ type: 'resource', resource: { uri, text: evil } }),
    message({ type: 'resource_link', uri, name: evil }),
    message({ type: 'resource', resource: { uri, blob: 'AAECAw==', mimeType: evil } }),
    message({ type: 'image', data: '?', mimeType: evil }),
    message({ type: 'unknown', value: { evil } }),
    say('assistant', evil),
  ]);
  const parts = promptParts(made);
  const turns = chatTurns(parts);
  const places: Readonly<Record<string, readonly string[]>> = {
    'an editor, the clipboard and whoever runs it': [asText(parts)],
    'a document': [asMarkdown(made, parts)],
    'a chat, as one message': [foldMessages(made, parts, true).text],
    'a chat, as a draft': [turns.query, JSON.stringify(turns.previous)],
    'an attachment': parts.flatMap(({ file }) =>
      typeof file?.content === 'string' ? [file.content] : [],
    ),
  };
  for (const [where, texts] of Object.entries(places))
    it(`is visible in ${where}`, () => {
      assert.ok(texts.length > 0);
      assert.ok(texts.join().includes(shown.trimEnd()), texts.join());
      for (const text of texts) assert.ok(!hasHidden(text), text);
    });

  it('is saved as it was sent', () => {
    assert.ok(asMarkdown(made, promptParts(made, 'asSent')).includes(evil));
  });
});

describe('a prompt as Markdown', () => {
  it('has a section for each message and shows images from files beside it', () => {
    const made = draft(everyContent, { description: 'All kinds' });
    const parts = promptParts(made);
    const text = asMarkdown(made, parts);
    assert.ok(text.startsWith('# Review\n\nAll kinds\n\n## User\n\nLook at this.\n\n## User\n\n'));
    assert.ok(text.includes('![image-2.png](<image-2.png>)'));
    assert.ok(text.includes('## Assistant\n\n[audio-3.wav](<audio-3.wav>)'));
    assert.equal(text.match(/^## /gm)?.length, everyContent.length);
    assert.deepEqual(
      markdownFiles(parts).map(({ name }) => name),
      ['image-2.png', 'audio-3.wav', 'blob.zip'],
    );
  });
});
