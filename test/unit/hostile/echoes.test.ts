import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/log';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import { ResourceStore } from '../../../src/resources/documents/resourceStore';
import { LiveResources } from '../../../src/resources/live/liveResources';
import { FakeServers } from '../../support/fakes/fakeServer';
import { useFakeClock } from '../../support/fakes/fakeClock';
import {
  ScriptedError,
  type Script,
  type ScriptedTransport,
} from '../../support/fakes/scriptedTransport';
import { legacyServer, modernServer } from '../mcp/scriptedSession';
import { define, scriptedTransports, testDeps } from '../mcp/testServers';

const changing = { listChanged: true };
const capabilities = {
  tools: changing,
  prompts: changing,
  resources: { subscribe: true, listChanged: true },
};
const open = { uri: 'a:open', name: 'open' };
const complete = { resultType: 'complete' };
const answers: Readonly<Record<string, object>> = {
  'tools/list': { ...complete, tools: [] },
  'prompts/list': { ...complete, prompts: [] },
  'resources/list': { ...complete, resources: [open] },
  'resources/templates/list': { ...complete, resourceTemplates: [] },
  'resources/subscribe': {},
  'resources/unsubscribe': {},
};

/** Everything that a server can announce. */
const announcements = [
  ...['tools', 'prompts', 'resources'].map((kind) => ({
    method: `notifications/${kind}/list_changed`,
  })),
  { method: 'notifications/resources/updated', params: { uri: open.uri } },
];

type Echo = (transport: () => ScriptedTransport, answer: () => unknown) => unknown;

/** What a server does with each request, so that the next one follows from it. */
const echoes: Readonly<Record<string, Echo>> = {
  'announces every change before each answer': (transport, answer) => {
    transport().receive(...announcements);
    return answer();
  },
  'announces every change after each answer': (transport, answer) => {
    setTimeout(() => transport().receive(...announcements), 1);
    return answer();
  },
  'announces every change, and refuses each request': (transport) => {
    transport().receive(...announcements);
    throw new ScriptedError(-32603, 'no');
  },
  'announces every change, and does not know its session': (transport) => {
    transport().receive(...announcements);
    throw new ScriptedError(-32001, 'Session not found');
  },
  'answers each time with something else, and announces it': (transport, answer) => {
    transport().receive(...announcements);
    return { ...Object(answer()), _meta: { now: Date.now() } };
  },
};

/** Of each kind of request, at most so many in the minute after the first second. */
const mostPerMinute = 60;

describe('a server whose answers cause the next requests', () => {
  const clock = useFakeClock();
  for (const [era, create] of [
    ['2025', legacyServer],
    ['2026', modernServer],
  ] as const)
    for (const [what, echo] of Object.entries(echoes))
      it(`is asked at a pace of ours where it ${what} (${era})`, async () => {
        let reads = 0;
        const scripts = Object.fromEntries(
          Object.entries({
            ...answers,
            'resources/read': undefined,
          }).map(([method, answer]): [string, Script] => [
            method,
            () =>
              echo(
                () => transport,
                () =>
                  answer ?? {
                    ...complete,
                    ttlMs: 0,
                    contents: [{ uri: open.uri, text: String((reads += 1)) }],
                  },
              ),
          ]),
        );
        const transport = create({ capabilities, scripts });
        const { openTransport } = scriptedTransports(transport);
        const server = new ConfiguredServer(define(), testDeps({ openTransport }));
        const servers = new FakeServers(server);
        const store = new ResourceStore(servers);
        const live = new LiveResources(servers, store, silentLogger);
        try {
          await server.start();
          live.watch([{ serverId: server.id, uri: open.uri }]);
          for (let ms = 0; ms < 1000; ms += 10) await clock.tick(10);
          const before = transport.sent.length;
          for (let ms = 0; ms < 60_000; ms += 10) await clock.tick(10);
          const counts = new Map<string, number>();
          for (const { method = 'an answer' } of transport.sent.slice(before))
            counts.set(method, (counts.get(method) ?? 0) + 1);
          assert.deepEqual(
            [...counts].filter(([, count]) => count > mostPerMinute),
            [],
            JSON.stringify([...counts]),
          );
        } finally {
          live.dispose();
          store.dispose();
          server.dispose();
        }
      }).timeout(30_000);
});
