import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { untilAborted } from '../../../../src/base/async';
import { Emitter } from '../../../../src/base/event';
import { ContextDocument } from '../../../../src/apps/panel/contextDocument';
import { silentLogger } from '../../../../src/base/log';
import { byUser, type KeyboardPermit } from '../../../../src/ui/questions/question';
import type { MemoryFiles } from '../../../../src/ui/documents/memoryFiles';
import { fakeServer } from '../../../support/fakes/fakeServer';

/** Creates an app's document with a fake chat: its texts, how often it was attached, and its reads. */
function create() {
  const texts = new Map<string, string>();
  const attached: string[] = [];
  const reads = new Emitter<vscode.Uri>();
  const folder = {
    add: (name: string, text: string) => {
      texts.set(name, text);
      return name;
    },
    dispose: () => texts.clear(),
  };
  const files = {
    createFolder: () => folder,
    onDidRead: reads.event,
  } as unknown as MemoryFiles;
  const chat = { isThere: true, mayAttach: true, isTyping: false };
  const pause = new Emitter<void>();
  const questions = {
    permitNow: () => (chat.isTyping ? undefined : byUser()),
    untilPermitted: (signal: AbortSignal) =>
      untilAborted(
        new Promise<KeyboardPermit>((resolve) => pause.event(() => resolve(byUser()))),
        signal,
      ),
  };
  const document = new ContextDocument({
    files,
    attach: (uri) => {
      if (!chat.isThere) return Promise.reject(new Error('no chat'));
      attached.push(String(uri));
      return Promise.resolve();
    },
    mayAttach: () => chat.mayAttach,
    questions,
    log: silentLogger,
  });
  const name = 'demo app.txt';
  const uri = name as unknown as vscode.Uri;
  return {
    document,
    texts,
    attached,
    chat,
    update: (text: string) => document.update(fakeServer(), 'ui://demo/view', text),
    text: () => texts.get(name) ?? '',
    read: (other?: string) => reads.fire((other as unknown as vscode.Uri | undefined) ?? uri),
    sent: (...others: readonly string[]) =>
      document.noteSent(others.length > 0 ? others : [name], byUser()),
    /** The user stops typing. */
    pause: async () => {
      chat.isTyping = false;
      pause.fire();
      await new Promise(setImmediate);
    },
  };
}

describe('what an app wants models to know', () => {
  it('is the latest that it said, attached once, and marked as the words of the server', async () => {
    const { document, update, text, texts, attached } = create();
    await update('the slider is at 7');
    await update('the slider is at 8');
    assert.deepEqual(attached, ['demo app.txt']);
    assert.match(
      text(),
      /^Written by the app ui:\/\/demo\/view of the server demo, not by the user\./,
    );
    assert.match(text(), /the slider is at 8\n$/);
    assert.doesNotMatch(text(), /at 7/);
    document.dispose();
    assert.equal(texts.size, 0);
  });

  it('is attached to the next message, too, once a message went out with it', async () => {
    const { update, sent, read, attached, text } = create();
    await update('the slider is at 7');
    await sent('demo app.txt', 'other.txt');
    read();
    assert.equal(attached.length, 2);
    await update('the slider is at 8');
    assert.equal(attached.length, 2);
    assert.match(text(), /at 8/);
    await sent();
    assert.equal(attached.length, 3);
  });

  it('is not attached again where the user took it off', async () => {
    const { update, sent, read, attached } = create();
    await sent();
    await update('the slider is at 7');
    await sent('other.txt');
    read('other.txt');
    await update('the slider is at 8');
    assert.equal(attached.length, 1);
  });

  it('is attached again when the app begins anew', async () => {
    const { document, update, attached } = create();
    await update('the slider is at 7');
    document.forget();
    await update('the slider is at 7');
    assert.equal(attached.length, 2);
  });

  it('is attached anew where another agent has read it, as soon as that disturbs nobody', async () => {
    const { update, read, chat, attached } = create();
    await update('the slider is at 7');
    read();
    chat.mayAttach = false;
    await update('the slider is at 8');
    assert.equal(attached.length, 1);
    chat.mayAttach = true;
    await update('the slider is at 9');
    await update('the slider is at 10');
    assert.equal(attached.length, 2);
  });

  it('is empty when the app has nothing more to say, and comes back with what it says next', async () => {
    const { update, sent, read, text, attached } = create();
    await update('');
    assert.equal(text(), '');
    await update('the slider is at 7');
    await update('');
    assert.doesNotMatch(text(), /slider/);
    await sent();
    read();
    assert.equal(attached.length, 1);
    await update('the slider is at 8');
    assert.equal(attached.length, 2);
  });

  it('is attached no longer once the app has ended', async () => {
    const { document, update, sent, attached } = create();
    await update('the slider is at 7');
    document.forget();
    await sent();
    assert.equal(attached.length, 1);
  });

  for (const [what, before] of [
    ['for the first time', async () => {}],
    [
      'after another agent has read it',
      async ({ update, read }: ReturnType<typeof create>) => {
        await update('the slider is at 1');
        read();
      },
    ],
    [
      'when it begins anew',
      async ({ update, document }: ReturnType<typeof create>) => {
        await update('the slider is at 1');
        document.forget();
      },
    ],
  ] as const)
    it(`leaves the keyboard to who types, and is attached in the next pause, once: ${what}`, async () => {
      const app = create();
      await before(app);
      const count = app.attached.length;
      app.chat.isTyping = true;
      await app.update('the slider is at 7');
      await app.update('the slider is at 8');
      assert.equal(app.attached.length, count);
      await app.pause();
      assert.equal(app.attached.length, count + 1);
      assert.match(app.text(), /at 8/);
    });

  it('goes with the next message of who never stops typing, and nowhere once the app has ended', async () => {
    const { document, update, sent, attached, chat, pause } = create();
    chat.isTyping = true;
    await update('the slider is at 7');
    await sent('other.txt');
    assert.equal(attached.length, 1);
    document.forget();
    await update('the slider is at 8');
    document.forget();
    await pause();
    assert.equal(attached.length, 1);
  });

  it('is refused with an error each time where there is no chat', async () => {
    const { update, chat, attached } = create();
    chat.isThere = false;
    await assert.rejects(update('the slider is at 7'), /no chat/);
    await assert.rejects(update('the slider is at 8'), /no chat/);
    chat.isThere = true;
    await update('the slider is at 9');
    assert.equal(attached.length, 1);
  });
});
