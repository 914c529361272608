import assert from 'node:assert/strict';
import {
  type Lifecycle,
  defaultRestarts,
  lastFailureOf,
  newLifecycle,
  reduceLifecycle,
} from '../../../../src/mcp/lifecycle';

const minute = 60_000;
const failure = { kind: 'failed', message: 'broken' } as const;

/** A server that crashes at given times and is restarted each time that it is to be. */
class Crashing {
  life: Lifecycle = newLifecycle();
  private readonly bounds: typeof defaultRestarts;

  constructor(bounds = defaultRestarts) {
    this.bounds = bounds;
  }

  /** Returns how long it is until the restart; `undefined` if there is none. */
  crash(at: number): number | undefined {
    this.life = reduceLifecycle(this.life, { kind: 'crashed', failure, at }, this.bounds);
    const { state } = this.life;
    const retryAt = state.kind === 'failed' ? state.retryAt : undefined;
    this.life = reduceLifecycle(this.life, { kind: 'started', isRestart: true }, this.bounds);
    return retryAt === undefined ? undefined : retryAt - at;
  }

  /** Has the user stop and start it. */
  startedByHand(): void {
    for (const kind of ['stopping', 'stopped', 'started'] as const)
      this.life = reduceLifecycle(this.life, { kind }, this.bounds);
  }
}

/** Returns the delays after crashes at these times. */
const delays = (server: Crashing, times: readonly number[]) =>
  times.map((time) => server.crash(time));

describe('the restarts of a crashed server', () => {
  it('wait twice as long each time, and end after five in ten minutes', () => {
    const times = [0, 1, 2, 3, 4, 5, 6].map((crash) => crash * 1000);
    assert.deepEqual(delays(new Crashing(), times), [
      1000,
      2000,
      4000,
      8000,
      16_000,
      undefined,
      undefined,
    ]);
  });

  it('begin anew with a crash that comes ten minutes later', () => {
    const server = new Crashing();
    delays(server, [0, 1, 2]);
    assert.equal(server.crash(10 * minute + 2), 1000);
  });

  it('count only the crashes of the last ten minutes', () => {
    const server = new Crashing();
    const times = [0, 3, 6, 9, 12, 15, 18].map((time) => time * minute);
    assert.deepEqual(delays(server, times), [1000, 2000, 4000, 8000, 8000, 8000, 8000]);
  });

  it('begin anew after a user started the server', () => {
    const server = new Crashing();
    delays(server, [0, 1, 2, 3, 4, 5]);
    server.startedByHand();
    assert.equal(server.crash(6), 1000);
  });

  it('are told of for ten minutes, or until a user started the server', () => {
    const server = new Crashing();
    const isTold = (at: number) => lastFailureOf(server.life, at) !== undefined;
    assert.equal(isTold(0), false);
    server.crash(0);
    assert.deepEqual([isTold(10 * minute - 1), isTold(10 * minute)], [true, false]);
    server.startedByHand();
    assert.equal(isTold(1), false);
  });

  it('never wait longer than a minute', () => {
    const server = new Crashing({ ...defaultRestarts, maxRestarts: 20 });
    const all = delays(
      server,
      Array.from({ length: 20 }, (_one, index) => index),
    );
    assert.equal(Math.max(...all.map((delay) => delay ?? 0)), minute);
    assert.equal(all.at(-1), minute);
  });
});
