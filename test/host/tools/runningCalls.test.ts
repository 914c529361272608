import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred, delay, nextTurn } from '../../../src/base/async';
import type { ToolCall, ToolOutcome } from '../../../src/contracts/toolCalls';
import { RunningCalls } from '../../../src/gate/send/runningCalls';
import type { JsonObject } from '../../../src/mcp/protocol/types';
import { poll } from '../../support/poll';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { byUser } from '../../../src/ui/questions/question';

describe('the list of running tools', () => {
  let picks: WatchedPicks;
  let calls: RunningCalls;

  beforeEach(() => {
    picks = watchPicks();
    calls = new RunningCalls();
  });
  afterEach(() => {
    picks.dispose();
    calls.dispose();
  });

  const newCall = (args: JsonObject = {}): ToolCall => {
    const asked = tool();
    return {
      server: fakeServer({ tools: [asked] }),
      tool: asked,
      arguments: args,
      origin: { kind: 'editor' },
    };
  };

  /**
   * Starts a call; returns the signal that cancels it, and its outcome. With `everyMs`, it reports progress that
   * often.
   */
  const begin = (args?: JsonObject, everyMs?: number) => {
    const sent = deferred<AbortSignal>();
    const stop = new AbortController();
    const work: Parameters<RunningCalls['track']>[2] = ({ signal, onProgress }) => {
      sent.resolve(signal);
      let progress = 0;
      const timer = everyMs && setInterval(() => onProgress?.({ progress: ++progress }), everyMs);
      return new Promise<ToolOutcome>((resolve) =>
        signal.addEventListener('abort', () => {
          clearInterval(timer);
          resolve({ kind: 'cancelled' });
        }),
      );
    };
    const outcome = calls.track(newCall(args), { signal: stop.signal }, work);
    return { signal: sent.promise, outcome, stop };
  };

  it('cancels nothing with Enter alone', async () => {
    const { signal } = begin();
    const shown = calls.show(byUser());
    (await picks.next(/^Running Tools$/)).accept();
    const asked = await picks.next(/^demo › tool$/);
    assert.deepEqual(asked.labels, ['Keep Running', 'Run in Background', 'Cancel Call']);
    asked.accept();
    await shown;
    assert.equal((await signal).aborted, false);
  });

  for (const [label, kind] of [
    ['Cancel Call', 'cancelled'],
    ['Run in Background', 'background'],
  ] as const)
    it(`does what is chosen of a call: ${label}`, async () => {
      const { outcome } = begin();
      const shown = calls.show(byUser());
      (await picks.next(/^Running Tools$/)).choose('demo › tool');
      (await picks.next(/^demo › tool$/)).choose(label);
      await shown;
      assert.equal((await outcome).kind, kind);
    });

  it('stays where the keys put it while a call tells of progress all the time, and names the call that is taken', async () => {
    const { executeCommand } = vscode.commands;
    const [first, second] = [begin({ seconds: 1 }, 20), begin({ seconds: 2 }, 20)];
    for (let turn = 0; turn < 10; turn += 1) {
      const shown = calls.show(byUser());
      const list = await picks.next(/^Running Tools$/);
      const before = list.pick.items;
      assert.match(before[1]?.detail ?? '', /^\{"seconds":2\}$/);
      await list.says(/^\d+ · \d+ s$/);
      await executeCommand('workbench.action.quickOpenSelectNext');
      // Longer than the editor takes to report a key, and longer than redrawing the rows is delayed.
      await delay(turn === 0 ? 1500 : 30);
      assert.equal(list.pick.items, before);
      await executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const asked = await picks.next(/^demo › tool$/);
      assert.match(asked.pick.prompt ?? '', /^started at .+ · \{"seconds":2\}$/);
      if (turn < 9) asked.accept();
      else asked.choose('Cancel Call');
      await shown;
    }
    assert.deepEqual([(await first.signal).aborted, (await second.signal).aborted], [false, true]);
    first.stop.abort();
  }).timeout(60_000);

  it('keeps a row in its place whose call ends, and tells who takes it', async () => {
    const [first] = [begin({ n: 1 }), begin({ n: 2 })];
    const { showInformationMessage } = vscode.window;
    const said: string[] = [];
    Object.assign(vscode.window, {
      showInformationMessage: (message: string) => Promise.resolve(void said.push(message)),
    });
    try {
      const shown = calls.show(byUser());
      const list = await picks.next(/^Running Tools$/);
      first.stop.abort();
      await poll('the end in the list', 20_000, () =>
        Promise.resolve(list.pick.items[0]?.description === 'ended' || undefined),
      );
      assert.equal(list.pick.items[1]?.detail, '{"n":2}');
      list.choose('demo › tool');
      await shown;
      assert.deepEqual(said, ['demo › tool has ended already.']);
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
  });

  it('says that a call has ended, where that is so by the time something is chosen', async () => {
    const { showInformationMessage } = vscode.window;
    const said: string[] = [];
    Object.assign(vscode.window, {
      showInformationMessage: (message: string) => Promise.resolve(void said.push(message)),
    });
    try {
      const { outcome, stop } = begin();
      const shown = calls.show(byUser());
      (await picks.next(/^Running Tools$/)).choose('demo › tool');
      const asked = await picks.next(/^demo › tool$/);
      stop.abort();
      await outcome;
      await nextTurn();
      asked.choose('Cancel Call');
      await shown;
      assert.deepEqual(said, ['demo › tool has ended already.']);
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
  });

  it('tells of progress so often that one can read it, however much a server sends, and of the latest', async () => {
    const told: number[] = [];
    const options = {
      signal: new AbortController().signal,
      onProgress: ({ progress }: { readonly progress: number }) => told.push(progress),
    };
    const begun = deferred<(progress: { progress: number }) => void>();
    const ended = deferred<ToolOutcome>();
    const outcome = calls.track(newCall(), options, ({ onProgress }) => {
      begun.resolve((progress) => onProgress?.(progress));
      return ended.promise;
    });
    const report = await begun.promise;
    const shown = calls.show(byUser());
    const list = await picks.next(/^Running Tools$/);
    const drawn: string[] = [];
    Object.defineProperty(list.pick, 'prompt', {
      get: () => drawn.at(-1) ?? '',
      set: (text: string) => {
        drawn.push(text);
      },
    });
    for (let progress = 1; progress <= 10_000; progress += 1) report({ progress });
    await poll('the latest progress', 20_000, () =>
      Promise.resolve(/\b10000\b/.test(drawn.at(-1) ?? '') || undefined),
    );
    // It has how long that takes, too, which changes with each second.
    assert.ok(drawn.length < 10, drawn.join());
    assert.equal(told.length, 10_000, 'who called it is told of each');
    ended.resolve({ kind: 'cancelled' });
    await outcome;
    await list.leave();
    await shown;
  });

  it('leads to running one where there is none', async () => {
    const shown = calls.show(byUser());
    const list = await picks.next(/^Running Tools$/);
    assert.equal(list.pick.placeholder, '');
    assert.deepEqual(
      list.pick.items.map(({ label, description }) => [label, description]),
      [['Run MCP Tool…', 'No tool is running']],
    );
    list.accept();
    await (await picks.next(/^Run MCP Tool$/)).leave();
    await shown;
  });
});
