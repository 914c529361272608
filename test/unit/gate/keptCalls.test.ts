import assert from 'node:assert/strict';
import type { ToolCall, ToolOutcome } from '../../../src/contracts/toolCalls';
import { KeptCalls, maxKeptCalls } from '../../../src/gate/keptCalls';

const call = (tool: string, origin: ToolCall['origin'] = { kind: 'user' }) =>
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
const row = (tool: string, args: object = { value: {} }) => ({
  begun: { server: { id: 'demo', name: 'demo' }, tool, arguments: args },
});

describe('what calls are kept for tests', () => {
  it('keeps the latest fifty', () => {
    const kept = new KeptCalls();
    for (let count = 0; count <= maxKeptCalls; count += 1)
      kept.note(call(`t${count}`), result('done'));
    assert.equal(kept.find(undefined)?.tool.name, `t${maxKeptCalls}`);
    assert.equal(kept.find(row('t0'))?.result, undefined);
    assert.ok(kept.find(row('t1'))?.result);
  });

  it('keeps neither what is large, nor what failed, nor what saved calls asked', () => {
    const kept = new KeptCalls();
    kept.note(call('large'), result('x'.repeat(300_000)));
    kept.note(call('failed'), { kind: 'failed', message: () => 'no' });
    const saved = call('saved', { kind: 'savedCalls', file: 'a' });
    kept.note(saved, result('done'));
    assert.equal(kept.find(undefined), undefined);
  });

  it('knows what a call in the background came to', async () => {
    const kept = new KeptCalls();
    const ended = Promise.resolve(result('late'));
    kept.note(call('slow'), { kind: 'background', ended });
    await ended;
    assert.equal(kept.find(undefined)?.tool.name, 'slow');
  });
});
