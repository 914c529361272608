import assert from 'node:assert/strict';
import { silentLogger } from '../../../../src/base/log';
import { CutTexts } from '../../../../src/chat/content/cutTexts';
import { ChatTools } from '../../../../src/chat/offer/chatTools';
import { createOffer } from '../../../../src/chat/offer/toolOffer';
import { ToolCosts } from '../../../../src/chat/offer/toolCosts';
import { ToolSelection } from '../../../../src/offer/offeredTools';
import type { Tool } from '../../../../src/mcp/protocol/types';
import type { ToolCall } from '../../../../src/contracts/toolCalls';
import { fakeServer, fakeServers, tool } from '../../../support/fakes/fakeServer';

const options = { signal: new AbortController().signal };
const origin = { kind: 'editor' } as const;

function create(count = 3, more: readonly Tool[] = []) {
  const tools = [...Array.from({ length: count }, (_, i) => tool({ name: `tool${i}` })), ...more];
  const servers = fakeServers(fakeServer({ tools }));
  const cutTexts = new CutTexts();
  const called: ToolCall[] = [];
  const values = new Map<string, unknown>();
  const selection = new ToolSelection({
    get: (key) => values.get(key),
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  });
  const chatTools = new ChatTools({
    servers,
    cutTexts,
    selection,
    log: silentLogger,
    gate: {
      run: (call) => {
        called.push(call);
        return Promise.resolve({ kind: 'cancelled' });
      },
    },
  });
  return { servers, kept: cutTexts, called, selection, chatTools };
}

describe('The tools of models', () => {
  it('pass every call of a server’s tool through the gate', async () => {
    const { chatTools, called } = create();
    await chatTools.call('demo__tool1', { a: 1 }, origin, options);
    assert.deepEqual(
      called.map(({ tool: { name }, arguments: args }) => [name, args]),
      [['tool1', { a: 1 }]],
    );
  });

  it('are not those that the user keeps from models', async () => {
    const { chatTools, called, selection, servers } = create();
    const [server] = servers.all;
    assert.ok(server);
    const all = server.tools.items.map((each) => ({ server, tool: each }));
    await selection.choose(all, all.slice(1));
    assert.deepEqual([...chatTools.offered.keys()], ['demo__tool1', 'demo__tool2']);
    const answer = await chatTools.call('demo__tool0', {}, origin, options);
    assert.ok(answer.kind === 'text' && answer.text.startsWith('There is no tool "demo__tool0"'));
    assert.deepEqual(called, []);
  });

  it('are not those that a server keeps for its apps, by whatever way they are asked for', async () => {
    const secret = tool({ name: 'secret', _meta: { ui: { visibility: ['app'] } } });
    const { chatTools, called } = create(2, [secret]);
    assert.deepEqual([...chatTools.offered.keys()], ['demo__tool0', 'demo__tool1']);
    assert.deepEqual(
      chatTools.find({ query: 'secret' }).map(({ name }) => name),
      [],
    );
    const answer = await chatTools.call('demo__secret', {}, origin, options);
    assert.equal(answer.kind, 'text');
    assert.deepEqual(called, []);
  });

  it('give a kept text in pieces, unasked, that make up the whole', async () => {
    const { chatTools, kept: cutTexts, called } = create();
    const whole = Array.from({ length: 30_000 }, (_, i) => i).join(' ');
    const { parts } = cutTexts.shorten(
      'demo',
      { parts: [{ kind: 'text', text: whole }], leftOut: [] },
      1000,
    );
    const uri = /uri (\S+),/.exec(JSON.stringify(parts))?.[1];
    assert.ok(uri);
    let read = '';
    while (read.length < whole.length) {
      const piece = await chatTools.read({ uri, offset: read.length }, origin, options);
      assert.ok(piece.kind === 'piece');
      read += piece.piece.text;
    }
    assert.equal(read, whole);
    assert.deepEqual(called, []);
  });

  const offers: readonly [what: string, count: number, limit: number, names: string[]][] = [
    ['all of few', 2, 2, ['demo__tool0', 'demo__tool1']],
    ['a search and what was found of many', 9, 2, ['findTools', 'demo__tool7']],
  ];
  for (const [what, count, limit, names] of offers)
    it(`offer a model ${what}, and write down what that costs`, () => {
      const { chatTools } = create(count);
      const lines: string[] = [];
      const log = { ...silentLogger, info: (line: string) => lines.push(line) };
      const offer = createOffer(
        { chatTools, origin, costs: new ToolCosts(), log },
        new Set(['demo__tool7']),
        limit,
      );
      assert.deepEqual(
        offer().map(({ name }) => name),
        names,
      );
      offer();
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? '', /^@mcp offers 2 tools, about \d+ tokens/);
      assert.match(lines[0] ?? '', /: demo ≈ \d+$/);
      assert.equal(/instead of 9 tools with about \d+ tokens/.test(lines[0] ?? ''), count === 9);
    });
});
