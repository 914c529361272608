import assert from 'node:assert/strict';
import { preloadSdk } from '../../../../../src/mcp/session/handshake/negotiate';
import { settled, useFakeClock } from '../../../../support/fakes/fakeClock';
import { ScriptedError, silence, type Script } from '../../../../support/fakes/scriptedTransport';
import { legacyServer, modernRevision, modernServer, openScripted } from '../../scriptedSession';

const refuse =
  (code: number, message: string, data?: unknown): Script =>
  () => {
    throw new ScriptedError(code, message, data);
  };
const methods = ({ sent }: { readonly sent: readonly { readonly method?: string }[] }) =>
  sent.map(({ method }) => method);

describe('the era of a server', () => {
  const clock = useFakeClock();

  const refusals: readonly [what: string, initialize: Script][] = [
    ['an unknown method', refuse(-32601, 'Method not found')],
    ['missing parameters', refuse(-32602, 'Missing _meta')],
    ['a request that is not valid', refuse(-32600, 'Invalid request')],
    ['an error of its own', refuse(-32000, 'This server speaks 2026-07-28')],
    ['an internal error', refuse(-32603, 'Internal error')],
    ['a version that it does not know', refuse(-32022, 'Unsupported protocol version')],
    ['a result of its own revision', () => ({ protocolVersion: modernRevision })],
    ['a result that is none', () => ({})],
  ];
  for (const [what, initialize] of refusals)
    it(`is found on the same pipe where initialize is answered with ${what}`, async () => {
      const transport = modernServer({ scripts: { initialize } });
      const session = await openScripted(transport);
      assert.equal(session.era, 'modern');
      assert.deepEqual(methods(transport), ['initialize', 'server/discover']);
      assert.equal(transport.starts, 1);
    });

  it('is found on the same pipe where initialize is not answered at all', async () => {
    const transport = modernServer({ scripts: { initialize: () => silence } });
    const opening = openScripted(transport);
    await transport.request('initialize');
    await clock.tick(249);
    assert.deepEqual(methods(transport), ['initialize']);
    await clock.tick(1);
    assert.equal((await opening).era, 'modern');
    assert.deepEqual(methods(transport), ['initialize', 'server/discover']);
    assert.equal(transport.starts, 1);
  });

  it('is that of the answer that comes first where a server is slow to start', async () => {
    for (const discover of [refuse(-32601, 'Method not found'), () => silence, () => ({})]) {
      const transport = legacyServer({
        scripts: { initialize: () => silence, 'server/discover': discover },
      });
      const opening = openScripted(transport);
      const { id } = await transport.request('initialize');
      await clock.tick(250);
      await transport.request('server/discover');
      await settled();
      transport.receive({
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 'slow', version: '1' },
        },
      });
      assert.equal((await opening).era, 'legacy');
    }
  });

  for (const [revision, kind, asked] of [
    [modernRevision, modernServer, ['server/discover']],
    ['2025-03-26', legacyServer, ['initialize', 'notifications/initialized']],
  ] as const)
    it(`is not asked for where one revision alone is wanted: ${revision}`, async () => {
      const transport = kind();
      const session = await openScripted(transport, { revision });
      assert.deepEqual(methods(transport).slice(0, asked.length), asked);
      assert.equal(session.info.protocolVersion, revision);
    });

  for (const [revision, kind, asked] of [
    [modernRevision, legacyServer, ['server/discover']],
    ['2025-03-26', modernServer, ['initialize']],
  ] as const)
    it(`is no other where one revision alone is wanted: ${revision}`, async () => {
      const transport = kind();
      await assert.rejects(openScripted(transport, { revision }));
      assert.deepEqual(methods(transport), asked);
    });

  it('is not asked for where the server is known to be slow and legacy', async () => {
    const transport = legacyServer({ scripts: { initialize: () => silence } });
    const failed = assert.rejects(openScripted(transport, { era: 'legacy' }), {
      code: 'REQUEST_TIMEOUT',
    });
    await transport.request('initialize');
    await clock.tick(1000);
    await failed;
    assert.equal(transport.requests('server/discover').length, 0);
  });

  it('leaves the reason for the refusal as it was where the server knows no other way', async () => {
    for (const discover of [refuse(-32601, 'Method not found'), () => silence, () => ({})]) {
      const transport = legacyServer({
        scripts: { initialize: refuse(-32000, 'No licence found'), 'server/discover': discover },
      });
      const failed = assert.rejects(openScripted(transport), { message: 'No licence found' });
      await transport.request('server/discover');
      await clock.tick(250);
      await failed;
    }
  });

  const replaced: readonly [what: string, discover: Script][] = [
    ['refuses', refuse(-32601, 'Method not found')],
    ['refuses as not initialized', refuse(-32002, 'Server not initialized')],
    ['passes over', () => silence],
  ];
  for (const [what, discover] of replaced)
    it(`is found anew where a pipe that was modern ${what} the modern way`, async () => {
      const transport = legacyServer({ scripts: { 'server/discover': discover } });
      const opening = openScripted(transport, { era: 'modern' });
      await transport.request('server/discover');
      await clock.tick(500);
      assert.equal((await opening).era, 'legacy');
      assert.equal(transport.starts, 1);
    });

  it('is found anew where a URL that was legacy refuses the legacy way', async () => {
    const transport = modernServer({}, true);
    assert.equal((await openScripted(transport, { era: 'legacy' })).era, 'modern');
  });

  it('stays unknown where a URL that speaks none of our versions says so', async () => {
    const data = { supported: ['2099-01-01'], requested: modernRevision };
    const transport = modernServer(
      { scripts: { 'server/discover': refuse(-32022, 'Only 2099-01-01', data) } },
      true,
    );
    await assert.rejects(openScripted(transport), /2099-01-01/);
  });
});

describe('a handshake with nobody', () => {
  it('comes to its end, as often as it is wanted', async () => {
    await assert.doesNotReject(Promise.all([preloadSdk(), preloadSdk()]));
  });
});
