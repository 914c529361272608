import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { WaitingLine } from '../../../src/chat/participant/callReport';

/** Creates a line of an answer and collects what it writes; `shown` resolves once it is there. */
function openLine() {
  const texts: string[] = [];
  const shown = deferred<void>();
  const stream = {
    markdown: (text: string) => texts.push(text),
    progress: (text: string) => {
      texts.push(`[${text}]`);
      shown.resolve();
    },
  } as unknown as vscode.ChatResponseStream;
  return { line: new WaitingLine(stream), texts, shown: shown.promise };
}

describe('the line of an answer whose calls wait for the user', () => {
  for (const [waiting, text] of [
    [1, '1 call waits for your answer'],
    [3, '3 calls wait for your answer'],
  ] as const)
    it(`is progress, which the editor shows until the last of them is decided: ${text}`, async () => {
      const { line, texts, shown } = openLine();
      const ends = Array.from({ length: waiting }, () => line.begin());
      await shown;
      for (const end of ends) {
        assert.deepEqual(texts, [`[${text}]`]);
        end();
      }
      assert.deepEqual(texts, [`[${text}]`, '\n\n']);
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
