import assert from 'node:assert/strict';
import type { ToolCall, ToolOutcome } from '../../../src/contracts/toolCalls';
import { RecentCalls, maxKeptCalls } from '../../../src/gate/recentCalls';

const call = (tool: string, origin: ToolCall['origin'] = { kind: 'user', action: undefined }) =>
  ({
    server: { id: 'demo', name: 'demo' },
    tool: { name: tool, inputSchema: {} },
    arguments: {},
    origin,
  }) as unknown as ToolCall;
const result = (text: string): ToolOutcome => ({
  kind: 'result',
  result: { content: [{ type: 'text', text }], isError: false },
  arguments: {},
  edited: false,
  problems: [],
});
const row = (id: string) => ({
  begun: { id, server: { id: 'demo', name: 'demo' }, tool: 'of row', arguments: { value: {} } },
});

describe('what calls are kept for tests', () => {
  it('keeps the latest fifty', () => {
    const kept = new RecentCalls();
    for (let count = 0; count <= maxKeptCalls; count += 1)
      kept.note(String(count), call(`t${count}`), result('done'));
    assert.equal(kept.find(undefined)?.tool.name, `t${maxKeptCalls}`);
    assert.equal(kept.find(row('0'))?.answer, undefined);
    assert.ok(kept.find(row('1'))?.answer);
  });

  it('keeps nothing that saved calls asked', () => {
    const kept = new RecentCalls();
    kept.note('1', call('saved', { kind: 'savedCalls', file: 'a' }), result('done'));
    assert.equal(kept.find(undefined), undefined);
  });

  const message = () => 'no';
  const outcomes: readonly [what: string, outcome: ToolOutcome, kind: string | undefined][] = [
    ['a result', result('done'), 'result'],
    ['the code of an error of the protocol', { kind: 'failed', message, code: -32011 }, 'error'],
    ['not what is large', result('x'.repeat(300_000)), undefined],
    ['not how a call failed otherwise', { kind: 'failed', message }, undefined],
    ['nothing of a call that was cancelled', { kind: 'cancelled' }, undefined],
  ];
  for (const [what, outcome, kind] of outcomes)
    it(`knows of what came back ${what}`, () => {
      const kept = new RecentCalls();
      kept.note('before', call('same'), result('other'));
      kept.note('1', call('same'), outcome);
      for (const target of [undefined, row('1')]) {
        const found = kept.find(target);
        assert.equal(found?.tool.name, 'same');
        assert.equal(found.answer?.kind, kind);
      }
    });

  it('tells apart what the same call came to, time after time', () => {
    const kept = new RecentCalls();
    kept.note('1', call('same'), result('first'));
    kept.note('2', call('same'), { kind: 'failed', message, code: -32011 });
    assert.equal(kept.find(row('1'))?.answer?.kind, 'result');
    assert.deepEqual(kept.find(row('2'))?.answer, { kind: 'error', code: -32011 });
    assert.equal(kept.find(row('3'))?.tool.name, 'of row');
  });

  it('tells each outcome’s own call from later ones of the same tool, and keeps it as long as the outcome', () => {
    const kept = new RecentCalls();
    const [first, second] = [result('first'), result('second')];
    kept.note('1', call('same'), first);
    kept.note('2', call('same'), second);
    for (let count = 0; count <= maxKeptCalls; count += 1)
      kept.note(`more ${count}`, call('other'), result('done'));
    for (const outcome of [first, second])
      assert.equal(Object(kept.find(outcome)?.answer).result, Object(outcome).result);
    assert.equal(kept.of({ ...first }), undefined);
  });

  it('knows what a call in the background came to', async () => {
    const kept = new RecentCalls();
    const ended = Promise.resolve(result('late'));
    kept.note('1', call('slow'), { kind: 'background', ended });
    await ended;
    assert.equal(kept.find(undefined)?.tool.name, 'slow');
  });
});
