import assert from 'node:assert/strict';
import { silentLogger, type Logger } from '../../../src/base/log';
import { warmUp } from '../../../src/servers/automaticStarts';
import { FakeServer, FakeServers } from '../../support/fakes/fakeServer';
import { useFakeClock } from '../../support/fakes/fakeClock';

const restMs = 1000;

function open(servers: FakeServers, load = () => Promise.resolve<unknown>(undefined)) {
  const done: string[] = [];
  const told: string[] = [];
  const log: Logger = { ...silentLogger, debug: (text) => told.push(text) };
  const platform = { learnEnvironment: () => Promise.resolve(done.push('environment')) };
  const warm = warmUp(servers, platform, {
    log,
    load: () => {
      done.push('protocol');
      return load();
    },
  });
  return { done, told, warm };
}

describe('what the first start of a server would wait for', () => {
  const clock = useFakeClock();

  it('is prepared once, when a window with servers has come to rest', async () => {
    const servers = new FakeServers(new FakeServer({ id: 'demo' }));
    const { done } = open(servers);
    await clock.tick(restMs - 1);
    assert.deepEqual(done, []);
    await clock.tick(1);
    servers.replace(new FakeServer({ id: 'other' }));
    await clock.tick(10 * restMs);
    assert.deepEqual(done, ['protocol', 'environment']);
  });

  it('is not prepared in a window without servers until there is one', async () => {
    const servers = new FakeServers();
    const { done } = open(servers);
    await clock.tick(10 * restMs);
    assert.deepEqual(done, []);
    servers.replace(new FakeServer({ id: 'demo' }));
    await clock.tick(restMs);
    assert.deepEqual(done, ['protocol', 'environment']);
  });

  it('is not prepared in a window that closed before', async () => {
    const { done, warm } = open(new FakeServers(new FakeServer({ id: 'demo' })));
    warm.dispose();
    await clock.tick(10 * restMs);
    assert.deepEqual(done, []);
  });

  it('may be missing, which the log says', async () => {
    const missing = () => Promise.reject(new Error('sdk.js is missing'));
    const { told } = open(new FakeServers(new FakeServer({ id: 'demo' })), missing);
    await clock.tick(restMs);
    assert.match(told.join('\n'), /sdk\.js is missing/);
  });
});
