import assert from 'node:assert/strict';
import { listSpecs, maxOffers } from '../../../../src/mcp/lists/listSpecs';
import { loadList, maxCursorLength, maxListLength } from '../../../../src/mcp/lists/loadList';
import { RpcError } from '../../../../src/mcp/protocol/rpcError';

type Result = Readonly<Record<string, unknown>>;

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

/** Loads the list of tools from a server that returns its pages by cursor. */
async function load(page: (cursor: string | undefined, index: number) => Result) {
  const cursors: unknown[] = [];
  const loaded = await loadList(listSpecs.tools, async (method, params) => {
    assert.equal(method, 'tools/list');
    cursors.push(params['cursor']);
    return page(params['cursor'] as string | undefined, cursors.length - 1);
  });
  return { ...loaded, cursors, names: loaded.items.map(({ name }) => name) };
}

describe('a list', () => {
  it('has the entries of all pages, in order, each page asked for once', async () => {
    const { names, cursors, problems } = await load((_cursor, index) => ({
      tools: [tool(`a${index}`), tool(`b${index}`)],
      ...(index < 199 && { nextCursor: `page ${index + 1}` }),
    }));
    assert.equal(names.length, 400);
    assert.deepEqual(names.slice(0, 3), ['a0', 'b0', 'a1']);
    assert.deepEqual(names.at(-1), 'b199');
    assert.equal(cursors.length, 200);
    assert.deepEqual(cursors.slice(0, 2), [undefined, 'page 1']);
    assert.deepEqual(problems, []);
  });

  it('may have empty pages before its last', async () => {
    const { names } = await load((_cursor, index) =>
      index < 3 ? { tools: [], nextCursor: `${index}` } : { tools: [tool('last')] },
    );
    assert.deepEqual(names, ['last']);
  });

  it('passes the cursor on exactly as it came', async () => {
    const odd = 'eyJ9==\u2028 "quoted"\n';
    const { cursors } = await load((_cursor, index) =>
      index === 0 ? { tools: [], nextCursor: odd } : { tools: [] },
    );
    assert.deepEqual(cursors, [undefined, odd]);
  });

  for (const [name, next] of [
    ['absent', undefined],
    ['null', null],
    ['empty', ''],
  ] as const) {
    it(`ends where the next cursor is ${name}`, async () => {
      const { cursors, problems } = await load(() => ({ tools: [tool('a')], nextCursor: next }));
      assert.equal(cursors.length, 1);
      assert.deepEqual(problems, []);
    });
  }

  it('says that it was cut at a cursor that is no text', async () => {
    const { names, problems } = await load(() => ({ tools: [tool('a')], nextCursor: 2 }));
    assert.deepEqual(names, ['a']);
    assert.match(problems.join(), /cut.*cursor/);
  });

  for (const period of [1, 2, 7]) {
    it(`is cut, and says so, when the cursors repeat after ${period}`, async () => {
      const { names, problems } = await load((_cursor, index) => ({
        tools: [tool(`t${index}`)],
        nextCursor: `c${index % period}`,
      }));
      assert.equal(names.length, period + 1);
      assert.match(problems.join(), /cut.*repeats itself/);
    });
  }

  it('is cut, and says so, after 5,000 pages', async () => {
    const { names, problems } = await load((_cursor, index) => ({
      tools: [tool(`t${index}`)],
      nextCursor: `${index}`,
    }));
    assert.equal(names.length, 5000);
    assert.match(problems.join(), /cut after 5000 pages with 5000 entries/);
  });

  it('is cut, and says so, after as many entries as are kept', async () => {
    const { cursors, names, problems } = await load((_cursor, index) => ({
      tools: Array.from({ length: maxOffers / 2 }, (_, at) => tool(`${index}-${at}`)),
      nextCursor: `${index}`,
    }));
    assert.equal(cursors.length, 2);
    assert.equal(names.length, maxOffers);
    assert.match(problems.join(), /cut after 2 pages with 50000 entries/);
  });

  it('is cut, and says so, after as many entries that are left out', async () => {
    const page = Array.from({ length: maxOffers / 2 }, () => tool('same'));
    const { cursors, names, problems } = await load((_cursor, index) => ({
      tools: page,
      nextCursor: `${index}`,
    }));
    assert.equal(cursors.length, 2);
    assert.deepEqual(names, ['same']);
    assert.match(problems[0] ?? '', /cut after 2 pages with 50000 entries/);
    assert.equal(problems.at(-1), 'And 49979 more');
  });

  it('keeps the first of two entries that a call could not tell apart, and reports the other', async () => {
    const { items, problems } = await load((_cursor, index) => ({
      tools: [{ ...tool('pay'), description: `${index}` }, tool(`other ${index}`)],
      ...(index === 0 && { nextCursor: 'more' }),
    }));
    assert.deepEqual(
      items.map(({ name, description }) => [name, description]),
      [
        ['pay', '0'],
        ['other 0', undefined],
        ['other 1', undefined],
      ],
    );
    assert.deepEqual(problems, ['The second "pay" of tools/list was left out.']);
  });

  it('keeps resources of one name, which are asked for by their URI', async () => {
    const resources = ['a:1', 'a:2'].map((uri) => ({ uri, name: 'same' }));
    const { items } = await loadList(listSpecs.resources, () => Promise.resolve({ resources }));
    assert.equal(items.length, 2);
  });

  it('is cut, and says so, where its entries are too large together', async () => {
    const { names, problems } = await load(() => ({
      tools: Array.from({ length: 5 }, (_, i) => ({
        ...tool(`large ${i}`),
        description: 'x'.repeat(maxListLength / 4),
      })),
    }));
    assert.equal(names.length, 4);
    assert.match(problems.join(), /cut after 1 pages with 4 entries/);
  });

  it('sends no cursor back that is longer than a cursor is', async () => {
    const { cursors, problems } = await load(() => ({
      tools: [],
      nextCursor: 'x'.repeat(maxCursorLength + 1),
    }));
    assert.equal(cursors.length, 1);
    assert.match(problems.join(), /its next cursor has 100001 characters/);
  });

  it('keeps the good entries beside malformed ones, and reports each of those', async () => {
    const { names, problems } = await load(() => ({
      tools: [tool('good'), null, 7, [], { name: 5 }, { name: 'half' }, tool('also good')],
    }));
    assert.deepEqual(names, ['good', 'also good']);
    assert.equal(problems.length, 5);
    assert.match(problems.join('\n'), /"half" was left out: its "inputSchema"/);
  });

  it('counts the problems that are too many to tell', async () => {
    const { problems } = await load(() => ({ tools: Array.from({ length: 1020 }, () => null) }));
    assert.equal(problems.length, 21);
    assert.equal(problems.at(-1), 'And 1000 more');
  });

  it('is empty, without a problem, where the server does not know the method', async () => {
    const { names, problems } = await load(() => {
      throw new RpcError(-32601, 'Method not found');
    });
    assert.deepEqual([names, problems], [[], []]);
  });

  for (const answer of [{}, { tools: null }, { tools: 'x' }, { tools: { 0: tool('a') } }]) {
    it(`is reported where the answer is ${JSON.stringify(answer)}`, async () => {
      const { names, problems } = await load(() => answer);
      assert.deepEqual(names, []);
      assert.match(problems.join(), /no list "tools"/);
    });
  }

  it('fails with what the request fails with', async () => {
    const boom = new RpcError(-32603, 'The database is away');
    const failing = load((_cursor, index) => {
      if (index === 2) throw boom;
      return { tools: [tool('a')], nextCursor: `${index}` };
    });
    await assert.rejects(failing, boom);
  });

  it('may be kept as long as the shortest of its pages says', async () => {
    const times = [5000, 1000, undefined, 9000];
    const { ttlMs } = await load((_cursor, index) => ({
      tools: [],
      ttlMs: times[index],
      ...(index < 3 && { nextCursor: `${index}` }),
    }));
    assert.equal(ttlMs, 1000);
  });

  for (const ttl of [undefined, null, 'soon', {}]) {
    it(`may be kept for ever where the time is ${JSON.stringify(ttl)}`, async () => {
      const { ttlMs } = await load(() => ({ tools: [], ttlMs: ttl }));
      assert.equal(ttlMs, undefined);
    });
  }
});
