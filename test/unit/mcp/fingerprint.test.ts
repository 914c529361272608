import assert from 'node:assert/strict';
import { toolsIdentity } from '../../../src/mcp/fingerprint';
import type { Tool } from '../../../src/mcp/protocol/types';
import type { Server } from '../../../src/mcp/server';
import { define } from './testServers';

const tool = (name: string, description: string): Tool => ({
  name,
  description,
  inputSchema: { type: 'object' },
});

const serverOf = (...items: readonly Tool[]) =>
  ({ definition: define(), state: { kind: 'stopped' }, tools: { items } }) as unknown as Server;

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

  it('takes a print of each tool once, and again only of what was listed anew', async () => {
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
});
