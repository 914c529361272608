import assert from 'node:assert/strict';
import { AppBridge } from '../../../src/apps/view/appBridge';
import { once } from '../../../src/base/event';
import { SecretMask } from '../../../src/base/secretMask';
import type { TrafficEntry } from '../../../src/mcp/traffic/trafficEntry';
import { agentTrafficId, TrafficRecorder } from '../../../src/mcp/traffic/trafficRecorder';
import { recordedCall } from '../../../src/traffic/sendAgain';
import { entryDocument, entryLine, recordingOfTraffic } from '../../../src/traffic/entryJson';
import { serverOfRow, trafficItem, type TrafficRow } from '../../../src/traffic/trafficRow';
import { TrafficFilter, TrafficPins, maxPins } from '../../../src/traffic/trafficView';
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

describe('the icon of a row of the traffic', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} };
  const icons: readonly [what: string, answer: object | undefined, icon: string, pinned: string][] =
    [
      ['an answer', { result: { content: [] } }, 'pass', 'pinned'],
      ['no answer yet', undefined, 'watch', 'pinned'],
      ['an error', { error: { code: 1, message: 'no' } }, 'error', 'error'],
      ['an error of the tool', { result: { content: [], isError: true } }, 'error', 'error'],
    ];
  for (const [what, answer, icon, pinned] of icons)
    it(`says how it ended, and that it is pinned where that is no error: ${what}`, () => {
      const recorder = new TrafficRecorder((text) => text);
      recorder.note('sent', call);
      if (answer) recorder.note('received', { jsonrpc: '2.0', id: 1, ...answer });
      const [traffic] = recorder.entries;
      assert.ok(traffic);
      const shown = (isPinned: boolean) =>
        (trafficItem({ traffic, server }, isPinned, String).iconPath as { readonly id: string }).id;
      assert.deepEqual([shown(false), shown(true)], [icon, pinned]);
    });
});

describe('the traffic of an app', () => {
  const capabilities = { appCapabilities: { token: 's3cret-value' } };
  const secrets = new SecretMask();
  secrets.hide(['s3cret-value']);
  const mask = (text: string) => secrets.apply(text);

  it('is in rows of its server that say so, which are masked, sent to no server and in no recording', async () => {
    const recorder = new TrafficRecorder(mask);
    const hasAnswered = once(recorder.onDidChange, () => !!recorder.entries[0]?.answer);
    const unused = () => Promise.reject(new Error('is not asked'));
    const bridge = new AppBridge({
      handlers: {
        runTool: unused,
        readResource: unused,
        openLink: unused,
        sendMessage: unused,
        updateContext: unused,
        setDisplayMode: () => {},
        log: () => {},
        requestTeardown: () => {},
      },
      send: () => {},
      traffic: recorder.besideApp(),
      hostInfo: { name: 'host', version: '1' },
      capabilities: {},
      context: () => ({}),
      now: () => 0,
    });
    bridge.receive('no message');
    bridge.receive({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: capabilities });
    await hasAnswered;
    bridge.receive({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    bridge.toolInput({ a: 1 });
    bridge.dispose();
    bridge.receive({ jsonrpc: '2.0', id: 2, method: 'ping' });
    const rows = recorder.entries.map((traffic) => ({ traffic, server }));
    assert.deepEqual(
      rows.map((one) => trafficItem(one, false, mask).contextValue),
      [
        'traffic.app.received.request',
        'traffic.app.received.notification',
        'traffic.app.sent.notification',
      ],
    );
    for (const one of rows) {
      const { description } = trafficItem(one, false, mask);
      assert.match(String(description), /^app · /);
      assert.equal(serverOfRow(one), undefined);
      assert.doesNotMatch(entryDocument(one.traffic, mask), /s3cret-value/);
      assert.match(entryLine(one.traffic, mask), /"peer":"app"/);
      assert.ok(new TrafficFilter('@app', mask).fits(one.traffic));
    }
    const { recording, left } = recordingOfTraffic(recorder.entries, server, mask);
    assert.deepEqual([recording.messages, left], [[], 0]);
  });
});

describe('the traffic of an agent', () => {
  const rowOf = (direction: 'received' | 'sent'): TrafficRow => {
    const recorder = new TrafficRecorder((text) => text);
    recorder.note(direction, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} });
    const [traffic] = recorder.entries;
    assert.ok(traffic);
    return { traffic, server: { id: agentTrafficId('x'), name: 'Codex', isAgent: true } };
  };
  const asIs = (text: string) => text;

  for (const direction of ['received', 'sent'] as const)
    it(`is in rows that cannot be sent again: what was ${direction}`, () => {
      const { contextValue } = trafficItem(rowOf(direction), false, asIs);
      assert.equal(contextValue, `traffic.agent.${direction}.request`);
      assert.equal(recordedCall(rowOf(direction), asIs), undefined);
    });

  it('is recorded as that of a client, whose server this window is', () => {
    const { traffic, server: peer } = rowOf('received');
    const { recording } = recordingOfTraffic([traffic], peer, asIs);
    assert.equal(recording.messages[0]?.from, 'client');
  });
});
