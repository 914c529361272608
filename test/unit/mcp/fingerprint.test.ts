import assert from 'node:assert/strict';
import { identityFingerprint, toolsIdentity } from '../../../src/mcp/fingerprint';
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
