import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { WaitingLine } from '../../../src/chat/calls/waitingLine';

/** Creates a line of an answer and collects what it writes; `shown` resolves to the first link. */
function openLine() {
  const texts: string[] = [];
  const shown = deferred<vscode.MarkdownString>();
  const stream = {
    markdown: (text: string | vscode.MarkdownString) => {
      if (typeof text === 'string') texts.push(text.trim());
      else shown.resolve(text);
    },
  } as unknown as vscode.ChatResponseStream;
  return { line: new WaitingLine(stream, 'one'), texts, shown: shown.promise };
}

describe('the line of an answer whose calls wait for the user', () => {
  for (const [waiting, text] of [
    [1, '1 call waits for your answer'],
    [3, '3 calls wait for your answer'],
  ] as const)
    it(`has a link that shows the question of this answer: ${text}`, async () => {
      const { line, texts, shown } = openLine();
      const ends = Array.from({ length: waiting }, () => line.begin());
      const { value, isTrusted } = await shown;
      assert.equal(
        decodeURIComponent(value.trim()),
        '[Show Question](command:mcpWorkbench.showCallQuestion?["one"])',
      );
      assert.deepEqual(isTrusted, { enabledCommands: ['mcpWorkbench.showCallQuestion'] });
      assert.deepEqual(texts, [text]);
      for (const end of ends) end();
    });

  it('is not written for a call that is decided at once', async () => {
    const [quick, slow] = [openLine(), openLine()];
    quick.line.begin()();
    const end = slow.line.begin();
    await slow.shown;
    end();
    assert.deepEqual(quick.texts, []);
  });
});
