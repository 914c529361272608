import assert from 'node:assert/strict';
import { asMarkdown, asText, markdownFiles } from '../../../../src/prompts/delivery/draftText';
import { promptParts } from '../../../../src/prompts/preview/promptParts';
import { draft, everyContent, message, say } from '../drafts';

describe('a prompt as text', () => {
  it('is the text of a single message, exactly', () => {
    const text = '  a\r\n\t"b" \u202E👍🏽\n\n';
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
