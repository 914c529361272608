import assert from 'node:assert/strict';
import { identityFingerprint, toolIdentity, toolsIdentity } from '../../../src/mcp/serverIdentity';
import { fingerprint } from '../../../src/base/bytes';
import { deferred } from '../../../src/base/async';
import type { Tool } from '../../../src/mcp/protocol/types';
import type { Server } from '../../../src/mcp/server';
import { define } from './testServers';

const tool = (name: string, description: string): Tool => ({
  name,
  description,
  inputSchema: { type: 'object' },
});

const serverOf = (...items: readonly Tool[]) =>
  ({
    definition: define(),
    state: { kind: 'stopped' },
    tools: { items },
    launchFingerprint: () => Promise.resolve('launch'),
  }) as unknown as Server;

describe('the identity of all tools of a server', () => {
  const { subtle } = globalThis.crypto;
  const digest = subtle.digest.bind(subtle);
  let digests = 0;

  beforeEach(() => {
    digests = 0;
    subtle.digest = (...given) => {
      digests += 1;
      return digest(...given);
    };
  });

  afterEach(() => {
    subtle.digest = digest;
  });

  it('takes a fingerprint of each tool once, and again only of what was listed anew', async () => {
    const tools = Array.from({ length: 50 }, (_, i) => tool(`t${i}`, 'as before'));
    const first = await toolsIdentity(serverOf(...tools));
    const cold = digests;
    assert.deepEqual(await toolsIdentity(serverOf(...tools)), first);
    const warm = digests - cold;
    assert.equal(cold - warm, 50);

    const changed = await toolsIdentity(serverOf(...tools.slice(1), tool('t0', 'changed')));
    assert.equal(digests - cold - 2 * warm, 1);
    assert.notEqual(changed.tools['t0'], first.tools['t0']);
    assert.equal(changed.tools['t1'], first.tools['t1']);
  });

  it('looks at no tool again while neither the list nor the server changes', async () => {
    let reads = 0;
    const tools = Array.from({ length: 1000 }, (_, i) => ({
      name: `t${i}`,
      inputSchema: {},
      get description() {
        reads += 1;
        return 'as before';
      },
    }));
    const server = serverOf(...tools);
    const print = await identityFingerprint(await toolsIdentity(server));
    const [read, taken] = [reads, digests];
    for (let i = 0; i < 20; i += 1)
      assert.equal(await identityFingerprint(await toolsIdentity(server)), print);
    assert.equal(reads, read);
    assert.equal(digests, taken);
  });
});

describe('fingerprints that are begun together', () => {
  const { subtle } = globalThis.crypto;
  const digest = subtle.digest.bind(subtle);

  afterEach(() => {
    subtle.digest = digest;
  });

  for (const ending of [
    [2, 1, 0],
    [1, 0, 2],
    [2, 0, 1],
  ])
    it(`are found in that order where their digests end in the order ${ending.join(', ')}`, async () => {
      const ends = [deferred<void>(), deferred<void>(), deferred<void>()];
      let begun = 0;
      subtle.digest = async (...given) => {
        await ends[begun++]?.promise;
        return digest(...given);
      };
      const found: number[] = [];
      const all = ends.map((_, value) => fingerprint(value).then(() => found.push(value)));
      for (const index of ending) {
        ends[index]?.resolve();
        await new Promise(setImmediate);
      }
      await Promise.all(all);
      assert.deepEqual(found, [0, 1, 2]);
    });

  it('are found where the one before failed', async () => {
    subtle.digest = () => Promise.reject(new Error('no memory'));
    const failing = fingerprint(1);
    subtle.digest = digest;
    const next = fingerprint(2);
    await assert.rejects(failing, /no memory/);
    assert.equal(await next, await fingerprint(2));
  });
});

describe('the identity of a tool', () => {
  const run = tool('run', 'as before');
  const other = tool('run', 'changed');
  const launchedAs = (launch: string) =>
    ({ ...serverOf(run), launchFingerprint: () => Promise.resolve(launch) }) as Server;

  for (const [what, server, now, isSame] of [
    ['neither changes', launchedAs('launch'), run, true],
    ['the tool is another', launchedAs('launch'), other, false],
    ['the launch is another', launchedAs('other'), run, false],
  ] as const)
    it(`is ${isSame ? 'the same object' : 'another'} if ${what}`, async () => {
      const first = await toolIdentity(launchedAs('launch'), run);
      const second = await toolIdentity(server, now);
      assert.equal(second === first, isSame);
      assert.equal(
        (await identityFingerprint(second)) === (await identityFingerprint(first)),
        isSame,
      );
    });
});
