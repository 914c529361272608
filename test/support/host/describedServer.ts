/** Returns the source of a server in plain Node with one tool that has this description. */
export const describedServer = (description: string): string => `
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'tool', description: '${description}', inputSchema: { type: 'object' } }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const { id, method, params } = JSON.parse(text);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }));
});
`;
