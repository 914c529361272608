import assert from 'node:assert/strict';
import { draftText } from '../../../../src/apps/consent/askDraft';

describe('the draft of an app', () => {
  const drafts: readonly (readonly [string, string])[] = [
    ['#file', '# file'],
    ['##file', '## file'],
    ['#@/clear it', '#@/ clear it'],
    ['say @agent and\n//clear', 'say @ agent and\n// clear'],
    ['## A heading', '## A heading'],
    ['a#b, me@a.example, https://a.example/b', 'a#b, me@a.example, https://a.example/b'],
    ['ends with ##', 'ends with ##'],
  ];
  for (const [text, draft] of drafts)
    it(`holds no command, mention or variable: ${JSON.stringify(text)}`, () => {
      assert.equal(draftText(text), draft);
      // The chat recognizes these at the start of the text and after whitespace.
      assert.doesNotMatch(draftText(text), /(?:^|\s)[@#/][\p{L}\d_]/u);
    });
});
