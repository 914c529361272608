import assert from 'node:assert/strict';
import { asRecord } from '../../../../src/base/json';
import { callTool } from '../../../../src/mcp/session/session';
import type { Tool } from '../../../../src/mcp/protocol/types';
import { ScriptedError } from '../../../support/fakes/scriptedTransport';
import { modernServer, openScripted } from '../scriptedSession';

const schema = (mark?: string, more: object = {}) => ({
  type: 'object',
  properties: { to: { type: 'string', ...(mark && { 'x-mcp-header': mark }), ...more } },
});
const tool = (inputSchema: object, more: Partial<Tool> = {}): Tool => ({
  name: 'send',
  inputSchema: inputSchema as Tool['inputSchema'],
  ...more,
});

/**
 * Calls `send` with the definition `before` on a server that now lists it as `after` and requires the header
 * `wanted`.
 */
async function call(before: Tool, after: Tool | undefined, wanted: string) {
  const transport = modernServer(
    {
      capabilities: { tools: {} },
      scripts: {
        'tools/call': () => {
          const { headers } = transport.options.at(-1) as { headers?: Record<string, string> };
          if (headers?.[`Mcp-Param-${wanted}`] !== 'Ada')
            throw new ScriptedError(-32020, 'Header mismatch');
          return { resultType: 'complete', content: [] };
        },
      },
    },
    true,
  );
  const session = await openScripted(transport);
  let refreshes = 0;
  const tools = {
    items: [before] as readonly Tool[],
    refresh: () => {
      refreshes += 1;
      tools.items = after ? [after] : [];
      return Promise.resolve();
    },
  };
  const wantedCall = { name: 'send', args: { to: 'Ada' }, tool: before };
  const outcome = await callTool(session, tools, wantedCall).then(
    () => 'called',
    (error: Error) => error.message,
  );
  return { outcome, refreshes, sent: transport.requests('tools/call').length };
}

describe('a call whose headers the server refuses', () => {
  const changed = 'Header mismatch. The tool has changed: call it again.';
  const rows: readonly [what: string, after: Tool | undefined, outcome: string, sent: number][] = [
    ['is repeated where only the mark changed', tool(schema('Who')), 'called', 2],
    [
      'is not where the description changed too',
      tool(schema('Who'), { description: 'All' }),
      changed,
      1,
    ],
    ['is not where the schema changed too', tool(schema('Who', { maxLength: 3 })), changed, 1],
    ['is not where its claims changed too', tool(schema('Who'), { annotations: {} }), changed, 1],
    [
      'is not where a value has the word of the mark',
      tool(schema('Who', { default: { 'x-mcp-header': 'a' } })),
      changed,
      1,
    ],
    ['is not where the tool is gone', undefined, changed, 1],
    ['is not where nothing changed', tool(schema('To')), 'Header mismatch', 1],
    ['is once only', tool(schema('Other')), 'Header mismatch', 2],
  ];
  for (const [what, after, outcome, sent] of rows)
    it(what, async () => {
      const result = await call(tool(schema('To')), after, 'Who');
      assert.deepEqual(result, { outcome, refreshes: 1, sent });
    });

  it('is not asked about where they fit', async () => {
    const result = await call(tool(schema('Who')), undefined, 'Who');
    assert.deepEqual(result, { outcome: 'called', refreshes: 0, sent: 1 });
  });
});

describe('a call with `_meta` of the user’s own', () => {
  it('has it beside what the protocol puts there', async () => {
    const transport = modernServer(
      {
        capabilities: { tools: {} },
        scripts: { 'tools/call': () => ({ resultType: 'complete', content: [] }) },
      },
      true,
    );
    const session = await openScripted(transport);
    const tools = { items: [], refresh: () => Promise.resolve() };
    const wanted = { name: 'send', args: {}, tool: undefined };
    await callTool(session, tools, wanted, { meta: { 'example.org/trace': 't1' } });
    const [sent] = transport.requests('tools/call');
    const meta = asRecord(sent?.params?.['_meta']);
    assert.equal(meta['example.org/trace'], 't1');
    assert.equal(meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
  });
});
