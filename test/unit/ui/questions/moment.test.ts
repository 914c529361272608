import assert from 'node:assert/strict';
import { isRightMoment } from '../../../../src/ui/questions/moment';

const never = -Infinity;
const now = 1_000_000;

describe('The moment for a question that nobody asked for', () => {
  it('is right while the user has done nothing in an editor since they acted on us', () => {
    assert.ok(isRightMoment('whenIdle', { editor: never, ours: never }, now));
    assert.ok(isRightMoment('whenIdle', { editor: now - 600_000, ours: now - 1 }, now));
    assert.ok(isRightMoment('whenIdle', { editor: now - 10, ours: now - 5 }, now));
  });

  it('is wrong while they type elsewhere, and right again when they have stopped', () => {
    assert.ok(!isRightMoment('whenIdle', { editor: now - 10, ours: now - 20 }, now));
    assert.ok(!isRightMoment('whenIdle', { editor: now - 10, ours: never }, now));
    assert.ok(isRightMoment('whenIdle', { editor: now - 60_000, ours: never }, now));
  });

  it('is what the setting says, always or never', () => {
    assert.ok(isRightMoment('always', { editor: now, ours: never }, now));
    assert.ok(!isRightMoment('never', { editor: never, ours: now }, now));
  });
});
