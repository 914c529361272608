import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { repositoryRoot } from '../../support/paths';

const script = join(repositoryRoot, 'dist', 'demoServer.js');
const notebook = 'demo://workbench/notebook.md';

async function connect(answer?: ElicitResult): Promise<Client> {
  const capabilities = answer ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: 'unit-test', version: '1.0.0' }, { capabilities });
  if (answer) client.setRequestHandler(ElicitRequestSchema, () => answer);
  const transport = new StdioClientTransport({ command: process.execPath, args: [script] });
  await client.connect(transport);
  return client;
}

describe('the demo server', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  const read = async () => {
    const { contents } = await client.readResource({ uri: notebook });
    return contents.map((one) => ('text' in one ? one.text : '')).join();
  };

  it('has three prompts, three resources and three tools, each with a title and a description', async () => {
    const { prompts } = await client.listPrompts();
    const { resources } = await client.listResources();
    const { tools } = await client.listTools();
    for (const list of [prompts, resources, tools]) {
      assert.equal(list.length, 3);
      for (const { title, description } of list) assert.ok(title && description);
    }
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      assert.equal(contents.length, 1);
    }
  });

  it('completes what is typed for an argument', async () => {
    const complete = async (value: string) => {
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'explain-term' },
        argument: { name: 'term', value },
      });
      return completion.values;
    };
    assert.deepEqual(await complete('TO'), ['tool']);
    assert.deepEqual(await complete('x'), []);
    assert.equal((await complete('')).length, 7);
  });

  for (const [name, values, said] of [
    ['explain-term', { term: 'Tool' }, /"Tool".*an action that a server offers/],
    ['explain-term', { term: 'gravity' }, /Explain "gravity"/],
    ['review-code', { code: 'let x;', focus: 'names' }, /names first\.\n\n```\nlet x;/],
    ['summarize-notebook', {}, /demo:\/\/workbench\/notebook\.md/],
  ] as const)
    it(`fills in ${name} with ${JSON.stringify(values)}`, async () => {
      const { messages } = await client.getPrompt({ name, arguments: values });
      const texts = messages.map(({ content }) =>
        content.type === 'text' ? content.text : JSON.stringify(content),
      );
      assert.match(texts.join('\n'), said);
    });

  it('refuses what it does not have, or cannot fill in', async () => {
    await assert.rejects(client.getPrompt({ name: 'explain-term' }), /Choose a term/);
    await assert.rejects(client.getPrompt({ name: 'none' }), /no prompt none/);
    await assert.rejects(client.readResource({ uri: 'demo://none' }), /no resource/);
    await assert.rejects(client.callTool({ name: 'none' }), /no tool none/);
  });

  it('rolls as many dice as it is asked for, and tells a model what is wrong with a call', async () => {
    const rolled = await client.callTool({ name: 'roll_dice', arguments: { count: 3, sides: 2 } });
    const { rolls, total } = rolled.structuredContent as { rolls: number[]; total: number };
    assert.equal(rolls.length, 3);
    assert.ok(rolls.every((roll) => roll === 1 || roll === 2));
    assert.equal(
      total,
      rolls.reduce((sum, roll) => sum + roll, 0),
    );
    const { isError, content } = await client.callTool({
      name: 'roll_dice',
      arguments: { count: 99 },
    });
    assert.equal(isError, true);
    assert.match(JSON.stringify(content), /whole number from 1 to 10/);
  });

  it('announces a note to whoever watches the notebook', async () => {
    const updated = new Promise<string>((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
        resolve(params.uri),
      );
    });
    await client.subscribeResource({ uri: notebook });
    await client.callTool({ name: 'add_note', arguments: { text: 'A new\nnote' } });
    assert.equal(await updated, notebook);
    assert.match(await read(), /^- A new note$/m);
    const { isError } = await client.callTool({ name: 'add_note', arguments: { text: ' ' } });
    assert.equal(isError, true);
  });

  it('asks nothing of a client that lets no server ask', async () => {
    const { isError, content } = await client.callTool({ name: 'plan_break' });
    assert.equal(isError, true);
    assert.match(JSON.stringify(content), /does not let servers ask/);
  });

  for (const [answer, said] of [
    [{ action: 'accept', content: { minutes: 25, activity: 'a walk' } }, /a walk in 25 minutes/],
    [{ action: 'decline' }, /no break is planned/],
  ] as const)
    it(`asks the user, and goes by the answer: ${answer.action}`, async () => {
      const asked = await connect(answer);
      const { content } = await asked.callTool({ name: 'plan_break' });
      await asked.close();
      assert.match(JSON.stringify(content), said);
    });

  it('answers a line that is no JSON, and ends with its input', async () => {
    const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    let written = '';
    child.stdout.on('data', (data: Buffer) => (written += data.toString()));
    child.stdin.end('nonsense\n');
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 0);
    assert.match(written, /-32700/);
  });
});
