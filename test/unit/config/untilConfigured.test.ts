import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Emitter } from '../../../src/base/event';
import type { Configuration, CurrentConfiguration } from '../../../src/config/configuration';
import { mergeLayers } from '../../../src/config/mergeLayers';
import type { ConfigLayer } from '../../../src/config/configLayer';
import { untilConfigured } from '../../../src/config/chooseConfigured';

const launch = { command: 'node', args: ['/srv/clip.js'] };

function layer(label: string, servers: object): ConfigLayer {
  const entries = Object.entries(servers).map(([name, value]) => ({
    name,
    value: value as unknown,
  }));
  return { scope: label === 'user' ? 'user' : 'folder', label, entries, inputs: [], problems: [] };
}

/** Creates a configuration that changes when the test calls `read`. */
function scripted() {
  const changed = new Emitter<CurrentConfiguration>();
  let current: CurrentConfiguration = { ...mergeLayers([]), disabled: [] };
  const read = (servers: object, isOff = false) => {
    const merged = mergeLayers([layer('user', { first: launch }), layer('file', servers)]);
    const off = merged.servers.filter(({ definition }) => isOff && definition.name === 'mine');
    const disabled = off.map((server) => ({
      server,
      why: { kind: 'disabled', by: 'here' } as const,
    }));
    current = { ...merged, servers: merged.servers.filter((one) => !off.includes(one)), disabled };
    changed.fire(current);
  };
  const configuration = {
    get current() {
      return current;
    },
    onDidChange: changed.event,
  } as Configuration;
  const watch = () =>
    untilConfigured(configuration, 'mine', ({ definition }) => definition.name === 'mine');
  return { read, watch };
}

describe('a server that was just written', () => {
  for (const [what, value, isOff, expected] of [
    ['itself', { command: 'node', args: ['/srv/mine.js'] }, false, 'mine'],
    ['the one that it is the same as', launch, false, 'first'],
    ['nothing where it is switched off', { command: 'mine' }, true, undefined],
  ] as const)
    for (const isEarly of [true, false])
      it(`is started as ${what}, ${isEarly ? 'read already' : 'once it was read'}`, async () => {
        const { read, watch } = scripted();
        if (isEarly) read({ mine: value }, isOff);
        const starting = watch().startedAs();
        read({}, isOff);
        read({ mine: value }, isOff);
        assert.equal(await starting, expected);
      });

  it('is said to be gone where it was taken out since', async () => {
    const { read, watch } = scripted();
    const written = watch();
    read({ mine: launch });
    read({});
    await assert.rejects(written.startedAs(), {
      name: 'UserError',
      message: '"mine" is no longer configured.',
    });
  });

  it('is said to be unread where that takes too long, until it is there', async () => {
    const late = new AbortController();
    const timeouts = mock.method(AbortSignal, 'timeout', () => late.signal);
    try {
      const { read, watch } = scripted();
      const written = watch();
      late.abort(new DOMException('The operation timed out', 'TimeoutError'));
      await assert.rejects(written.startedAs(), {
        name: 'UserError',
        message: /^"mine" was saved, but it has not been read yet\. Start it .*\.$/,
      });
      read({ mine: { command: 'mine' } });
      assert.equal(await written.startedAs(), 'mine');
    } finally {
      timeouts.mock.restore();
    }
  });
});
