import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { appDocument } from '../../../../src/apps/view/appDocument';
import type { MessagePort } from '../../../../src/apps/view/pageWindow';
import { focusAgain } from '../../../../src/apps/view/frameMessages';

const policy = "default-src 'none'";

/** Runs the script that connects an app's document, and records what it passes on and what the app hears. */
function openDocument() {
  const given: string[] = [];
  const heard: { type: string; data: unknown; source: unknown; origin: unknown }[] = [];
  const answers: unknown[] = [];
  const later: (() => void)[] = [];
  const listeners: Record<string, (event: object) => void> = {};
  const focused: string[] = [];
  const scripts = [...appDocument('', policy).matchAll(/<script>([^]*?)<\/script>/g)];
  const [, script = ''] = scripts.at(-1) ?? [];
  const parent = {
    postMessage(message: unknown, _origin: string, transfer?: readonly unknown[]) {
      if (transfer) assert.equal(transfer[0], port2);
      else given.push(JSON.stringify(message));
    },
  };
  const port1: MessagePort = {
    onmessage: null,
    close() {},
    postMessage: (message) => answers.push(message),
  };
  const port2 = {};
  const context = {
    parent,
    MessageChannel: function MessageChannel() {
      return { port1, port2 };
    },
    MessageEvent: function MessageEvent(type: string, init: object) {
      return { type, ...init };
    },
    dispatchEvent: (event: (typeof heard)[number]) => heard.push(event),
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
  const receive = (data: unknown) =>
    port1.onmessage?.({ data: { data, origin: 'https://webview.example' } });
  return {
    given,
    heard,
    answers,
    press,
    context,
    focused,
    enter,
    receive,
    port1,
    listeners,
    parent,
  };
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
    const { enter, receive, focused, heard } = openDocument();
    const again = { jsonrpc: '2.0', method: focusAgain };
    receive(again);
    enter('first');
    const second = enter('second');
    receive(again);
    second.isConnected = false;
    receive(again);
    assert.deepEqual(focused, ['the window', 'second', 'the window']);
    assert.deepEqual(heard, []);
  });

  it('hears all else as a message of the page around it', () => {
    const { receive, heard, focused, parent } = openDocument();
    const all = [null, 'text', 7, {}, { method: 'ui/notifications/tool-result' }];
    all.forEach(receive);
    assert.deepEqual(
      heard.map(({ type, data, source, origin }) => [type, data, source === parent, origin]),
      all.map((data) => ['message', data, true, 'https://webview.example']),
    );
    assert.deepEqual(focused, []);
  });

  it('has nothing of WebRTC, nor has a frame whose HTML it writes', () => {
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(appDocument('', policy)) ?? [];
    type Told = readonly { readonly target: object; readonly addedNodes: readonly object[] }[];
    let tell: (records: Told) => void = () => {};
    const watched: object[] = [];
    const document = { currentScript: { outerHTML: '<script>own</script>' } };
    class Element {
      attachShadow() {
        return { root: true };
      }
    }
    const context: Record<string, unknown> = {
      document,
      Element,
      MutationObserver: class {
        constructor(call: (records: Told) => void) {
          tell = call;
        }
        observe(node: object) {
          watched.push(node);
        }
      },
      RTCPeerConnection: () => 0,
      webkitRTCPeerConnection: () => 0,
      RTCDataChannel: () => 0,
    };
    const none = '[typeof RTCPeerConnection, typeof webkitRTCPeerConnection]';
    const found = runInNewContext(`${script}; ${none}`, context) as readonly string[];
    assert.deepEqual([...found], ['undefined', 'undefined']);
    const frame = (srcdoc: string | null) => {
      const own = { srcdoc };
      return {
        own,
        localName: 'iframe',
        getAttribute: () => own.srcdoc,
        setAttribute: (_name: string, value: string) => (own.srcdoc = value),
      };
    };
    const inner = frame('<!doctype html><p>');
    const holder = { querySelectorAll: () => [inner] };
    const plain = frame(null);
    tell([{ target: document, addedNodes: [holder, plain] }]);
    tell([{ target: inner, addedNodes: [] }]);
    assert.equal(inner.own.srcdoc, '<!doctype html><script>own</script><p>');
    inner.own.srcdoc = '<!-- <script>own</script> --><b>';
    tell([{ target: inner, addedNodes: [] }]);
    assert.equal(inner.own.srcdoc, '<script>own</script><!-- <script>own</script> --><b>');
    assert.equal(plain.own.srcdoc, null);
    const root = new Element().attachShadow();
    assert.deepEqual(watched, [document, root]);
  });

  it('proves that it is there, whatever the app makes of its port, and says when it goes', () => {
    const { port1, answers, listeners } = openDocument();
    port1.postMessage = () => assert.fail('The app has replaced it.');
    port1.onmessage?.({ data: { ask: 7 } });
    listeners['pagehide']?.({});
    assert.equal(JSON.stringify(answers), '[{"answer":7},{"isGone":true}]');
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
