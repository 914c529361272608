import assert from 'node:assert/strict';
import { InstallPace, longestRestMs } from '../../../../src/prompts/palette/palette';

describe('The pace of installs into the palette', () => {
  let time: number;
  let pace: InstallPace;
  beforeEach(() => {
    time = 0;
    pace = new InstallPace(() => time);
  });

  it('is at once for the first', () => assert.equal(pace.left, 0));

  it('waits twice as long after each of a server that changes its titles again and again', () => {
    let installs = 0;
    const day = 24 * 3_600_000;
    for (; time < day; time += pace.left) {
      pace.installed();
      installs += 1;
      assert.ok(pace.left <= longestRestMs);
    }
    assert.ok(installs < 120, `${installs} installs in a day`);
  });

  it('begins anew when it was quiet', () => {
    pace.installed();
    const shortest = pace.left;
    time += pace.left;
    pace.installed();
    assert.equal(pace.left, 2 * shortest);
    time += 10 * pace.left;
    pace.installed();
    assert.equal(pace.left, shortest);
  });
});
