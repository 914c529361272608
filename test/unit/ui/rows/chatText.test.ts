import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { wordsLabel } from '../../../../src/base/text/text';
import {
  failedAnswer,
  plainMarkdown,
  sayLine,
  sayLink,
  sayProgress,
} from '../../../../src/ui/rows/chatText';

/** Calls back with a stream whose Markdown is returned. */
function saidBy(say: (stream: vscode.ChatResponseStream) => void): string {
  let said = '';
  const add = (text: string | vscode.MarkdownString) =>
    void (said += typeof text === 'string' ? text : text.value);
  say({ markdown: add, progress: add } as unknown as vscode.ChatResponseStream);
  return said;
}

/** What makes Markdown of a text that the editor takes for that. */
const makers: Readonly<Record<string, (text: string) => string>> = {
  'a line': (text) => saidBy((stream) => sayLine(stream, text)),
  'how far something has come': (text) => saidBy((stream) => sayProgress(stream, text)),
  'why an answer has failed': (text) => failedAnswer(text).errorDetails.message,
  'a sentence of ours': (text) => plainMarkdown(text).value,
  'the title of a link': (text) => {
    const link = saidBy((stream) => sayLink(stream, text, 'mcpWorkbench.showLog'));
    return link.slice(1, link.lastIndexOf(']('));
  },
};

const texts = [
  'a character by its number: &#x202E;gnp.exe',
  'a character by its name: &ZeroWidthSpace;a&rlm;b&shy;c',
  '**bold**, _slanted_, ~~struck~~ and `code`',
  '![a picture](https://evil.example/x.png) ![one more][x]',
  '[a command](command:workbench.action.quit) and [one more][x]',
  '<https://evil.example/> <b>html</b>',
  'C:\\_x\\*.js \\&amp; a\\',
  '# a heading',
  '> a quotation',
  '- an item',
];

describe('a text in the chat, of whoever it is', () => {
  for (const [what, make] of Object.entries(makers))
    for (const text of texts)
      it(`is nothing but text in ${what}: ${text}`, () => {
        const made = make(text).trim();
        // By the rules of CommonMark, a sign behind a backslash is that sign, and `&amp;` is one.
        const escapes = /&amp;|\\([!-/:-@[-`{-~])/g;
        assert.doesNotMatch(made.replaceAll(escapes, ''), /[&\\`*_~<[\]]|^[#>+-]/);
        const read = made.replaceAll(escapes, (_escape, sign?: string) => sign ?? '&');
        assert.equal(read, wordsLabel(text));
      });

  it('ends no link to a command that is given it', () => {
    const link = saidBy((stream) => sayLink(stream, 'Show', 'mcpWorkbench.showLog', 'a (b) c)'));
    const [, query] =
      /^\[Show\]\(command:mcpWorkbench\.showLog\?([^()]*)\)$/.exec(link.trim()) ?? [];
    assert.deepEqual(JSON.parse(decodeURIComponent(query ?? '')), ['a (b) c)']);
  });
});
