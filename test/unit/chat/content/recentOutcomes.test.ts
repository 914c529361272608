import assert from 'node:assert/strict';
import {
  RecentOutcomes,
  maxOutcomeBytes,
  maxOutcomes,
} from '../../../../src/chat/content/recentOutcomes';
import type { ToolCall, ToolOutcome } from '../../../../src/contracts/toolCalls';

const call = { arguments: {} } as ToolCall;
const result = (text: string) =>
  ({ kind: 'result', result: { content: [{ type: 'text', text }] } }) as unknown as ToolOutcome;

/** Keeps outcomes one after another and returns the indexes of those that are left. */
function keep(outcomes: readonly ToolOutcome[]): readonly number[] {
  const kept = new RecentOutcomes();
  const ids = outcomes.map((outcome) => kept.keep({ call, outcome }));
  return ids.flatMap((id, at) => (kept.get(id) ? [at] : []));
}

describe('The outcomes of a model’s calls', () => {
  it('are those of the last calls', () => {
    const kept = keep(Array.from({ length: maxOutcomes + 2 }, () => result('ok')));
    assert.equal(kept.length, maxOutcomes);
    assert.equal(kept[0], 2);
  });

  it('make room for later ones by their size, and the latest is always kept', () => {
    const half = result('x'.repeat(maxOutcomeBytes / 2 - 1000));
    assert.deepEqual(keep([half, half, half]), [1, 2]);
    assert.deepEqual(keep([half, result('x'.repeat(maxOutcomeBytes + 1))]), [1]);
  });
});
