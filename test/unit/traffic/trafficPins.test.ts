import assert from 'node:assert/strict';
import type { TrafficEntry } from '../../../src/mcp/traffic/trafficEntry';
import { TrafficPins, maxPins } from '../../../src/traffic/trafficView';
import { fakeServer } from '../../support/fakes/fakeServer';

const server = fakeServer();
const row = (number: number) => ({ traffic: { number } as TrafficEntry, server });

describe('pinned rows of the traffic', () => {
  it('are fifty at most, the latest', () => {
    const pins = new TrafficPins();
    const rows = Array.from({ length: maxPins + 5 }, (_, number) => row(number));
    for (const one of rows) pins.set(one, true);
    const numbers = pins.of(server.id).map(({ traffic }) => traffic.number);
    assert.equal(numbers.length, maxPins);
    assert.equal(numbers[0], maxPins + 4);
    assert.equal(numbers.at(-1), 5);
  });

  it('are pinned once, and let go', () => {
    const pins = new TrafficPins();
    const one = row(1);
    pins.set(one, true);
    pins.set({ ...one }, true);
    assert.equal(pins.of(server.id).length, 1);
    assert.ok(pins.has({ ...one }));
    assert.equal(pins.of('another').length, 0);
    pins.set({ ...one }, false);
    assert.ok(!pins.has(one));
  });
});
