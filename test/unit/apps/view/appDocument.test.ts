import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { appDocument } from '../../../../src/apps/view/appDocument';
import { focusAgain } from '../../../../src/apps/view/frameMessages';

const policy = "default-src 'none'";

/** Runs the keyboard script of an app's document, and records which keys it passes on. */
function openDocument() {
  const given: string[] = [];
  const later: (() => void)[] = [];
  const listeners: Record<string, (event: object) => void> = {};
  const focused: string[] = [];
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(appDocument('', policy)) ?? [];
  const parent = { postMessage: (message: unknown) => given.push(JSON.stringify(message)) };
  const context = {
    parent,
    addEventListener: (type: string, call: (event: object) => void, isFirst: boolean) => {
      assert.ok(isFirst);
      listeners[type] = call;
    },
    focus: () => focused.push('the window'),
    setTimeout: (call: () => void) => later.push(call),
  };
  runInNewContext(script, context);
  const press = (key: string, isNeeded = false) => {
    const event = {
      key,
      defaultPrevented: false,
      preventDefault: () => (event.defaultPrevented = true),
    };
    listeners['keydown']?.(event);
    // The app handles the key afterwards.
    if (isNeeded) event.preventDefault();
    for (const call of later.splice(0)) call();
    return event.defaultPrevented;
  };
  /** Puts the focus on an element of the app; tells of it whenever it is focused by the script. */
  const enter = (name: string) => {
    const element = { isConnected: true, focus: () => focused.push(name) };
    listeners['focusin']?.({ composedPath: () => [element, context] });
    return element;
  };
  /** Receives a message; true if the app does not see it. */
  const receive = (data: unknown, source: object = parent) => {
    let isKept = false;
    listeners['message']?.({ data, source, stopImmediatePropagation: () => (isKept = true) });
    return isKept;
  };
  return { given, press, context, focused, enter, receive };
}

describe('the document of an app', () => {
  it('gives the keys of the editor away before the app can keep them', () => {
    const { given, press } = openDocument();
    assert.equal(press('F6'), true);
    assert.equal(press('F6', true), true);
    assert.equal(press('F1', true), true);
    assert.equal(press('Tab'), false);
    assert.deepEqual(given, ['{"key":"F6"}', '{"key":"F6"}', '{"key":"F1"}']);
  });

  it('lets Escape out unless the app needs it', () => {
    const { given, press } = openDocument();
    press('Escape', true);
    assert.deepEqual(given, []);
    press('Escape');
    assert.deepEqual(given, ['{"key":"Escape"}']);
  });

  it('tells its own parent, whatever the app says is that', () => {
    const { given, press, context } = openDocument();
    context.parent = { postMessage: () => 0 };
    press('F6');
    assert.equal(given.length, 1);
  });

  it('takes the focus again where it was, and shows the app nothing of that', () => {
    const { enter, receive, focused } = openDocument();
    const again = { jsonrpc: '2.0', method: focusAgain };
    assert.equal(receive(again), true);
    enter('first');
    const second = enter('second');
    assert.equal(receive(again), true);
    second.isConnected = false;
    assert.equal(receive(again), true);
    assert.deepEqual(focused, ['the window', 'second', 'the window']);
  });

  it('takes the focus at the word of nothing but the page around it', () => {
    const { enter, receive, focused } = openDocument();
    enter('first');
    assert.equal(receive({ method: focusAgain }, {}), false);
    for (const data of [null, 'text', 7, {}, { method: 'ui/notifications/tool-result' }])
      assert.equal(receive(data), false);
    assert.deepEqual(focused, []);
  });

  const table: readonly [html: string, begins: RegExp][] = [
    [
      '<!DOCTYPE html><html><head><script>evil()</script>',
      /^<!DOCTYPE html><meta http-equiv="Content-/,
    ],
    ['\n <!doctype html>\n<p>', /^\n <!doctype html><meta /],
    ['<p>no doctype', /^<meta /],
    ['<!-- <!doctype html> --><script>evil()</script>', /^<meta /],
    ['', /^<meta /],
  ];
  for (const [html, begins] of table)
    it(`has its policy before all of ${JSON.stringify(html)}`, () => {
      const document = appDocument(html, policy);
      assert.match(document, begins);
      assert.ok(document.endsWith(html.replace(/^\s*<!doctype html>/i, '')));
    });
});
