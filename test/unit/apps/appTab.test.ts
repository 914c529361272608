import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AppTab } from '../../../src/apps/panel/appTab';
import { deferred } from '../../../src/base/async';
import type { ToolOutcome } from '../../../src/contracts/toolCalls';
import { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import { fakeApp, tabDeps } from '../../support/fakes/fakeApp';
import { fakeServer } from '../../support/fakes/fakeServer';
import { poll } from '../../support/poll';

interface Message {
  readonly id?: string;
  readonly method?: string;
  readonly params?: unknown;
}

const outcomeOf = (text: string): ToolOutcome => ({
  kind: 'result',
  result: { content: [{ type: 'text', text }], isError: false },
  arguments: { of: text },
  edited: false,
  problems: [],
});

/** Creates a tab; the test plays its page and its app. */
function createTab(files: MemoryFiles) {
  const received = new vscode.EventEmitter<object>();
  const posted: Message[] = [];
  const pages: string[] = [];
  let closed = 0;
  const webview = {
    options: {},
    onDidReceiveMessage: received.event,
    postMessage: (message: Message) => Promise.resolve(posted.push(message) > 0),
    set html(html: string) {
      pages.push(html);
    },
  };
  const panel = {
    title: '',
    active: false,
    visible: true,
    onDidDispose: () => ({ dispose() {} }),
    dispose: () => void (closed += 1),
    webview,
  } as unknown as vscode.WebviewPanel;
  const tab = new AppTab(panel, fakeServer(), 'ui://demo/view', {
    ...tabDeps(files),
    mask: (text) => text.replaceAll('hush', '‹redacted›'),
  });
  const say = (message: object) => received.fire({ jsonrpc: '2.0', ...message });
  const saysTo = (what: string, isMeant: (message: Message) => boolean) =>
    poll(what, 10_000, () => Promise.resolve(posted.find(isMeant)));
  return {
    tab,
    say,
    get closed() {
      return closed;
    },
    /** Starts to show a call, which ends when the test calls `end`. */
    show: (of: string) => {
      const ended = deferred<ToolOutcome>();
      tab.setCall({ tool: 'tool', arguments: { of } });
      const shown = tab.show(fakeApp({ html: `<p>${of}` }), [], ended.promise);
      return { shown, end: () => ended.resolve(outcomeOf(of)) };
    },
    /** Plays the app of the page with this number as it initializes. */
    start: async (page: number, id = `start ${page}`) => {
      await poll('the page', 10_000, () => Promise.resolve(pages.length === page || undefined));
      say({ id, method: 'ui/initialize', params: { appCapabilities: {} } });
      await saysTo('the answer', (message) => message.id === id);
      say({ method: 'ui/notifications/initialized', params: {} });
    },
    /** Returns what its page is given to keep for the next window, as JSON. */
    kept: () =>
      posted.flatMap(({ params }) => {
        const { state } = Object(params) as { readonly state?: unknown };
        return state === undefined ? [] : [JSON.stringify(state)];
      }),
    goodbye: () => saysTo('goodbye', ({ method }) => method === 'ui/resource-teardown'),
    /** Returns what the apps were told about calls: the kind of message, and the call. */
    told: () =>
      posted.flatMap(({ method, params }) => {
        if (!method?.startsWith('ui/notifications/tool-')) return [];
        const of = /"(?:of|text)":"(\w+)"/.exec(JSON.stringify(params))?.[1] ?? '';
        return [`${method.replace('ui/notifications/tool-', '')} ${of}`];
      }),
  };
}

describe('the tab of an app that shows a call after another', function () {
  this.timeout(60_000);
  const files = new MemoryFiles('mcp-workbench-test-app-tab');
  after(() => files.dispose());

  it('shows the last of them with its own arguments and result, whatever ends first', async () => {
    const app = createTab(files);
    const first = app.show('first');
    await app.start(1);
    assert.equal(app.tab.source, '<p>first');
    first.end();
    await first.shown;
    const second = app.show('second');
    const { id } = await app.goodbye();
    const third = app.show('third');
    second.end();
    app.say({ id, result: {} });
    await second.shown;
    await app.start(2);
    third.end();
    await third.shown;
    assert.deepEqual(app.told(), ['input first', 'result first', 'input third', 'result third']);
    // Whatever its server would send by now.
    assert.equal(app.tab.source, '<p>third');
    app.tab.dispose();
  });

  it('keeps the call that came last where the one before it ends meanwhile', async () => {
    const app = createTab(files);
    const first = app.show('first');
    await app.start(1);
    const second = app.show('second');
    const { id } = await app.goodbye();
    first.end();
    await first.shown;
    app.say({ id, result: {} });
    await app.start(2);
    second.end();
    await second.shown;
    assert.deepEqual(app.told(), ['input first', 'result first', 'input second', 'result second']);
    app.tab.dispose();
  });

  it('tells the app all of a call, and its page keeps it without secrets', async () => {
    const app = createTab(files);
    const call = app.show('hush');
    await app.start(1);
    call.end();
    await call.shown;
    assert.deepEqual(app.told(), ['input hush', 'result hush']);
    // As it is loaded anew, it gets the same again.
    app.say({ method: 'ui/notifications/sandbox-proxy-ready', params: {} });
    assert.equal(app.kept().length, 2);
    for (const kept of app.kept()) assert.match(kept, /^(?!.*hush).*"of":"‹redacted›"/);
    app.tab.dispose();
  });

  it('stays open where the app that makes room wants it closed', async () => {
    const app = createTab(files);
    const first = app.show('first');
    await app.start(1);
    const second = app.show('second');
    const { id } = await app.goodbye();
    app.say({ method: 'ui/notifications/request-teardown', params: {} });
    app.say({ id, result: {} });
    await app.start(2);
    assert.equal(app.closed, 0);
    for (const call of [first, second]) call.end();
    await Promise.all([first.shown, second.shown]);
    app.tab.dispose();
  });

  it('goes on where the editor loads its page anew, as in another window', async () => {
    const app = createTab(files);
    const call = app.show('first');
    await app.start(1);
    app.say({ method: 'ui/notifications/sandbox-proxy-ready', params: {} });
    call.end();
    await call.shown;
    await app.start(1, 'again');
    assert.deepEqual(app.told(), ['input first', 'input first', 'result first']);
    app.tab.dispose();
  });
});
