import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asRecord, type JsonRecord } from '../../../src/base/json';
import { parseObject } from '../../../src/mcp/protocol/parseObject';

/** The tool that the model wants, by how its name ends, and with which arguments. */
export interface Wanted {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

type Send = (type: string, data: JsonRecord) => void;

const listOf = (value: unknown): readonly JsonRecord[] =>
  Array.isArray(value) ? value.map(asRecord) : [];

/** What is wanted after so many results. */
function nextOf(wanted: Wanted | readonly Wanted[] = [], results: number): Wanted {
  return [wanted].flat()[results] ?? { tool: '', input: {} };
}

/**
 * Stands in for the services of the models of Claude Code and Copilot (the Messages API), Codex (the Responses API) and
 * Gemini on this machine: the model calls the tools that are wanted, one after the other, and then repeats what came back
 * last.
 */
export class ModelStandIn implements AsyncDisposable {
  /** What each program's model wants; nothing if it is not named. */
  wanted: {
    messages?: Wanted | readonly Wanted[];
    responses?: Wanted | readonly Wanted[];
    contents?: Wanted | readonly Wanted[];
  } = {};
  /** The names of the tools that each program's model was last offered. */
  readonly offered: Record<'messages' | 'responses' | 'contents', readonly string[]> = {
    messages: [],
    responses: [],
    contents: [],
  };
  /** The model says nothing before this resolves. */
  until: Promise<unknown> = Promise.resolve();
  private readonly server = createServer((request, response) => {
    void this.answer(request, response);
  });
  private made = 0;

  /** Begins to listen and returns the base address. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = asRecord(parseObject(Buffer.concat(chunks).toString()));
    const path = request.url ?? '';
    const isStream = /(\/messages|\/responses|:streamGenerateContent)(\?|$)/.test(path);
    response.writeHead(200, {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
    });
    if (!isStream) return void response.end('{"data":[],"models":[],"input_tokens":1}');
    await this.until;
    const send: Send = (type, data) =>
      void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    if (path.includes('/messages')) this.sayMessage(asked, send);
    else if (path.includes('/responses')) this.sayResponse(asked, send);
    else response.write(`data: ${JSON.stringify(this.contentFor(asked))}\r\n\r\n`);
    response.end();
  }

  private sayMessage(asked: JsonRecord, send: Send): void {
    const names = listOf(asked['tools']).map(({ name }) => String(name));
    // Other requests, such as that for a title, offer none.
    if (names.length > 0) this.offered.messages = names;
    const said = listOf(asked['messages']).flatMap(({ content }) => listOf(content));
    const results = said.filter(({ type }) => type === 'tool_result');
    const result = results.at(-1);
    const { tool, input } = nextOf(this.wanted.messages, results.length);
    const name = tool === '' ? undefined : names.find((one) => one.endsWith(tool));
    const calls = name !== undefined;
    const text = result ? `The tool said: ${JSON.stringify(result['content'])}` : 'Nothing to do.';
    this.made += 1;
    const usage = { input_tokens: 1, output_tokens: 1 };
    const id = `msg_${this.made}`;
    const message = { id, type: 'message', role: 'assistant', model: asked['model'], content: [] };
    send('message_start', {
      message: { ...message, stop_reason: null, stop_sequence: null, usage },
    });
    const block = calls
      ? { type: 'tool_use', id: `toolu_${this.made}`, name, input: {} }
      : { type: 'text', text: '' };
    const delta = calls
      ? { type: 'input_json_delta', partial_json: JSON.stringify(input) }
      : { type: 'text_delta', text };
    send('content_block_start', { index: 0, content_block: block });
    send('content_block_delta', { index: 0, delta });
    send('content_block_stop', { index: 0 });
    const reason = calls ? 'tool_use' : 'end_turn';
    send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage });
    send('message_stop', {});
  }

  private contentFor(asked: JsonRecord): JsonRecord {
    const declared = listOf(asked['tools']).flatMap((one) => listOf(one['functionDeclarations']));
    const names = declared.map(({ name }) => String(name));
    this.offered.contents = names;
    const parts = listOf(asked['contents']).flatMap((one) => listOf(one['parts']));
    const results = parts.flatMap((part) => part['functionResponse'] ?? []);
    const { tool, input } = nextOf(this.wanted.contents, results.length);
    const name = tool === '' ? undefined : names.find((one) => one.endsWith(tool));
    const result = results.at(-1);
    const text = result
      ? `The tool said: ${JSON.stringify(asRecord(result)['response'])}`
      : 'Nothing to do.';
    const said = name === undefined ? { text } : { functionCall: { name, args: input } };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const content = { role: 'model', parts: [said] };
    return { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata };
  }

  private sayResponse(asked: JsonRecord, send: Send): void {
    // Tools of servers come in a namespace for each.
    const tools = listOf(asked['tools']).flatMap(({ type, name, tools: inside }) =>
      type === 'namespace'
        ? listOf(inside).map((one) => ({ name: String(one['name']), namespace: name }))
        : [{ name: String(name) }],
    );
    this.offered.responses = tools.map(({ name }) => name);
    const outputs = listOf(asked['input']).filter(({ type }) => type === 'function_call_output');
    const { tool, input } = nextOf(this.wanted.responses, outputs.length);
    const found = tool === '' ? undefined : tools.find(({ name }) => name.endsWith(tool));
    const said = outputs.at(-1);
    this.made += 1;
    const calls = found !== undefined;
    const text = said ? `The tool said: ${JSON.stringify(said['output'])}` : 'Nothing to do.';
    const item = calls
      ? {
          type: 'function_call',
          id: `fc_${this.made}`,
          call_id: `call_${this.made}`,
          ...found,
          arguments: JSON.stringify(input),
        }
      : {
          type: 'message',
          id: `msg_${this.made}`,
          role: 'assistant',
          content: [{ type: 'output_text', text }],
        };
    const id = `resp_${this.made}`;
    const usage = {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
      total_tokens: 2,
    };
    send('response.created', { response: { id } });
    send('response.output_item.done', { output_index: 0, item });
    send('response.completed', { response: { id, usage } });
  }
}
