import assert from 'node:assert/strict';
import { deferred } from '../../../src/base/async';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/log';
import { createConfiguration } from '../../../src/config/configuration';
import type { ConfigLayer, ConfigSource } from '../../../src/config/configLayer';
import { useFakeClock } from '../../support/fakes/fakeClock';

const place = { scope: 'user', label: 'User Settings', inputs: undefined, problems: [] } as const;

/** A place of configuration that has the servers in `names`, and says so once `slow` resolves. */
class Place implements ConfigSource {
  names: readonly string[] = [];
  readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  reads = 0;
  slow = Promise.resolve();
  /** What was in use when it was last read. */
  last: readonly ConfigLayer[] = [];
  async read(last: readonly ConfigLayer[]): Promise<readonly ConfigLayer[]> {
    this.reads += 1;
    this.last = last;
    const entries = this.names.map((name) => ({ name, value: { command: 'node', args: [name] } }));
    await this.slow;
    return [{ ...place, entries }];
  }
  dispose(): void {
    this.changed.dispose();
  }
}

const switches = { states: () => () => undefined, onDidChange: new Emitter<void>().event };

describe('The configuration', () => {
  const clock = useFakeClock();

  const create = () => {
    const source = new Place();
    const configuration = createConfiguration([source], switches, silentLogger);
    const names = () => configuration.current.servers.map(({ definition }) => definition.name);
    return { source, configuration, names };
  };

  it('is read once for a burst of changes', async () => {
    const { source, configuration, names } = create();
    await clock.tick(0);
    await configuration.ready;
    source.names = ['demo'];
    for (let change = 0; change < 20; change += 1) source.changed.fire();
    await clock.tick(1000);
    assert.deepEqual([names(), source.reads], [['demo'], 2]);
    configuration.dispose();
  });

  it('is read although a place changes on and on, from the first moment', async () => {
    const { source, configuration, names } = create();
    source.names = ['demo'];
    let change = 0;
    for (; change < 20 && names().length === 0; change += 1) {
      source.changed.fire();
      await clock.tick(20);
    }
    assert.deepEqual(names(), ['demo']);
    source.names = ['demo', 'other'];
    for (change = 0; change < 20 && names().length < 2; change += 1) {
      source.changed.fire();
      await clock.tick(20);
    }
    assert.deepEqual(names(), ['demo', 'other']);
    configuration.dispose();
  });

  it('has a place know what is in use when it is read, not what an overtaken reading found', async () => {
    const { source, configuration, names } = create();
    const inUse = () => source.last.flatMap(({ entries }) => entries.map(({ name }) => name));
    const read = async (servers: readonly string[]) => {
      source.names = servers;
      source.changed.fire();
      await clock.tick(1000);
    };
    await read(['demo']);
    const overtaken = deferred<void>();
    source.slow = overtaken.promise;
    await read([]);
    source.slow = Promise.resolve();
    await read(['demo']);
    overtaken.resolve();
    await read(['demo', 'other']);
    assert.deepEqual([inUse(), names()], [['demo'], ['demo', 'other']]);
    configuration.dispose();
  });
});
