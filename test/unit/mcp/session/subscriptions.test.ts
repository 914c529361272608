import assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async';
import { silentLogger } from '../../../../src/base/log';
import { Subscriptions } from '../../../../src/mcp/session/subscriptions';
import { settled, useFakeClock } from '../../../support/fakes/fakeClock';
import {
  ScriptedError,
  silence,
  type ScriptedTransport,
  type WireMessage,
} from '../../../support/fakes/scriptedTransport';
import { legacyServer, modernServer, openScripted } from '../scriptedSession';

const capabilities = {
  tools: { listChanged: true },
  prompts: {},
  resources: { subscribe: true, listChanged: true },
};
const done = { 'resources/subscribe': () => ({}), 'resources/unsubscribe': () => ({}) };

/** Returns what was subscribed to (`+`) and unsubscribed from (`-`), in order. */
function subscribed(transport: ScriptedTransport): readonly string[] {
  return transport.sent.flatMap(({ method, params }) =>
    method === 'resources/subscribe'
      ? [`+${String(params?.['uri'])}`]
      : method === 'resources/unsubscribe'
        ? [`-${String(params?.['uri'])}`]
        : [],
  );
}

const filterOf = (message: WireMessage | undefined) => message?.params?.['notifications'];

const streams = (transport: ScriptedTransport) => transport.requests('subscriptions/listen');

async function attach(transport: ScriptedTransport, ...uris: readonly string[]) {
  const subscriptions = new Subscriptions(silentLogger);
  const held = uris.map((uri) => subscriptions.add(uri));
  subscriptions.attach(await openScripted(transport));
  await settled();
  return { subscriptions, held };
}

/** Ends a stream like a server that shuts down. */
const endStream = (transport: ScriptedTransport, stream: WireMessage | undefined) =>
  transport.receive({ id: stream?.id, result: { resultType: 'complete' } });

describe('a stream of subscriptions', () => {
  const clock = useFakeClock();

  it('tells that it is open again after it broke, and of no other time', async () => {
    const transport = modernServer({ capabilities });
    const { subscriptions } = await attach(transport, 'a:1');
    let resumed = 0;
    subscriptions.onDidResume(() => (resumed += 1));
    subscriptions.add('a:2');
    await settled();
    assert.equal(resumed, 0);
    endStream(transport, streams(transport).at(-1));
    await settled();
    assert.equal(resumed, 0);
    await clock.tick(1000);
    await settled();
    assert.equal(resumed, 1);
    subscriptions.dispose();
  });
});

describe('subscriptions up to 2025-11-25', () => {
  it('are one request for each resource, however many hold it', async () => {
    const transport = legacyServer({ capabilities, scripts: done });
    const subscriptions = new Subscriptions(silentLogger);
    subscriptions.attach(await openScripted(transport));
    const holders = [subscriptions.add('a:1'), subscriptions.add('a:1'), subscriptions.add('a:2')];
    await settled();
    assert.deepEqual(subscribed(transport), ['+a:1', '+a:2']);
    holders[0]?.dispose();
    holders[0]?.dispose();
    await settled();
    assert.deepEqual(subscribed(transport), ['+a:1', '+a:2']);
    holders[1]?.dispose();
    await settled();
    assert.deepEqual(subscribed(transport), ['+a:1', '+a:2', '-a:1']);
  });

  const changes: readonly [what: string, uses: readonly boolean[], sent: readonly string[]][] = [
    ['given up', [false], ['+a:1', '-a:1']],
    ['given up and taken up', [false, true], ['+a:1']],
    ['given up, taken up and given up', [false, true, false], ['+a:1', '-a:1']],
  ];
  for (const [what, uses, sent] of changes)
    it(`are told one after the other where one is ${what} before the answer`, async () => {
      const answer = deferred<object>();
      const transport = legacyServer({
        capabilities,
        scripts: { ...done, 'resources/subscribe': () => answer.promise },
      });
      const subscriptions = new Subscriptions(silentLogger);
      subscriptions.attach(await openScripted(transport));
      let held = subscriptions.add('a:1');
      for (const use of uses)
        if (use) held = subscriptions.add('a:1');
        else held.dispose();
      subscriptions.add('a:2');
      await settled();
      assert.deepEqual(subscribed(transport), ['+a:1', '+a:2']);
      answer.resolve({});
      await settled();
      assert.deepEqual(subscribed(transport), [sent[0], '+a:2', ...sent.slice(1)]);
      assert.equal(subscriptions['telling'].size, 0);
    });

  it('are told anew to the next session, whatever the last one did not answer', async () => {
    const mute = legacyServer({ capabilities, scripts: { 'resources/subscribe': () => silence } });
    const subscriptions = new Subscriptions(silentLogger);
    subscriptions.attach(await openScripted(mute));
    const held = subscriptions.add('a:1');
    subscriptions.detach();
    const next = legacyServer({ capabilities, scripts: done });
    subscriptions.attach(await openScripted(next));
    await mute.close();
    await settled();
    held.dispose();
    await settled();
    assert.deepEqual([subscribed(mute), subscribed(next)], [['+a:1'], ['+a:1', '-a:1']]);
  });

  it('are taken up by the next session', async () => {
    const subscriptions = new Subscriptions(silentLogger);
    subscriptions.add('a:1');
    const gone = subscriptions.add('a:2');
    const first = legacyServer({ capabilities, scripts: done });
    subscriptions.attach(await openScripted(first));
    subscriptions.detach();
    gone.dispose();
    subscriptions.add('a:3');
    const second = legacyServer({ capabilities, scripts: done });
    subscriptions.attach(await openScripted(second));
    await settled();
    assert.deepEqual(subscribed(first), ['+a:1', '+a:2']);
    assert.deepEqual(subscribed(second), ['+a:1', '+a:3']);
  });

  it('are never asked of a server that does not offer them', async () => {
    const transport = legacyServer({ capabilities: { resources: { listChanged: true } } });
    const subscriptions = new Subscriptions(silentLogger);
    subscriptions.attach(await openScripted(transport));
    subscriptions.add('a:1').dispose();
    await settled();
    assert.deepEqual(subscribed(transport), []);
  });

  it('that the server refuses are logged and nothing more', async () => {
    const warnings: string[] = [];
    const transport = legacyServer({
      capabilities,
      scripts: {
        'resources/subscribe': () => {
          throw new ScriptedError(-32002, 'Resource not found');
        },
      },
    });
    const subscriptions = new Subscriptions({
      ...silentLogger,
      warn: (text) => warnings.push(text),
    });
    subscriptions.attach(await openScripted(transport));
    subscriptions.add('a:1');
    await settled();
    assert.deepEqual(warnings, ['resources/subscribe a:1: Resource not found']);
  });
});

describe('subscriptions from 2026-07-28 on', () => {
  const clock = useFakeClock();

  it('are one stream, beside the changes of the lists that the server announces', async () => {
    const transport = modernServer({ capabilities });
    await attach(transport, 'a:1', 'a:2');
    assert.deepEqual(streams(transport).map(filterOf), [
      {
        toolsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['a:1', 'a:2'],
      },
    ]);
    assert.deepEqual(subscribed(transport), []);
  });

  const less: readonly [what: string, honored: object, resources: boolean, said: RegExp][] = [
    ['nothing', {}, false, /no toolsListChanged, resourcesListChanged, 2 resources/],
    ['the lists', { toolsListChanged: true, resourcesListChanged: true }, false, /no 2 resources/],
    [
      'some resources',
      { toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ['a:2'] },
      false,
      /no 1 resources/,
    ],
    ['the resources', { resourceSubscriptions: ['a:1', 'a:2'] }, true, /no toolsListChanged, res/],
  ];
  for (const [what, honored, resources, said] of less)
    it(`are known to be heard in part where the server agrees to ${what}`, async () => {
      let agreed: object | undefined = honored;
      const transport = modernServer({
        capabilities,
        scripts: {
          'subscriptions/listen': ({ notifications }, { id }) => {
            const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
            const method = 'notifications/subscriptions/acknowledged';
            transport.receive({
              method,
              params: { notifications: agreed ?? notifications, _meta },
            });
            return silence;
          },
        },
      });
      const warnings: string[] = [];
      const heard: unknown[] = [];
      const subscriptions = new Subscriptions({
        ...silentLogger,
        warn: (text) => warnings.push(text),
      });
      subscriptions.onDidChangeListening((listening) => heard.push(listening));
      subscriptions.add('a:1');
      subscriptions.add('a:2');
      subscriptions.attach(await openScripted(transport));
      await settled();
      assert.deepEqual([heard, subscriptions.isHonored], [['some'], resources]);
      assert.match(warnings.join(), said);
      agreed = undefined;
      subscriptions.add('a:3');
      await settled();
      assert.deepEqual([heard, subscriptions.isHonored], [['some', 'all'], true]);
      subscriptions.dispose();
    });

  it('need no stream where nothing can change', async () => {
    const transport = modernServer({ capabilities: { tools: {} } });
    await attach(transport, 'a:1');
    assert.deepEqual(streams(transport), []);
  });

  it('replace the stream when they change, the new before the old ends', async () => {
    const transport = modernServer({ capabilities });
    const { subscriptions } = await attach(transport, 'a:1');
    subscriptions.add('a:2');
    await settled();
    const [first, second] = streams(transport);
    assert.deepEqual((filterOf(second) as Record<string, unknown>)['resourceSubscriptions'], [
      'a:1',
      'a:2',
    ]);
    const methods = transport.sent
      .filter(
        ({ method }) => method === 'subscriptions/listen' || method === 'notifications/cancelled',
      )
      .map(({ method, params }) =>
        `${method} ${(params?.['requestId'] as string | undefined) ?? ''}`.trim(),
      );
    assert.deepEqual(methods, [
      'subscriptions/listen',
      'subscriptions/listen',
      `notifications/cancelled ${String(first?.id)}`,
    ]);
  });

  it('that change together are one new stream', async () => {
    const transport = modernServer({ capabilities });
    const { subscriptions, held } = await attach(transport, 'a:1');
    for (const uri of ['a:2', 'a:3', 'a:4']) subscriptions.add(uri);
    held[0]?.dispose();
    await settled();
    assert.equal(streams(transport).length, 2);
    const { resourceSubscriptions } = filterOf(streams(transport)[1]) as Record<string, unknown>;
    assert.deepEqual(resourceSubscriptions, ['a:2', 'a:3', 'a:4']);
  });

  it('that change while a stream opens are taken up afterwards', async () => {
    const transport = modernServer({ capabilities });
    const { subscriptions } = await attach(transport);
    subscriptions.add('a:1');
    await transport.request('subscriptions/listen', 2);
    subscriptions.add('a:2');
    await settled();
    const last = filterOf(streams(transport).at(-1)) as Record<string, unknown>;
    assert.deepEqual(last['resourceSubscriptions'], ['a:1', 'a:2']);
  });

  it('come back after the stream ended, later and later while it keeps failing', async () => {
    let refuse = false;
    const transport = modernServer({
      capabilities,
      scripts: {
        'subscriptions/listen': ({ notifications }, { id }) => {
          if (refuse) throw new ScriptedError(-32603, 'too many streams');
          const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
          const method = 'notifications/subscriptions/acknowledged';
          transport.receive({ method, params: { notifications, _meta } });
          return {};
        },
      },
    });
    // The script answers the request, so the stream ends right after it is acknowledged.
    const { subscriptions } = await attach(transport, 'a:1');
    const heard: unknown[] = [];
    subscriptions.onDidChangeListening((listening) => heard.push(listening));
    refuse = true;
    const waits = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000];
    for (const [index, wait] of waits.entries()) {
      await clock.tick(wait - 1);
      assert.equal(streams(transport).length, index + 1, `before ${wait} ms`);
      await clock.tick(1);
      assert.equal(streams(transport).length, index + 2, `after ${wait} ms`);
    }
    assert.deepEqual(heard, ['none']);
    refuse = false;
    await clock.tick(60_000);
    assert.deepEqual(heard, ['none', 'all']);
    subscriptions.dispose();
  });

  it('come back one second after the server ended a stream that had worked', async () => {
    const transport = modernServer({ capabilities });
    await attach(transport, 'a:1');
    for (const round of [1, 2, 3]) {
      await clock.tick(1000);
      endStream(transport, streams(transport).at(-1));
      await clock.tick(999);
      assert.equal(streams(transport).length, round);
      await clock.tick(1);
      assert.equal(streams(transport).length, round + 1);
    }
  });

  for (const [how, lives] of [
    ['acknowledged and ended at once', 0],
    ['acknowledged and ended half a second later', 500],
    ['acknowledged and ended just before its wait would have been over', 999],
  ] as const)
    it(`come back later and later where each stream is ${how}`, async () => {
      const transport = modernServer({ capabilities });
      const { subscriptions } = await attach(transport, 'a:1');
      for (const [before, wait] of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000].entries()) {
        await clock.tick(lives);
        endStream(transport, streams(transport).at(-1));
        await clock.tick(wait - 1);
        assert.equal(streams(transport).length, before + 1, `before ${wait} ms`);
        await clock.tick(1);
        assert.equal(streams(transport).length, before + 2, `after ${wait} ms`);
      }
      // One that lives for as long as its wait begins anew.
      await clock.tick(60_000);
      endStream(transport, streams(transport).at(-1));
      await clock.tick(1000);
      assert.equal(streams(transport).length, 9);
      subscriptions.dispose();
    });

  it('do not come back after the session ended', async () => {
    const transport = modernServer({ capabilities });
    const { subscriptions } = await attach(transport, 'a:1');
    endStream(transport, streams(transport)[0]);
    await settled();
    assert.equal(subscriptions['retry'].pending, true);
    subscriptions.detach();
    assert.equal(subscriptions['retry'].pending, false);
    await clock.tick(120_000);
    assert.equal(streams(transport).length, 1);
  });

  it('go on in the next session though the stream of the one before never opened', async () => {
    const stuck = modernServer({
      capabilities,
      scripts: { 'subscriptions/listen': () => new Promise(() => {}) },
    });
    const { subscriptions } = await attach(stuck, 'a:1');
    subscriptions.detach();
    await stuck.close();
    const next = modernServer({ capabilities });
    subscriptions.attach(await openScripted(next));
    await settled();
    assert.equal(streams(next).length, 1);
  });

  it('leave no timer and no stream when they are disposed', async () => {
    const transport = modernServer({ capabilities });
    const { subscriptions } = await attach(transport, 'a:1');
    endStream(transport, streams(transport)[0]);
    await settled();
    subscriptions.dispose();
    await clock.tick(120_000);
    assert.equal(streams(transport).length, 1);
  });
});
