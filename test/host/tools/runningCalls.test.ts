import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred, nextTurn } from '../../../src/base/async';
import type { ToolCall, ToolOutcome } from '../../../src/contracts/toolCalls';
import { RunningCalls } from '../../../src/gate/send/runningCalls';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { fakeServer, tool } from '../../support/fakes/fakeServer';

describe('the list of running tools', () => {
  let picks: WatchedPicks;
  let calls: RunningCalls;

  beforeEach(() => {
    picks = watchPicks();
    calls = new RunningCalls(() => Promise.resolve());
  });
  afterEach(() => {
    picks.dispose();
    calls.dispose();
  });

  const newCall = (): ToolCall => {
    const asked = tool();
    return {
      server: fakeServer({ tools: [asked] }),
      tool: asked,
      arguments: {},
      origin: { kind: 'editor' },
    };
  };

  /** Begins a call; gives the signal that cancels it, and its outcome. */
  const begin = () => {
    const call = newCall();
    const sent = deferred<AbortSignal>();
    const stop = new AbortController();
    const outcome = calls.track(call, { signal: stop.signal }, ({ signal }) => {
      sent.resolve(signal);
      return new Promise<ToolOutcome>((resolve) =>
        signal.addEventListener('abort', () => resolve({ kind: 'cancelled' })),
      );
    });
    return { signal: sent.promise, outcome, stop };
  };

  it('cancels nothing with Enter alone', async () => {
    const { signal } = begin();
    const shown = calls.show();
    (await picks.next(/^Running Tools$/)).accept();
    const asked = await picks.next(/^demo › tool$/);
    assert.deepEqual(asked.labels, ['Keep Running', 'Run in Background', 'Cancel Call']);
    asked.accept();
    await shown;
    assert.equal((await signal).aborted, false);
  });

  it('takes the row that was clicked, whichever is active as the rows are drawn anew', async () => {
    begin();
    const shown = calls.show([{ label: 'Another List', act: () => Promise.resolve() }]);
    const list = await picks.next(/^Running Tools$/);
    list.click('Another List');
    await shown;
    assert.deepEqual(
      picks.open.map(({ title }) => title),
      [],
    );
  });

  for (const [label, kind] of [
    ['Cancel Call', 'cancelled'],
    ['Run in Background', 'background'],
  ] as const)
    it(`does what is chosen of a call: ${label}`, async () => {
      const { outcome } = begin();
      const shown = calls.show();
      (await picks.next(/^Running Tools$/)).choose('demo › tool');
      (await picks.next(/^demo › tool$/)).choose(label);
      await shown;
      assert.equal((await outcome).kind, kind);
    });

  it('says that a call has ended, where that is so by the time something is chosen', async () => {
    const { showInformationMessage } = vscode.window;
    const said: string[] = [];
    Object.assign(vscode.window, {
      showInformationMessage: (message: string) => Promise.resolve(void said.push(message)),
    });
    try {
      const { outcome, stop } = begin();
      const shown = calls.show();
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
    const call = newCall();
    const told: number[] = [];
    const last = deferred<void>();
    const ended = deferred<ToolOutcome>();
    const options = {
      signal: new AbortController().signal,
      onProgress: ({ progress }: { readonly progress: number }) => {
        told.push(progress);
        if (progress === 10_000) last.resolve();
      },
    };
    const outcome = calls.track(call, options, async ({ onProgress }) => {
      await nextTurn();
      for (let progress = 1; progress <= 10_000; progress += 1) onProgress?.({ progress });
      return ended.promise;
    });
    await last.promise;
    ended.resolve({ kind: 'cancelled' });
    await outcome;
    assert.deepEqual(told, [1, 10_000]);
  });

  it('leads to running one where there is none', async () => {
    const shown = calls.show();
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
