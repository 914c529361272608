import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import type { Readiness } from '../../../src/mcp/serverState';
import type { Server } from '../../../src/mcp/server';
import type { StartOutcome } from '../../../src/mcp/serverState';
import { fakeServer } from '../../support/fakes/fakeServer';
import { startsThatEnd } from '../../support/fakes/fakeStarts';
import { openChat } from '../../support/host/openChat';
import { byUser } from '../../../src/ui/questions/question';

const refusal: StartOutcome = { kind: 'refused', message: 'It was not trusted.' };

/** Creates a stopped server whose tools are not known; `started` has the signal of each start. */
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
    const chat = openChat({ servers, readiness: () => Promise.resolve('untrusted') });
    const { shown, buttons } = await chat.ask('Hello');
    assert.deepEqual(
      unknown.flatMap(({ started }) => started),
      [],
    );
    assert.equal(shown.split('Not trusted yet').length, 2);
    assert.match(shown, /server\\-0, .* and 20 more\n\nHere\.$/);
    const [review, ...rest] = buttons;
    assert.equal(review?.title, 'Review 30 Servers and Ask Again…');
    assert.deepEqual(review.arguments, [servers.map(({ id }) => id), '@mcp Hello', 0]);
    assert.deepEqual(rest, []);
  });

  it('has one button below the first answer, and one line with a link from the second on, until another is missing', async () => {
    const one = unknownServer('one').server;
    const two = unknownServer('two').server;
    const found = new Map<string, Readiness>([
      ['one', 'untrusted'],
      ['two', 'declined'],
    ]);
    const readiness = (id: string) => Promise.resolve(found.get(id) ?? 'ready');
    const chat = openChat({ servers: [one, two], readiness });
    assert.equal((await chat.ask('First')).buttons.length, 1);
    const { shown, buttons, links } = await chat.ask('Second');
    assert.deepEqual(buttons, []);
    assert.match(
      shown,
      /^\[Without the tools of\\: one\]\(command:mcpWorkbench\.reviewServers\?[^)]*\)\n\nHere\.$/,
    );
    assert.deepEqual(
      links.map(({ isTrusted }) => isTrusted),
      [{ enabledCommands: ['mcpWorkbench.reviewServers'] }],
    );
    found.set('two', 'needsValue');
    assert.equal((await chat.ask('Third')).buttons.length, 1);
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
    const { words } = chat.drafts.keep({ draft: prompt, linked: [], openable: [] }, 'Greet');
    const { shown } = await chat.ask(words, [], { command: 'prompt' });
    assert.deepEqual([started, shown], [[], 'Here.']);
  });

  const unknownPrompts: readonly [words: string, lead: RegExp, titles: readonly string[]][] = [
    ['', /^Run a prompt: /, []],
    ['Nothing', /^No server has a prompt called "Nothing"\./, []],
    ['say HELLO (2)', /^The messages of this prompt are not at hand\./, ['Run Say Hello (demo)']],
    ['greet', /^The messages of this prompt are not at hand\./, ['Run Say Hello (demo)']],
  ];
  for (const [words, lead, titles] of unknownPrompts)
    it(`leads on where “/prompt ${words}” stands for no messages`, async () => {
      const server = fakeServer({ prompts: [{ name: 'greet', title: 'Say Hello' }] });
      const chat = openChat({ servers: [server] });
      const { shown, buttons, told } = await chat.ask(words, [], { command: 'prompt' });
      assert.match(shown.replaceAll('\\', ''), lead);
      assert.equal(told, '');
      assert.deepEqual(
        buttons.map(({ title }) => title),
        [...titles, 'Run MCP Prompt…'],
      );
      if (titles.length > 0)
        assert.deepEqual(buttons[0]?.arguments, [
          { server: 'demo', prompt: 'greet', action: 'chat' },
        ]);
    });

  it('is tried once, not with every question, where a rule refuses it', async () => {
    const { server, started } = unknownServer('manual');
    const chat = openChat({ servers: [server] });
    for (const question of ['one', 'two', 'three']) await chat.ask(question);
    assert.equal(started.length, 1);
  });

  it('names those that need a value, and goes on', async () => {
    const { server, started } = unknownServer('keyed');
    const readiness = () => Promise.resolve('needsValue' as const);
    const { shown, buttons } = await openChat({ servers: [server], readiness }).ask('Hello');
    assert.deepEqual(started, []);
    assert.match(shown, /^Waiting for a value[^]*keyed\n\nHere\.$/);
    assert.deepEqual(
      buttons.map(({ title }) => title),
      ['Review 1 Server and Ask Again…'],
    );
  });

  for (const [readiness, line, titles] of [
    ['restricted', 'This workspace is not trusted', ['Manage Workspace Trust']],
    ['needsProcess', 'This window cannot start processes', []],
  ] as const)
    it(`is no matter of a review where it is ${readiness}: the answer says what is the matter`, async () => {
      const { server, started } = unknownServer('held');
      const found = () => Promise.resolve(readiness);
      const { shown, buttons } = await openChat({ servers: [server], readiness: found }).ask('Hi');
      assert.deepEqual(started, []);
      assert.match(shown, new RegExp(`^${line}, so [^]*held\n\nHere\\.$`));
      assert.deepEqual(
        buttons.map(({ title }) => title),
        titles,
      );
    });

  it('is mentioned once of those that this window never starts', async () => {
    const readiness = () => Promise.resolve<Readiness>('needsProcess');
    const chat = openChat({ servers: [unknownServer('held').server], readiness });
    await chat.ask('Hello');
    assert.equal((await chat.ask('Hello')).shown, 'Here.');
  });

  it('is tried, and fails on its row, where the launch is broken before anything is asked', async () => {
    const { server, started } = unknownServer(
      'broken',
      Promise.resolve({ kind: 'failed', message: 'The command "x" was not found.' }),
    );
    const readiness = () => Promise.resolve<Readiness>('broken');
    const { shown, buttons } = await openChat({ servers: [server], readiness }).ask('Hello');
    assert.deepEqual([started.length, buttons], [1, []]);
    assert.doesNotMatch(shown, /trusted/);
  });

  it('tells which servers of a review did not start, and why', async () => {
    const { showWarningMessage } = vscode.window;
    const told: unknown[] = [];
    vscode.window.showWarningMessage = (...message: unknown[]) => {
      told.push(message);
      return Promise.resolve(undefined);
    };
    try {
      for (const readiness of ['untrusted', 'restricted'] as const) {
        const { server } = unknownServer(readiness);
        const starts = startsThatEnd([server], () => refusal, readiness);
        await openChat({
          servers: [server],
          startAndTell: (chosen, action) => starts.startAndTell(chosen, action),
        }).chatStarts.review([server.id, 'gone'], byUser());
      }
    } finally {
      vscode.window.showWarningMessage = showWarningMessage;
    }
    assert.deepEqual(told, [
      ['"untrusted" was not started. It was not trusted.'],
      ['"restricted" was not started. It was not trusted.', 'Manage Workspace Trust'],
    ]);
  });

  it('is not mentioned of those that the user declined', async () => {
    const { server, started } = unknownServer('declined');
    const readiness = () => Promise.resolve('declined' as const);
    const { shown, buttons } = await openChat({ servers: [server], readiness }).ask('Hello');
    assert.deepEqual([started, shown, buttons], [[], 'Here.', []]);
  });

  it('is not brought up again for servers that were left out of a review', async () => {
    const readiness = () => Promise.resolve('needsValue' as const);
    const { server } = unknownServer('later');
    const asked: string[] = [];
    const startAndTell = (those: readonly Server[]) => {
      asked.push(...those.map(({ id }) => id));
      return Promise.resolve([refusal]);
    };
    const chat = openChat({ servers: [server], readiness, startAndTell });
    const { buttons } = await chat.ask('Hello');
    await chat.chatStarts.review(buttons[0]?.arguments?.[0] as string[], byUser());
    assert.deepEqual(asked, ['later']);
    assert.deepEqual((await chat.ask('Hello')).buttons, []);
  });

  it('is brought up again for a server that was declined in a review, once that is taken back', async () => {
    let standing: 'untrusted' | 'declined' = 'untrusted';
    const { server } = unknownServer('declined');
    const startAndTell = () => {
      standing = 'declined';
      return Promise.resolve([refusal]);
    };
    const readiness = () => Promise.resolve(standing);
    const chat = openChat({ servers: [server], readiness, startAndTell });
    await chat.chatStarts.review(['declined'], byUser());
    assert.deepEqual((await chat.ask('Hello')).buttons, []);
    standing = 'untrusted';
    assert.match((await chat.ask('Hello')).buttons[0]?.title ?? '', /^Review 1 /);
  });

  it('counts no review that is still open as a no', async () => {
    const { server } = unknownServer('open');
    const answer = deferred<readonly StartOutcome[]>();
    const readiness = () => Promise.resolve('untrusted' as const);
    const chat = openChat({
      servers: [server],
      readiness,
      startAndTell: () => answer.promise,
    });
    void chat.chatStarts.review(['open'], byUser());
    assert.equal((await chat.ask('Hello')).buttons.length, 1);
  });
});
