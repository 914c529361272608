import assert from 'node:assert/strict';
import { configuredNames } from '../../../src/config/configuration';
import { mergeLayers } from '../../../src/config/mergeLayers';
import type { ConfigLayer } from '../../../src/config/configLayer';

function place(label: string, servers: Readonly<Record<string, unknown>>): ConfigLayer {
  const entries = Object.entries(servers).map(([name, value]) => ({ name, value }));
  return { scope: 'user', label, entries, inputs: undefined, problems: [] };
}

describe('the names of what is configured', () => {
  const { servers, ...others } = mergeLayers([
    place('one', { used: { command: 'a' }, off: { command: 'b' }, broken: {} }),
    { ...place('two', { same: { command: 'a' } }), problems: [{ message: 'Not a server.' }] },
  ]);
  const isOff = ({ definition }: (typeof servers)[number]) => definition.name === 'off';
  const disabled = servers
    .filter(isOff)
    .map((server) => ({ server, why: { kind: 'disabled', by: 'here' } as const }));
  const current = { ...others, disabled, servers: servers.filter((one) => !isOff(one)) };

  it('are those of all servers: used, disabled, the same as another, and broken', () =>
    assert.deepEqual(configuredNames(current).toSorted(), ['broken', 'off', 'same', 'used']));
});
