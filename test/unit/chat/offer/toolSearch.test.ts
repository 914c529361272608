import assert from 'node:assert/strict';
import { searchTools } from '../../../../src/chat/offer/chatTools';

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
});
