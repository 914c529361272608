import assert from 'node:assert/strict';
import { AgentTrust, type AskingAgent } from '../../../src/agents/agentTrust';
import { AppConsents } from '../../../src/apps/consent/appConsents';
import { deferred, delay, neverAborted } from '../../../src/base/async';
import { changesKept, isString, type Memento, StoredList } from '../../../src/base/memento';
import { workspaceStore } from '../../../src/config/workspaceStore';
import { mergeLayers } from '../../../src/config/mergeLayers';
import { ServerSwitches } from '../../../src/config/switches/serverSwitches';
import { DeclinedLaunches } from '../../../src/config/trust/declinedLaunches';
import { Approvals } from '../../../src/gate/decide/approvals';
import { PaletteChoice } from '../../../src/prompts/palette/wantedEntries';
import { HourBudget } from '../../../src/requests/sampling/hourBudget';
import { SamplingPermissions } from '../../../src/requests/sampling/permissions';
import type { Questions } from '../../../src/ui/questions/questions';
import { fakeApp } from '../../support/fakes/fakeApp';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { createMemento, createWindowStores } from '../../support/fakes/memento';

/** What the user decides in a window: what allows something, what takes it back, and whether it is allowed. */
interface Decisions {
  allow(): PromiseLike<unknown>;
  takeBack(): PromiseLike<unknown>;
  isAllowed(): boolean | Promise<boolean>;
}

const server = fakeServer({ tools: [tool()] });
const [definedTool] = server.tools.items;
assert.ok(definedTool);
const call = {
  server,
  tool: definedTool,
  arguments: {},
  origin: { kind: 'user', action: undefined },
} as const;

function approvals(duration: 'always' | 'workspace') {
  return (store: Memento): Decisions => {
    const other = createMemento();
    const kept = new Approvals({ always: other, workspace: other, [duration]: store });
    return {
      allow: () => kept.remember(call, { duration, coverage: 'tool' }),
      takeBack: async () => {
        for (const one of kept.all) await kept.withdraw(one);
      },
      isAllowed: async () => (await kept.find(call)).approval !== undefined,
    };
  };
}

const agent = {
  entry: { id: 'one', label: 'one', secretHash: '', createdAt: 0 },
  hello: { isHttp: true, pid: 1 },
};

const [placed] = mergeLayers([
  {
    scope: 'user',
    label: 'mcp.json',
    uri: 'file:///mcp.json',
    entries: [{ name: 'a', value: { command: 'x' } }],
    inputs: undefined,
    problems: [],
  },
]).servers;
assert.ok(placed);
const entry = { server, prompt: { name: 'a' } };
const launch = { serverName: 'a', place: 'b', text: 'c' };

const stores: Readonly<Record<string, (store: Memento) => Decisions>> = {
  'an approval for always': approvals('always'),
  'an approval for the workspace': approvals('workspace'),
  'an app that may be shown': (store) => {
    const consents = new AppConsents(store);
    return {
      allow: () => consents.remember(server, fakeApp(), []),
      takeBack: () => consents.forgetAll(),
      isAllowed: async () => (await consents.find(server, fakeApp())).kind === 'allowed',
    };
  },
  'the use of a model': (store) => {
    const permissions = new SamplingPermissions(store);
    return {
      allow: () => permissions.set(server, { mode: 'budget' }),
      takeBack: () => permissions.set(server, undefined),
      isAllowed: async () => (await permissions.find(server)) !== undefined,
    };
  },
  'the use of a model that is never allowed then': (store) => {
    const permissions = new SamplingPermissions(store);
    return {
      allow: () => permissions.set(server, { mode: 'budget' }),
      takeBack: () => permissions.set(server, { mode: 'never' }),
      isAllowed: async () => (await permissions.find(server))?.mode === 'budget',
    };
  },
  'an agent that is trusted': (store) => {
    const ask = () => Promise.resolve({ kind: 'answered', answer: true });
    const trust = new AgentTrust(store, { ask } as unknown as Questions);
    return {
      allow: () => trust.ask(agent as unknown as AskingAgent, neverAborted()),
      takeBack: () => trust.forget(agent.entry),
      isAllowed: () => trust.isTrusted(agent.entry),
    };
  },
  'a published prompt': (store) => {
    const choice = new PaletteChoice(store);
    return {
      allow: () => choice.publications.choose(entry, true),
      takeBack: () => choice.publications.choose(entry, false),
      isAllowed: async () => (await choice.publications.namesOf(server)).has(entry.prompt.name),
    };
  },
  'a prompt in the palette': (store) => {
    const choice = new PaletteChoice(store);
    return {
      allow: () => choice.pins.choose(entry, true),
      takeBack: () => choice.pins.clear(),
      isAllowed: async () => (await choice.pins.namesOf(server)).has(entry.prompt.name),
    };
  },
  'a server that is switched on': (store) => {
    const switches = new ServerSwitches({ here: createMemento(), everywhere: store });
    return {
      allow: () => switches.switchOn(placed),
      takeBack: () => switches.switchOff(placed, 'everywhere'),
      isAllowed: () => switches.states()(placed) === undefined,
    };
  },
  'a launch that was not declined': (store) => {
    const declined = new DeclinedLaunches(store);
    return {
      allow: () => declined.remove(launch),
      takeBack: () => declined.add(launch, 'notHere'),
      isAllowed: () => !declined.has(launch),
    };
  },
  'what is left of a budget': (store) => {
    const budget = new HourBudget(store, () => 1);
    return {
      allow: () => Promise.resolve(),
      takeBack: () => Promise.resolve(budget.spend('a', 10)),
      isAllowed: () => budget.spent('a').requests === 0,
    };
  },
};

const settledMs = 200;

/** Gives a window's store to its features until it closes: nothing is written any more then. */
function closable(store: Memento): { readonly store: Memento; close(): Promise<void> } {
  let isClosed = false;
  const changed = deferred<void>();
  const own: Memento = {
    get: (key) => store.get(key),
    update(key, value) {
      changed.resolve();
      return isClosed ? Promise.reject(new Error('closed')) : store.update(key, value);
    },
  };
  return {
    store: own,
    async close() {
      await changed.promise;
      await changesKept(own);
      isClosed = true;
    },
  };
}

describe('What is taken back in one window while another one writes its older copy', () => {
  for (const [what, open] of Object.entries(stores))
    it(`stays so everywhere: ${what}`, async () => {
      const [one, other] = createWindowStores(2);
      assert.ok(one && other);
      const [here, there] = [open(one), open(other)];
      if (!(await there.isAllowed())) await there.allow();
      await delay(50);
      assert.ok(await here.isAllowed());
      const taken = here.takeBack();
      await Promise.all([taken, other.update('anything', 1)]);
      assert.ok(!(await here.isAllowed()));
      await delay(settledMs);
      for (const [index, window] of [here, there, open(one), open(other)].entries())
        assert.ok(!(await window.isAllowed()), `${index}`);
    });

  it('stays so though this window closes in this moment', async () => {
    const closed = async ([what, open]: (typeof kinds)[number]) => {
      const [one, other] = createWindowStores(2);
      assert.ok(one && other);
      const window = closable(one);
      const [here, there] = [open(window.store), open(other)];
      if (!(await there.isAllowed())) await there.allow();
      await delay(50);
      await Promise.all([here.takeBack(), other.update('anything', 1), window.close()]);
      await delay(settledMs);
      for (const again of [there, open(one), open(other)])
        assert.ok(!(await again.isAllowed()), what);
    };
    const kinds = Object.entries(stores);
    await Promise.all(kinds.map(closed));
  });

  it('is waited for as a window closes where it is kept for a workspace', async () => {
    const [one] = createWindowStores(1);
    assert.ok(one);
    const context = {
      globalState: one,
      workspaceState: createMemento(),
      storageUri: 'file:///w/1',
    };
    const list = new StoredList(workspaceStore(context), 'a', { max: 9, isEntry: isString });
    await list.put('x', () => false);
    let isRemoved = false;
    void list.remove(() => true).then(() => (isRemoved = true));
    await changesKept(one);
    assert.ok(isRemoved);
  });

  it('stays so though this window hangs in this moment', async () => {
    const [one, other] = createWindowStores(2);
    assert.ok(one && other);
    const listIn = (store: Memento) => new StoredList(store, 'a', { max: 9, isEntry: isString });
    const [here, there] = [listIn(one), listIn(other)];
    await here.put('x', () => false);
    await delay(50);
    const now = performance.now.bind(performance);
    try {
      const taken = here.remove(() => true);
      await Promise.all([taken, other.update('anything', 1)]);
      performance.now = () => now() + 10_000;
      await delay(settledMs);
    } finally {
      performance.now = now;
    }
    assert.deepEqual([here.all, there.all, listIn(one).all], [[], [], []]);
  });

  it('can be allowed again, in this window or, later, in another one', async () => {
    const [one, other] = createWindowStores(2);
    assert.ok(one && other);
    const listIn = (store: Memento) => new StoredList(store, 'a', { max: 9, isEntry: isString });
    const [here, there] = [listIn(one), listIn(other)];
    await here.put('x', () => false);
    await here.remove(() => true);
    await here.put('x', () => false);
    assert.deepEqual([here.all, there.all], [['x'], ['x']]);
    await here.remove(() => true);
    await delay(2600);
    await there.put('x', () => false);
    await delay(settledMs);
    assert.deepEqual([here.all, there.all], [['x'], ['x']]);
  });
});
