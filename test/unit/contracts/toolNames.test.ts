import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { nameTools } from '../../../src/contracts/toolNames';

const server = (id: string, name: string, ...tools: string[]) => ({
  id,
  name,
  tools: { items: tools.map((tool) => ({ name: tool, inputSchema: {} })) },
});

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '_', '-', '.', '/', ' ', 'ä', '中') }),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.constantFrom('mcp', '__', 'x'.repeat(80)),
);

describe('The names of tools for models', () => {
  it('are plain where both names are', () => {
    assert.deepEqual(
      [...nameTools([server('1', 'demo', 'add', 'read_file')]).keys()],
      ['demo__add', 'demo__read_file'],
    );
  });

  it('are safe, short and unique, and lead back to server and tool, whatever servers call them', () => {
    const servers = fc.array(fc.record({ name: text, tools: fc.uniqueArray(text) }));
    fc.assert(
      fc.property(servers, (given) => {
        const all = given.map(({ name, tools }, index) => server(String(index), name, ...tools));
        const named = nameTools(all);
        const pairs = new Set<string>();
        for (const [name, entry] of named) {
          assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
          assert.doesNotMatch(name, /^mcp_/);
          assert.equal(entry.name, name);
          pairs.add(JSON.stringify([entry.server.id, entry.tool.name]));
        }
        assert.equal(pairs.size, all.flatMap(({ tools }) => tools.items).length);
      }),
    );
  });

  it('stay as they are when other servers and tools come and go', () => {
    const fc1 = fc.array(fc.record({ name: text, tools: fc.uniqueArray(text) }));
    fc.assert(
      fc.property(fc1, fc.uniqueArray(text), (others, tools) => {
        const own = server('own', 'own server', ...tools);
        const rest = others.map(({ name, tools: theirs }, i) => server(`${i}`, name, ...theirs));
        const alone = nameTools([own]);
        const among = nameTools([own, ...rest]);
        for (const [name, { tool }] of alone) assert.equal(among.get(name)?.tool, tool);
      }),
    );
  });

  it('are told apart where two servers go by one name', () => {
    const named = nameTools([server('a', 'demo', 'add'), server('b', 'demo', 'add')]);
    assert.deepEqual(
      [...named.values()].map((entry) => entry.server.id),
      ['a', 'b'],
    );
  });

  it('do not mix up where a server’s name ends and a tool’s begins', () => {
    const names = [
      ...nameTools([server('a', 'x', 'y__z')]).keys(),
      ...nameTools([server('b', 'x__y', 'z')]).keys(),
    ];
    assert.equal(new Set(names).size, 2);
  });
});
