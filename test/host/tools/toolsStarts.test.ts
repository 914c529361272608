import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import type { Server, StartOutcome } from '../../../src/mcp/server';
import { fakeServer } from '../../unit/tools/fakeServer';
import { memoryStore, openChat } from './openChat';

const refusal: StartOutcome = { kind: 'refused', message: 'It was not trusted.' };

/** A stopped server whose tools nobody knows; `started` has the signal of each start. */
function unknownServer(name: string, outcome: Promise<StartOutcome> = Promise.resolve(refusal)) {
  const started: (AbortSignal | undefined)[] = [];
  let state: Server['state'] = { kind: 'stopped' };
  const fake = fakeServer({ id: name, name });
  Object.defineProperties(fake, {
    state: { get: () => state },
    tools: { value: { items: [], status: 'empty' } },
    start: {
      value: (signal?: AbortSignal) => {
        started.push(signal);
        state = { kind: 'starting' };
        const left = new Promise<StartOutcome>((resolve) => {
          signal?.addEventListener('abort', () => resolve(refusal));
        });
        const ended = Promise.race([outcome, left]);
        void ended.then(() => (state = { kind: 'stopped' }));
        return ended;
      },
    },
  });
  return { server: fake, started };
}

describe('the start of servers for the chat', function () {
  this.timeout(30_000);

  it('waits for no trust: the answer comes at once and names in one line who is missing', async () => {
    const unknown = Array.from({ length: 30 }, (_, index) => unknownServer(`server-${index}`));
    const servers = unknown.map(({ server }) => server);
    const chat = openChat({ servers, isTrusted: () => Promise.resolve(false) });
    const { shown, buttons } = await chat.ask('Hello');
    assert.deepEqual(
      unknown.flatMap(({ started }) => started),
      [],
    );
    assert.equal(shown.split('Not trusted yet').length, 2);
    assert.match(shown, /server\\-0, .* and 20 more\n\nHere\.$/);
    const [review, again, ...rest] = buttons;
    assert.equal(review?.title, '30 Servers Are Not Trusted Yet: Review…');
    assert.deepEqual(review.arguments, [servers.map(({ id }) => id)]);
    assert.deepEqual(again?.arguments, ['@mcp Hello', 0]);
    assert.deepEqual(rest, []);
  });

  it('begins to answer though a trusted server takes its time, and says so', async () => {
    const { server, started } = unknownServer('slow', new Promise(() => {}));
    const chat = openChat({ servers: [server] });
    const { shown, buttons } = await chat.ask('Hello');
    assert.match(shown, /^\[Starting slow\]\nStill starting[^]*slow\n\nHere\.$/);
    assert.deepEqual(
      buttons.map(({ title }) => title),
      ['Ask Again'],
    );
    assert.deepEqual(
      started.map((signal) => signal?.aborted),
      [false],
    );
  });

  it('ends with the request that is stopped', async () => {
    const { server, started } = unknownServer('slow', new Promise(() => {}));
    const source = new vscode.CancellationTokenSource();
    const asked = openChat({ servers: [server] }).ask('Hello', [], { token: source.token });
    while (started.length === 0) await new Promise((resolve) => setImmediate(resolve));
    source.cancel();
    await asked;
    assert.equal(started[0]?.aborted, true);
  });

  it('leaves other servers alone when a prompt runs', async () => {
    const { server, started } = unknownServer('other');
    const chat = openChat({ servers: [server] });
    const prompt = { server, prompt: { name: 'greet' }, arguments: {}, messages: [] };
    const id = chat.drafts.keep({ draft: prompt, linked: [], openable: [] });
    const { shown } = await chat.ask(`Greet #${id}`, [], { command: 'prompt' });
    assert.deepEqual([started, shown], [[], 'Here.']);
  });

  it('is tried once, not with every question, where a rule refuses it', async () => {
    const { server, started } = unknownServer('manual');
    const chat = openChat({ servers: [server] });
    for (const question of ['one', 'two', 'three']) await chat.ask(question);
    assert.equal(started.length, 1);
  });

  it('is not brought up again for servers that were left out of a review, also after a reload', async () => {
    const store = memoryStore();
    const isTrusted = () => Promise.resolve(false);
    const { server } = unknownServer('later');
    const asked: string[] = [];
    const startServer = (id: string) => {
      asked.push(id);
      return Promise.resolve([refusal]);
    };
    const first = openChat({ servers: [server], store, isTrusted, startServer });
    const { buttons } = await first.ask('Hello');
    await first.starts.review(buttons[0]?.arguments?.[0] as string[]);
    assert.deepEqual(asked, ['later']);
    for (const chat of [first, openChat({ servers: [server], store, isTrusted })])
      assert.deepEqual((await chat.ask('Hello')).buttons, []);
    server.options.args = ['--changed'];
    const changed = await openChat({ servers: [server], store, isTrusted }).ask('Hello');
    assert.equal(changed.buttons.length, 2);
  });

  it('counts no review that is still open as a no', async () => {
    const store = memoryStore();
    const { server } = unknownServer('open');
    const answer = deferred<readonly StartOutcome[]>();
    const isTrusted = () => Promise.resolve(false);
    const chat = openChat({
      servers: [server],
      store,
      isTrusted,
      startServer: () => answer.promise,
    });
    void chat.starts.review(['open']);
    assert.equal((await chat.ask('Hello')).buttons.length, 2);
  });
});
