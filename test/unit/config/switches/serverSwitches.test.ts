import assert from 'node:assert/strict';
import { mergeLayers } from '../../../../src/config/mergeLayers';
import type { ConfigLayer } from '../../../../src/config/configLayer';
import { ServerSwitches } from '../../../../src/config/switches/serverSwitches';
import { createMemento } from '../../../support/fakes/memento';

function layer(uri: string, servers: Record<string, unknown>): ConfigLayer {
  return {
    scope: 'folder',
    label: 'web/.vscode/mcp.json',
    uri,
    entries: Object.entries(servers).map(([name, value]) => ({ name, value })),
    inputs: undefined,
    problems: [],
  };
}

function serversOf(uri: string, servers: Record<string, unknown> = { a: { command: 'x' } }) {
  return mergeLayers([layer(uri, servers)]).servers;
}

describe('a server that is switched off', () => {
  const here = serversOf('file:///one/mcp.json')[0];
  const elsewhere = serversOf('file:///two/mcp.json')[0];
  assert.ok(here && elsewhere);

  for (const where of ['here', 'everywhere'] as const)
    it(`is off ${where} until it is switched on, and so after a reload`, async () => {
      const stores = { here: createMemento(), everywhere: createMemento() };
      const switches = new ServerSwitches(stores);
      let changes = 0;
      switches.onDidChange(() => (changes += 1));
      assert.equal(switches.states()(here), undefined);
      await switches.switchOff(here, where);
      assert.equal(switches.states()(here), where);
      assert.equal(new ServerSwitches(stores).states()(here), where);
      await switches.switchOn(here);
      assert.equal(switches.states()(here), undefined);
      assert.equal(changes, 2);
    });

  it('is off in another window as soon as that looks again, which tells of it once', async () => {
    const stores = { here: createMemento(), everywhere: createMemento() };
    const [first, second] = [new ServerSwitches(stores), new ServerSwitches(stores)];
    let changes = 0;
    second.onDidChange(() => (changes += 1));
    second.lookAgain();
    assert.equal(changes, 0);
    await first.switchOff(here, 'here');
    second.lookAgain();
    second.lookAgain();
    assert.deepEqual([changes, second.states()(here)], [1, 'here']);
    await first.switchOn(here);
    second.lookAgain();
    assert.deepEqual([changes, second.states()(here)], [2, undefined]);
  });

  it('leaves one of the same name in another file on', async () => {
    const switches = new ServerSwitches({ here: createMemento(), everywhere: createMemento() });
    await switches.switchOff(here, 'everywhere');
    assert.equal(switches.states()(elsewhere), undefined);
  });

  it('is known however its own file says it', () => {
    const servers = serversOf('file:///one/mcp.json', {
      disabled: { command: 'a', disabled: true },
      notEnabled: { command: 'b', enabled: false },
      on: { command: 'c', disabled: false, enabled: true },
      odd: { command: 'd', disabled: 'yes', enabled: 0 },
    });
    assert.deepEqual(
      servers.filter(({ isOff }) => isOff).map(({ definition }) => definition.name),
      ['disabled', 'notEnabled'],
    );
  });
});
