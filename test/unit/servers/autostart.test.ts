import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event';
import { AutomaticStarts } from '../../../src/servers/automaticStarts';
import type { Obstacle, Readiness } from '../../../src/mcp/serverState';
import type { Logs } from '../../../src/ui/logs';
import { FakeServer, fakeServers } from '../../support/fakes/fakeServer';

function obstacleOf({ state }: FakeServer): Obstacle | undefined {
  return state.kind === 'stopped' ? state.why : undefined;
}

/** Creates a stopped server that starts automatically if its readiness allows it, and counts its starts. */
function automatic(readiness: () => Readiness) {
  const server = new FakeServer({ id: 'one' });
  server.become('stopped');
  const entered = new Emitter<void>();
  const granted = new Emitter<void>();
  const configured = new Emitter<void>();
  let isTrusted = true;
  let isAutomatic = true;
  let started = 0;
  const start = server.start.bind(server);
  server.start = () => {
    started += 1;
    return start();
  };
  const watch = new AutomaticStarts({
    servers: fakeServers(server),
    policy: { isAutomatic: () => isAutomatic },
    launches: { readiness: () => Promise.resolve(readiness()) },
    configuration: { onDidChange: configured.event },
    workspace: {
      get isTrusted() {
        return isTrusted;
      },
      onDidGrantWorkspaceTrust: granted.event,
    },
    secrets: { onDidChange: entered.event },
    logs: {} as Logs,
  });
  const settled = async () => {
    await Promise.resolve();
    await Promise.resolve();
    return started;
  };
  const told: boolean[] = [];
  const isLacking = () => obstacleOf(server) === 'needsValue';
  server.onDidChangeState(() => {
    if (isLacking() !== (told.at(-1) ?? false)) told.push(isLacking());
  });
  return {
    server,
    settled,
    /** For each change, whether the server lacked a value after it. */
    told,
    restrict: () => {
      isTrusted = false;
      configured.fire();
    },
    trust: () => {
      isTrusted = true;
      granted.fire();
    },
    enterValue: () => entered.fire(),
    startOnUse: () => (isAutomatic = false),
    [Symbol.dispose]: () => watch.dispose(),
  };
}

describe('a server that starts by itself', () => {
  it('starts where the workspace was trusted while what keeps it was found out', async () => {
    let standing: Readiness = 'restricted';
    using server = automatic(() => standing);
    standing = 'ready';
    server.trust();
    assert.equal(await server.settled(), 1);
    assert.equal(obstacleOf(server.server), undefined);
  });

  for (const [standing, starts] of [
    ['ready', 1],
    ['needsValue', 0],
    ['untrusted', 0],
    ['declined', 0],
    ['restricted', 0],
  ] as const)
    it(`asks nothing that nobody caused: ${standing}`, async () => {
      using server = automatic(() => standing);
      assert.equal(await server.settled(), starts);
    });

  it('does so once the workspace is trusted that held it back', async () => {
    let isRestricted = true;
    using server = automatic(() => (isRestricted ? 'restricted' : 'ready'));
    server.restrict();
    assert.equal(await server.settled(), 0);
    assert.equal(obstacleOf(server.server), 'restricted');
    isRestricted = false;
    server.trust();
    assert.equal(await server.settled(), 1);
  });

  it('says that the workspace is not trusted where it starts when it is used, and lacks no value there', async () => {
    let found: Readiness = 'restricted';
    using server = automatic(() => found);
    server.startOnUse();
    server.restrict();
    await server.settled();
    assert.equal(obstacleOf(server.server), 'restricted');
    found = 'needsValue';
    server.trust();
    assert.equal(obstacleOf(server.server), undefined);
    assert.deepEqual(server.told, []);
  });

  for (const standing of ['ready', 'untrusted', 'declined', 'restricted', 'broken'] as const)
    it(`is not said to lack a value: ${standing}`, async () => {
      using server = automatic(() => standing);
      await server.settled();
      assert.deepEqual(server.told, []);
    });

  it('lacks a value until that is entered, which starts it', async () => {
    let isStored = false;
    using server = automatic(() => (isStored ? 'ready' : 'needsValue'));
    await server.settled();
    server.enterValue();
    assert.equal(await server.settled(), 0);
    assert.deepEqual(server.told, [true]);
    isStored = true;
    server.enterValue();
    assert.equal(await server.settled(), 1);
    assert.deepEqual(server.told, [true, false]);
  });

  it('lacks a value until it is started by hand, and is not said to when it is stopped after that', async () => {
    using server = automatic(() => 'needsValue');
    await server.settled();
    server.server.become({ kind: 'starting' });
    server.server.become('stopped');
    server.enterValue();
    await server.settled();
    assert.deepEqual(server.told, [true, false]);
  });

  it('is not said to lack a value where it was started while that was looked up', async () => {
    using server = automatic(() => 'needsValue');
    server.server.become({ kind: 'starting' });
    await server.settled();
    assert.deepEqual(server.told, []);
  });

  it('neither starts with its value nor lacks it once the settings have it start when it is used', async () => {
    let isStored = false;
    using server = automatic(() => (isStored ? 'ready' : 'needsValue'));
    await server.settled();
    server.startOnUse();
    isStored = true;
    server.enterValue();
    assert.equal(await server.settled(), 0);
    assert.deepEqual(server.told, [true, false]);
  });
});
