import assert from 'node:assert/strict';
import { silentLogger } from '../../../../src/base/log';
import {
  maxFound,
  maxFoundText,
  maxQuery,
  maxQueryWords,
  maxSearchedText,
  OfferedTools,
  searchTools,
  toolsText,
  ToolSelection,
} from '../../../../src/offer/offeredTools';
import { fakeServer, fakeServers, tool as toolOf } from '../../../support/fakes/fakeServer';
import { createMemento } from '../../../support/fakes/memento';

const entry = (server: string, name: string, description = '', properties: object = {}) => ({
  name: `${server}__${name}`,
  server: { name: server },
  tool: { name, description, inputSchema: { properties } },
});

const tools = [
  entry('files', 'readFile', 'Reads a file from disk', { path: {} }),
  entry('files', 'write_file', 'Writes a file to disk'),
  entry('web', 'fetch', 'Gets a page of the web as text', { url: {} }),
  entry('weather', 'forecast', 'The weather of the next days', { city: {} }),
  entry('demo', '计算', '执行基本的算术运算'),
  ...Array.from({ length: 200 }, (_, i) => entry('bulk', `generated_${i}`, 'A file tool of bulk')),
];

const names = (query: string, limit = 3) =>
  searchTools(tools, query, limit).map(({ tool }) => tool.name);

describe('Searching tools', () => {
  const wanted: readonly [query: string, first: string][] = [
    ['read a file', 'readFile'],
    ['READ FILE', 'readFile'],
    ['write', 'write_file'],
    ['download web page', 'fetch'],
    ['what is the weather in Rome', 'forecast'],
    ['city', 'forecast'],
    ['generated 17', 'generated_17'],
    ['计算', '计算'],
  ];
  for (const [query, first] of wanted)
    it(`finds ${first} for “${query}”`, () => assert.equal(names(query)[0], first));

  it('gives no more than asked for, and nothing that shares no word', () => {
    assert.equal(names('file', 5).length, 5);
    assert.deepEqual(names('xylophone'), []);
  });

  it('gives tools also without words to look for', () => {
    assert.equal(names('', 7).length, 7);
  });

  describe('for a model', () => {
    const offered = (all: readonly string[]) =>
      new OfferedTools({
        servers: fakeServers(fakeServer({ id: 'a', tools: all.map((name) => toolOf({ name })) })),
        selection: new ToolSelection(createMemento()),
        log: silentLogger,
      });

    it('finds at most so many, however many are asked for', () => {
      const many = offered(Array.from({ length: maxFound + 5 }, (_, at) => `file_${at}`));
      assert.equal(many.find({ query: 'file', limit: 1e9 }).length, maxFound);
    });

    describe('is told in so much text', () => {
      const foundOf = (count: number, description: string, schema: object = {}) =>
        new OfferedTools({
          servers: fakeServers(
            fakeServer({
              id: 'a',
              tools: Array.from({ length: count }, (_, at) =>
                toolOf({
                  name: `file_${at}`,
                  description,
                  inputSchema: { type: 'object', ...schema },
                }),
              ),
            }),
          ),
          selection: new ToolSelection(createMemento()),
          log: silentLogger,
        }).find({ query: 'file', limit: maxFound });
      const long = `Works on a file.\n${'x'.repeat(5000)}`;
      const huge = { properties: { path: { description: 'y'.repeat(maxFoundText) } } };
      type Told = { readonly name: string; readonly description: string; readonly note?: string };
      for (const [what, found, whole] of [
        ['whole tools where there is room', foundOf(30, 'Works on a file.'), 30],
        ['the first whole and one line of the others where there is not', foundOf(30, long), 7],
        ['one line of a tool that is too large alone', foundOf(1, long, huge), 0],
        ['one line of all where the best is too large', foundOf(3, long, huge), 0],
        ['lines of which each sign takes six', foundOf(30, `file ${'\u0001'.repeat(3000)}`), 1],
        ['nothing', [], 0],
      ] as const)
        it(`with ${what}`, () => {
          const text = toolsText(found);
          assert.ok(text.length <= maxFoundText, String(text.length));
          const told = JSON.parse(text) as readonly Told[];
          assert.deepEqual(
            told.map(({ name }) => name),
            found.map(({ name }) => name),
          );
          const flags = told.map((one) => one.note === undefined && 'inputSchema' in one);
          assert.deepEqual(
            flags,
            found.map((_, at) => at < whole),
          );
          for (const { note, description } of told)
            if (note !== undefined)
              assert.ok(!description.includes('\n') && description.length < 200);
        });
    });

    it('takes each tool apart once, and one that has changed again', () => {
      let read = 0;
      const counted = (description: string) =>
        Object.defineProperty(toolOf({ name: 'one' }), 'description', {
          get: () => {
            read += 1;
            return description;
          },
        });
      const server = fakeServer({ id: 'a', tools: [counted('Reads a file.')] });
      const all = new OfferedTools({
        servers: fakeServers(server),
        selection: new ToolSelection(createMemento()),
        log: silentLogger,
      });
      assert.equal(all.find({ query: 'file' }).length, 1);
      const once = read;
      for (const query of ['file', 'reads']) assert.equal(all.find({ query }).length, 1);
      assert.equal(read, once);
      server.tools.set([counted('Draws a picture.')], 'loaded');
      assert.deepEqual(
        [all.find({ query: 'file' }).length, all.find({ query: 'picture' }).length],
        [0, 1],
      );
      assert.equal(read, 2 * once);
    });

    it('reads no more than so much of a query', () => {
      const found = (padding: number) =>
        offered(['file', 'other']).find({ query: `${'q '.repeat(padding)}file` }).length;
      assert.equal(found(maxQuery / 2 - 2), 1);
      assert.equal(found(maxQuery / 2), 0);
    });

    it('searches for no more than so many words, in the beginning of each text', () => {
      const before = (count: number) =>
        Array.from({ length: count }, (_, at) => `q${at}`).join(' ');
      assert.deepEqual(names(`${before(maxQueryWords - 1)} readFile`), ['readFile']);
      assert.deepEqual(names(`${before(maxQueryWords)} readFile`), []);
      const found = (padding: number) =>
        searchTools([entry('a', 'b', `${' '.repeat(padding)}xylophone`)], 'xylophone', 1).length;
      assert.deepEqual([found(0), found(maxSearchedText)], [1, 0]);
    });
  });
});
