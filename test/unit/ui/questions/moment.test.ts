import assert from 'node:assert/strict';
import { msToRightMoment } from '../../../../src/ui/questions/question';

const never = -Infinity;
const now = 1_000_000;

describe('The moment for a question that nobody asked for', () => {
  it('is right while the user has done nothing elsewhere since they acted on us', () => {
    assert.equal(msToRightMoment('whenIdle', { elsewhere: never, ours: never }, now), 0);
    assert.equal(msToRightMoment('whenIdle', { elsewhere: now - 600_000, ours: now - 1 }, now), 0);
    assert.equal(msToRightMoment('whenIdle', { elsewhere: now - 10, ours: now - 5 }, now), 0);
  });

  it('is some seconds after they last typed elsewhere', () => {
    assert.equal(msToRightMoment('whenIdle', { elsewhere: now - 10, ours: now - 20 }, now), 4990);
    assert.equal(msToRightMoment('whenIdle', { elsewhere: now - 10, ours: never }, now), 4990);
    assert.equal(msToRightMoment('whenIdle', { elsewhere: now - 60_000, ours: never }, now), 0);
  });

  it('is what the setting says, always or never', () => {
    assert.equal(msToRightMoment('always', { elsewhere: now, ours: never }, now), 0);
    assert.equal(msToRightMoment('never', { elsewhere: never, ours: now }, now), Infinity);
  });
});
