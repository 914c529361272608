// The demo server that comes with MCP Workbench: three prompts, three resources and three tools that show what the
// Model Context Protocol is for. It talks over its standard input and output, reads no file and opens no connection.
import { Client } from './client';
import { Notebook, resources } from './resources';
import { prompts } from './prompts';
import { tools } from './tools';
import { found, messageOf, textOf, type Params } from './params';

/** The revisions of the protocol that this server speaks. */
const revisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const client = new Client();
const notebook = new Notebook();
const watched = new Set<string>();

notebook.onDidChange = (uri) => {
  if (watched.has(uri)) client.notify('notifications/resources/updated', { uri });
};

client.on('initialize', (params) => {
  client.capabilities = params['capabilities'];
  const asked = revisions.find((revision) => revision === params['protocolVersion']);
  return {
    protocolVersion: asked ?? revisions[0],
    capabilities: { prompts: {}, resources: { subscribe: true }, tools: {}, completions: {} },
    serverInfo: { name: 'mcp-workbench-demo', title: 'MCP Workbench Demo', version: '1.0.0' },
    instructions:
      'A demo that teaches the Model Context Protocol. Read the resource "Start Here" first, then try a prompt and a tool.',
  };
});
client.on('ping', () => ({}));

client.on('prompts/list', () => ({ prompts: prompts.map(({ definition }) => definition) }));
client.on('prompts/get', (params) => {
  const prompt = found('prompt', params, prompts);
  return { messages: prompt.messages((params['arguments'] ?? {}) as Params, notebook) };
});
client.on('completion/complete', (params) => {
  const { name } = (params['ref'] ?? {}) as Params;
  const argument = (params['argument'] ?? {}) as Params;
  const prompt = prompts.find(({ definition }) => definition.name === name);
  const typed = textOf(argument, 'value').toLowerCase();
  const known = prompt?.completions[textOf(argument, 'name')] ?? [];
  const values = known.filter((value) => value.toLowerCase().startsWith(typed));
  return { completion: { values, total: values.length, hasMore: false } };
});

client.on('resources/list', () => ({ resources: resources.map(({ definition }) => definition) }));
client.on('resources/templates/list', () => ({ resourceTemplates: [] }));
client.on('resources/read', (params) => {
  const uri = textOf(params, 'uri');
  const resource = resources.find(({ definition }) => definition.uri === uri);
  if (!resource) throw new Error(`There is no resource ${uri}.`);
  return { contents: [{ uri, mimeType: 'text/markdown', text: resource.text(notebook) }] };
});
client.on('resources/subscribe', (params) => {
  watched.add(textOf(params, 'uri'));
  return {};
});
client.on('resources/unsubscribe', (params) => {
  watched.delete(textOf(params, 'uri'));
  return {};
});

client.on('tools/list', () => ({ tools: tools.map(({ definition }) => definition) }));
client.on('tools/call', async (params) => {
  const tool = found('tool', params, tools);
  try {
    return await tool.call((params['arguments'] ?? {}) as Params, { notebook, client });
  } catch (error) {
    // What is wrong with a call is for the model to read, so that it can correct it.
    return { content: [{ type: 'text', text: messageOf(error) }], isError: true };
  }
});

client.listen();
