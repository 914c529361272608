import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { contentPolicy, noOrigins } from '../../../../src/apps/page/origins';
import * as messages from '../../../../src/apps/view/frameMessages';
import type { AppMessage, MessagePort } from '../../../../src/apps/view/pageWindow';
import {
  maxMessageLength,
  maxMessagesPerSecond,
  sandbox,
  shellPage,
} from '../../../../src/apps/view/page';

const policy = contentPolicy(noOrigins);
const texts = {
  owner: 'App of <b>&"evil"',
  uri: "ui://a'<script>",
  hint: 'Escape',
  language: 'en',
};

interface Posted {
  readonly method?: string;
  readonly params?: { readonly why?: string; readonly key?: string };
}

/** Opens the page around an app in a fake browser: records what it sends to both sides, and sends it messages. */
function openPage(theme = 'vscode-light') {
  const look = { theme };
  const toEditor: Posted[] = [];
  const toApp: unknown[] = [];
  const listeners: Record<string, ((event: object) => void)[]> = {};
  const loads: (() => void)[] = [];
  const attributes: Record<string, string> = {};
  const appWindow = {};
  /** The end of the channel that the document of the app has sent; it answers as long as it is there. */
  const document = { isThere: true };
  const port: MessagePort = {
    onmessage: null,
    close() {},
    postMessage(message) {
      const { ask, data } = message as AppMessage;
      if (!document.isThere) return;
      if (ask === undefined) toApp.push(data);
      else port.onmessage?.({ data: { answer: ask } });
    },
  };
  const element = () => ({
    classList: { contains: (name: string) => name === look.theme },
    style: {} as Record<string, string>,
    clientWidth: 640,
    clientHeight: 480,
    contentWindow: appWindow,
    setAttribute: (name: string, value: string) => (attributes[name] = value),
    addEventListener: (_type: string, listener: () => void) => loads.push(listener),
    replaceChildren() {},
    append() {},
    focus() {},
  });
  const frame = element();
  const body = element();
  const place = element();
  const focus: { on: unknown; isElsewhere: boolean } = { on: undefined, isElsewhere: false };
  const header = {
    ...element(),
    focus: () => Object.assign(focus, { on: header, isElsewhere: false }),
  };
  const now = { ms: 1_000_000 };
  const changes: (() => void)[] = [];
  const observer = class {
    constructor(call: () => void) {
      changes.push(call);
    }
    observe() {}
  };
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(shellPage(policy, texts)) ?? [];
  runInNewContext(script, {
    origin: 'https://webview.example',
    document: {
      body,
      documentElement: element(),
      createElement: () => frame,
      querySelector: (name: string) => (name === 'main' ? place : header),
      get activeElement() {
        // It stays the same when the keyboard leaves the page.
        return focus.on ?? body;
      },
      hasFocus: () => !focus.isElsewhere,
    },
    MutationObserver: observer,
    ResizeObserver: observer,
    acquireVsCodeApi: () => ({ postMessage: (it: Posted) => toEditor.push(it), setState() {} }),
    addEventListener: (type: string, listener: (event: object) => void) =>
      (listeners[type] ??= []).push(listener),
    Date: { now: () => now.ms },
    getComputedStyle: () => ({ getPropertyValue: (name: string) => `value of ${name}` }),
    matchMedia: () => ({ matches: true }),
    setTimeout: (call: () => void) => call(),
  });
  const dispatch = (type: string, event: object) =>
    listeners[type]?.forEach((listener) => listener(event));
  const post = (event: object) => dispatch('message', event);
  return {
    toEditor,
    toApp,
    attributes,
    frame,
    header,
    body,
    focus,
    now,
    dispatch,
    changeTheme: (name: string) => {
      look.theme = name;
      changes.forEach((call) => call());
    },
    load: () => loads.forEach((listener) => listener()),
    document,
    port,
    connect: (ports: readonly object[] = [port]) =>
      post({ data: undefined, origin: 'null', source: appWindow, ports }),
    fromEditor: (data: unknown) => {
      post({ data, origin: 'https://webview.example', source: {} });
      // The first script of the document runs before anything else.
      if (data === show)
        post({ data: undefined, origin: 'null', source: appWindow, ports: [port] });
    },
    fromApp: (data: unknown) => post({ data, origin: 'null', source: appWindow }),
    post,
  };
}

const show = { method: messages.resourceReady, params: { html: '<p>', sandbox, allow: '' } };

describe('the page around an app', () => {
  it('has nothing of a server in it that is more than a text', () => {
    const page = shellPage(policy, texts);
    assert.doesNotMatch(page, /<b>|<script>ui|'<script>'/);
    assert.match(page, /App of &lt;b&gt;&amp;&quot;evil&quot;/);
    assert.match(page, /ui:\/\/a&#39;&lt;script&gt;/);
    assert.equal(page.match(/<script>/g)?.length, 1);
  });

  it('has the policy of the app, which the frame inherits', () => {
    assert.match(shellPage(policy, texts), /content="default-src &#39;none&#39;; script-src/);
    assert.equal(sandbox, 'allow-scripts allow-forms');
  });

  it('says that it is ready, with the theme and the room', () => {
    const [ready] = openPage().toEditor;
    assert.equal(ready?.method, messages.proxyReady);
    const { variables, ...facts } = ready.params as Record<string, Record<string, string>>;
    assert.deepEqual(
      { ...facts },
      { theme: 'light', width: 640, height: 480, touch: true, hover: true },
    );
    assert.equal(variables?.['--color-text-primary'], 'value of --vscode-foreground');
    assert.equal(Object.keys(variables ?? {}).length, 76);
  });

  it("gives the app's frame the colors of the theme, so that its media query finds them", () => {
    const { fromEditor, frame, changeTheme } = openPage('vscode-dark');
    fromEditor(show);
    assert.equal(frame.style['colorScheme'], 'dark');
    changeTheme('vscode-high-contrast-light');
    assert.equal(frame.style['colorScheme'], 'light');
  });

  for (const [theme, told] of [
    ['vscode-light', 'light'],
    ['vscode-dark', 'dark'],
    ['vscode-high-contrast', 'dark'],
    ['vscode-high-contrast-light', 'light'],
  ] as const)
    it(`says that ${theme} is ${told}`, () => {
      const [ready] = openPage(theme).toEditor;
      assert.equal((ready?.params as { readonly theme?: string } | undefined)?.theme, told);
    });

  it('passes messages on both ways, but none that has the prefix of its own', () => {
    const { toEditor, toApp, fromEditor, fromApp, attributes } = openPage();
    fromEditor(show);
    assert.equal(attributes['sandbox'], sandbox);
    const message = { jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: {} };
    fromApp(message);
    for (const method of [
      messages.proxyReady,
      messages.appEnded,
      messages.resourceReady,
      'ui/notifications/sandbox-other',
    ])
      fromApp({ jsonrpc: '2.0', method, params: {} });
    assert.equal(JSON.stringify(toEditor.slice(1)), JSON.stringify([message]));
    fromEditor({ jsonrpc: '2.0', id: 1, result: {} });
    assert.deepEqual(toApp, [{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('takes nothing from frames inside of the app, nor from pages that took its place', () => {
    const { toEditor, toApp, fromEditor, post } = openPage();
    fromEditor(show);
    const data = { jsonrpc: '2.0', id: 9, method: 'tools/call', params: {} };
    post({ data, origin: 'null', source: {} });
    post({ data, origin: 'https://evil.example', source: {} });
    post({ data: show, origin: 'https://evil.example', source: {} });
    assert.equal(toEditor.length, 1);
    assert.deepEqual(toApp, []);
  });

  it('ends an app that sends too many messages in a second', () => {
    const { toEditor, fromEditor, fromApp } = openPage();
    fromEditor(show);
    for (let i = 0; i < maxMessagesPerSecond * 3; i += 1) fromApp({ i });
    const ended = toEditor.filter(({ method }) => method === messages.appEnded);
    assert.deepEqual(
      ended.map(({ params }) => params?.why),
      ['flood'],
    );
    assert.ok(toEditor.length <= maxMessagesPerSecond * 2 + 2);
  });

  it('ends an app that shows another page than its own', () => {
    const { toEditor, toApp, fromEditor, load } = openPage();
    fromEditor(show);
    load();
    assert.equal(toEditor.length, 1);
    load();
    assert.equal(toEditor.at(-1)?.params?.why, 'navigated');
    fromEditor({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: {} });
    assert.deepEqual(toApp, []);
  });

  for (const [way, leave] of [
    ['says that it goes', (page) => page.port.onmessage?.({ data: { isGone: true } })],
    ['is gone, as the browser says', (page) => page.port.onclose?.()],
    ['never answers again', () => {}],
  ] satisfies readonly (readonly [string, (page: ReturnType<typeof openPage>) => unknown])[])
    it(`takes nothing from a page that never finishes loading, and tells it nothing: the app ${way}`, () => {
      const page = openPage();
      page.fromEditor(show);
      page.document.isThere = false;
      leave(page);
      page.fromEditor({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: {} });
      page.connect([{ postMessage: (message: unknown) => page.toApp.push(message), close() {} }]);
      page.fromEditor({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: {} });
      // Its origin is opaque, too, where its server says that it is sandboxed.
      for (let i = 1; i < maxMessagesPerSecond; i += 1)
        page.fromApp({ jsonrpc: '2.0', id: i, method: 'tools/call', params: {} });
      assert.deepEqual(page.toApp, []);
      const told = page.toEditor.slice(1).map(({ method }) => method);
      assert.deepEqual(told, told.length === 0 ? [] : [messages.appEnded]);
      for (let second = 0; second < 5; second += 1) {
        page.now.ms += 1000;
        for (let i = 0; i < maxMessagesPerSecond; i += 1) page.fromApp({ jsonrpc: '2.0', id: i });
      }
      assert.equal(page.toEditor.at(-1)?.params?.why, 'navigated');
    });

  it('tells an app what came before its document was there, once it is', () => {
    const { toApp, toEditor, fromEditor, fromApp, connect } = openPage();
    fromEditor({ ...show });
    fromApp({ jsonrpc: '2.0', id: 1, method: 'early' });
    const message = { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: {} };
    fromEditor(message);
    assert.deepEqual([toApp, toEditor.length], [[], 1]);
    connect();
    assert.deepEqual(toApp, [message]);
  });

  it('answers a message that is too long with an error, and passes no part of it on', () => {
    const { toEditor, toApp, fromEditor, fromApp } = openPage();
    fromEditor(show);
    fromApp({ jsonrpc: '2.0', id: 5, method: 'ui/message', params: 'a'.repeat(maxMessageLength) });
    assert.deepEqual(
      toEditor.slice(1).map(({ method }) => method),
      [messages.messageDropped],
    );
    assert.equal((toApp[0] as { readonly id: number }).id, 5);
  });

  for (const odd of [null, undefined, 7, 'text', 1n, () => {}])
    it(`passes nothing on of ${typeof odd} ${String(odd)}`, () => {
      const { toEditor, fromEditor, fromApp } = openPage();
      fromEditor(show);
      fromApp(odd);
      fromApp({ big: odd === 1n ? odd : undefined, toJSON: odd });
      assert.ok(toEditor.length <= 2);
    });

  const keysTold = (toEditor: readonly Posted[]) =>
    toEditor.flatMap(({ method, params }) =>
      method === messages.keyPressed ? [JSON.stringify(params)] : [],
    );

  for (const [key, told] of [
    ['Escape', []],
    ['F1', ['{"key":"F1"}']],
    ['F6', ['{"key":"F6"}']],
    ['a', []],
  ] as const)
    it(`takes the keyboard back from an app that has it with ${key}`, () => {
      const { toEditor, fromEditor, fromApp, focus, frame, header } = openPage();
      fromEditor(show);
      focus.on = frame;
      fromApp({ key });
      assert.equal(focus.on, key === 'a' ? frame : header);
      assert.deepEqual(keysTold(toEditor), told);
    });

  it('gives keys to the editor from an app that has the keyboard, and not again and again', () => {
    const { toEditor, fromEditor, fromApp, focus, frame, now } = openPage();
    fromEditor(show);
    fromApp({ key: 'F1' });
    assert.deepEqual(keysTold(toEditor), []);
    for (let i = 0; i < 10; i += 1) {
      focus.on = frame;
      now.ms += 100;
      fromApp({ key: 'F6' });
    }
    assert.deepEqual(keysTold(toEditor), ['{"key":"F6"}', '{"key":"F6"}']);
  });

  for (const key of ['Escape', 'F1', 'F6'])
    it(`takes no keyboard by ${key} that an app sends while somebody types elsewhere`, () => {
      const { toEditor, fromEditor, fromApp, focus, frame } = openPage();
      fromEditor(show);
      Object.assign(focus, { on: frame, isElsewhere: true });
      fromApp({ key });
      assert.equal(focus.on, frame);
      assert.deepEqual(keysTold(toEditor), []);
    });

  it('gives F6 to the editor where the app does not have the keyboard, too', () => {
    const { toEditor, dispatch } = openPage();
    const done: string[] = [];
    const press = (key: string) =>
      dispatch('keydown', {
        key,
        preventDefault: () => done.push('prevented'),
        stopPropagation: () => done.push('stopped'),
      });
    press('Tab');
    assert.deepEqual(done, []);
    press('F6');
    assert.deepEqual(done, ['prevented', 'stopped']);
    assert.deepEqual(keysTold(toEditor), ['{"key":"F6"}']);
  });

  it('has the keyboard in the line that says whose app it is, until the app gets it', () => {
    const { fromEditor, focus, frame, header, body, dispatch } = openPage();
    fromEditor(show);
    focus.on = body;
    dispatch('focus', {});
    assert.equal(focus.on, header);
    focus.on = frame;
    dispatch('focus', {});
    assert.equal(focus.on, frame);
  });

  /** Opens the page with an app that has the keyboard. */
  const openInApp = () => {
    const page = openPage();
    page.fromEditor(show);
    page.focus.on = page.frame;
    return page;
  };
  const update = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ui/update-model-context' });
  const answer = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} });
  const cancelled = (requestId: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  });
  const returned = (toApp: readonly unknown[]) =>
    (toApp as readonly Posted[]).filter(({ method }) => method === messages.focusAgain).length;

  it('gives the focus back to the app once what it wants models to know has opened the chat', () => {
    const { fromEditor, fromApp, focus, toApp } = openInApp();
    fromApp(update(1));
    fromApp(update('2'));
    fromEditor(answer(1));
    assert.equal(returned(toApp), 0);
    focus.isElsewhere = true;
    fromApp(update(3));
    fromEditor(answer('2'));
    fromEditor(answer(3));
    assert.equal(returned(toApp), 2);
    fromEditor(answer(3));
    assert.equal(returned(toApp), 2);
  });

  it('gives the focus back to the line that says whose app it is, where that had it', () => {
    const { fromEditor, fromApp, focus, header, toApp } = openPage();
    fromEditor(show);
    focus.on = header;
    fromApp(update(1));
    focus.isElsewhere = true;
    fromEditor(answer(1));
    assert.equal(focus.isElsewhere, false);
    assert.equal(returned(toApp), 0);
  });

  for (const [what, messagesOfApp, answered] of [
    ['an update while the focus was elsewhere', [update(1)], 1],
    ['another request', [{ jsonrpc: '2.0', id: 1, method: 'resources/read' }], 1],
    ['an update that was cancelled', [update(1), cancelled(1)], 1],
    ['an update that no answer can name', [update(null)], null],
    ['an update without an answer', [update(undefined)], undefined],
  ] as const)
    it(`takes the focus from nobody after ${what}`, () => {
      const { fromEditor, fromApp, focus, toApp } = openInApp();
      focus.isElsewhere = what.endsWith('elsewhere');
      messagesOfApp.forEach(fromApp);
      focus.isElsewhere = true;
      fromEditor(answer(answered));
      assert.equal(returned(toApp), 0);
      assert.equal(focus.isElsewhere, true);
    });

  it('keeps nothing of an update that was cancelled for the next one', () => {
    const { fromEditor, fromApp, focus, toApp } = openInApp();
    fromApp(update(1));
    fromApp(cancelled(1));
    focus.isElsewhere = true;
    fromApp(update(2));
    fromEditor(answer(2));
    assert.equal(returned(toApp), 0);
  });

  it('forgets with an app what that has asked for', () => {
    const { fromEditor, fromApp, focus, toApp } = openInApp();
    fromApp(update(1));
    fromEditor(show);
    focus.isElsewhere = true;
    fromEditor(answer(1));
    assert.equal(returned(toApp), 0);
  });

  it('gives an app the height that it wants, up to what there is', () => {
    const { fromEditor, fromApp, frame } = openPage();
    const size = (height: unknown) =>
      fromApp({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height } });
    fromEditor(show);
    assert.equal(frame.style['height'], '100%');
    size(300);
    assert.equal(frame.style['height'], '300px');
    size(90_000);
    assert.equal(frame.style['height'], '480px');
    size(-1);
    assert.equal(frame.style['height'], '40px');
    fromEditor({ method: messages.setMode, params: { mode: 'fullscreen' } });
    assert.equal(frame.style['height'], '100%');
  });
});
