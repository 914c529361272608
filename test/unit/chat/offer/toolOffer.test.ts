import assert from 'node:assert/strict';
import { silentLogger, type Logger } from '../../../../src/base/log';
import { foundToolsForModel, toolResultForModel } from '../../../../src/chat/participant/toolLoop';
import { CutTexts } from '../../../../src/chat/content/cutTexts';
import { ChatTools } from '../../../../src/chat/offer/chatTools';
import { createOffer } from '../../../../src/chat/offer/toolOffer';
import { ToolCosts } from '../../../../src/chat/offer/toolCosts';
import { ToolSelection } from '../../../../src/offer/offeredTools';
import type { CallToolResult, Tool } from '../../../../src/mcp/protocol/types';
import type { CallOrigin, ToolCall } from '../../../../src/contracts/toolCalls';
import { fakeServer, fakeServers, tool, type FakeServer } from '../../../support/fakes/fakeServer';

const origin: CallOrigin = { kind: 'chat', conversation: 'talk', answer: 'first' };
const options = { signal: new AbortController().signal };
const hidden = 'a\u{E0041}b';

/** Creates the tools that a model gets for `all`; a call returns what the server's `call` returns. */
function createTools(...all: FakeServer[]) {
  const calls: ToolCall[] = [];
  const warnings: string[] = [];
  const cutTexts = new CutTexts();
  const log: Logger = { ...silentLogger, warn: (message: string) => warnings.push(message) };
  const tools = new ChatTools({
    servers: fakeServers(...all),
    gate: {
      run: async (call) => {
        calls.push(call);
        const result = await call.server.callTool(call.tool.name, call.arguments);
        return { kind: 'result', result, arguments: call.arguments, edited: false, problems: [] };
      },
    },
    cutTexts,
    selection: new ToolSelection({ get: () => undefined, update: () => Promise.resolve() }),
    log,
  });
  const found = new Set<string>();
  const offer = createOffer({ chatTools: tools, origin, costs: new ToolCosts(), log }, found, 64);
  const offered = () => offer().map(({ name }) => name);
  return { tools, kept: cutTexts, calls, warnings, found, offer, offered };
}

const answering = (part: Partial<CallToolResult>) => () =>
  Promise.resolve({ content: [], isError: false, ...part });

function nestedTool(depth: number): Tool {
  let inputSchema = {};
  for (let i = 0; i < depth; i += 1) inputSchema = { not: inputSchema };
  return tool({ name: 'deep', inputSchema });
}

const textOf = (parts: readonly { readonly kind: string }[]) =>
  parts.map((part) => ('text' in part ? String(part.text) : '')).join('\n');

describe('The tools that a model is offered', () => {
  it('leave out what is too deep or too long, say so once, and keep all others', () => {
    const bad = fakeServer({
      id: 'bad',
      name: 'bad',
      tools: [nestedTool(50_000), tool({ name: 'long', description: 'x'.repeat(200_000) }), tool()],
    });
    const { tools, offered, warnings } = createTools(bad, fakeServer());
    assert.deepEqual(offered(), ['bad__tool', 'demo__tool']);
    assert.deepEqual(offered(), ['bad__tool', 'demo__tool']);
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? '', /^bad › deep is not offered to models: /);
    assert.equal(tools.find({ query: 'deep' }).length, 0);
  });

  it('are told with the hidden characters of their words made visible, and found so', () => {
    const server = fakeServer({ tools: [tool({ name: 'odd', description: hidden })] });
    const { tools, kept: cutTexts, offer } = createTools(server);
    assert.equal(offer()[0]?.description, 'a⟨U+E0041⟩b');
    assert.match(
      textOf(foundToolsForModel(tools.find({ query: 'odd' }), cutTexts, 1000)),
      /a⟨U\+E0041⟩b/,
    );
  });

  it('are searched instead where their definitions take too much room together', () => {
    const large = Array.from({ length: 60 }, (_, i) =>
      tool({ name: `large_${i}`, description: 'x'.repeat(90_000) }),
    );
    const {
      tools,
      kept: cutTexts,
      found,
      offered,
    } = createTools(fakeServer({ tools: large }), fakeServer({ id: 'good', name: 'good' }));
    assert.deepEqual(offered(), ['findTools']);
    for (const { name } of tools.find({ query: 'large', limit: 30 })) found.add(name);
    found.add('good__tool');
    // The search, four large tools, and the one that was found last.
    assert.equal(offered().length, 6);
    assert.equal(offered().at(-1), 'good__tool');
    const told = foundToolsForModel(tools.find({ query: 'large', limit: 30 }), cutTexts, 20_000);
    assert.ok(textOf(told).length < 20_200);
  });

  it('have one to read with where a server has the capability or gave a link, listed or not', async () => {
    const call = answering({ content: [{ type: 'resource_link', uri: 'x:y', name: 'y' }] });
    const { tools, offered } = createTools(fakeServer({ call }));
    assert.deepEqual(offered(), ['demo__tool']);
    await tools.call('demo__tool', {}, origin, options);
    assert.deepEqual(offered(), ['readResource', 'demo__tool']);
    const { offered: offeredOf } = createTools(fakeServer({ resources: [] }));
    assert.deepEqual(offeredOf(), ['readResource', 'demo__tool']);
  });
});

describe('A model that reads', () => {
  it('a link reaches the server that gave it, not the one that lists resources', async () => {
    const lists = fakeServer({ id: 'a', name: 'a', resources: [{ uri: 'x:other', name: 'x' }] });
    const gives = fakeServer({
      id: 'b',
      name: 'b',
      call: answering({ content: [{ type: 'resource_link', uri: 'x:y', name: 'y' }] }),
    });
    const { tools, calls } = createTools(lists, gives);
    assert.equal((await tools.read({ uri: 'x:y' }, origin, options)).kind, 'text');
    await tools.call('b__tool', {}, origin, options);
    await tools.read({ uri: 'x:y' }, origin, options);
    assert.deepEqual(
      calls.map(({ server, arguments: args }) => [server.id, args]),
      [
        ['b', {}],
        ['b', { uri: 'x:y' }],
      ],
    );
  });

  it('on in a long result gets the pieces as data, never as our words', async () => {
    const call = answering({ content: [{ type: 'text', text: 'x'.repeat(9000) }] });
    const { tools, kept: cutTexts, calls } = createTools(fakeServer({ call }));
    const short = toolResultForModel(
      await tools.call('demo__tool', {}, origin, options),
      cutTexts,
      2000,
    );
    assert.ok(short.isCut);
    const uri = /uri (\S+),/.exec(textOf(short.parts))?.[1] ?? '';
    const piece = toolResultForModel(
      await tools.read({ uri, offset: 8990 }, origin, options),
      cutTexts,
      2000,
    );
    assert.match(
      textOf(piece.parts),
      /^Characters 8990 to 9000 of 9000:\n«untrusted data \w+ from demo › tool»\nx{10}\n«end/,
    );
    const gone = await tools.read({ uri: `${uri}0` }, origin, options);
    assert.match(gone.kind === 'text' ? gone.text : '', /no longer kept/);
    assert.equal(calls.length, 1);
  });

  it('structured content that is nested without end is told so', async () => {
    let structuredContent: unknown = 1;
    for (let i = 0; i < 50_000; i += 1) structuredContent = [structuredContent];
    const call = answering({ structuredContent });
    const { tools, kept: cutTexts } = createTools(fakeServer({ call }));
    const { parts } = toolResultForModel(
      await tools.call('demo__tool', {}, origin, options),
      cutTexts,
      2000,
    );
    assert.match(textOf(parts), /nested too deep/);
  });
});
