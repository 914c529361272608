import assert from 'node:assert/strict';
import { silentLogger } from '../../../../src/base/log';
import {
  maxFound,
  maxQuery,
  OfferedTools,
  searchTools,
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
  });
});
