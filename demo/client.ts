import { createInterface } from 'node:readline';
import { messageOf, type Params } from './params';

type Handler = (params: Params) => object | Promise<object>;

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly message?: string };
}

interface Waiting {
  readonly resolve: (result: Params) => void;
  readonly reject: (error: Error) => void;
}

/** The client at the other end: one JSON-RPC message a line, in both directions. */
export class Client {
  /** What the client says that it can do. */
  capabilities: unknown;
  readonly #handlers = new Map<string, Handler>();
  readonly #waiting = new Map<string | number, Waiting>();
  #lastId = 0;

  /** Answers the requests with this method. */
  on(method: string, handler: Handler): void {
    this.#handlers.set(method, handler);
  }

  /** Tells the client something that needs no answer. */
  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  /** Asks the client, and with it the user, for something. */
  request(method: string, params: object): Promise<Params> {
    const id = (this.#lastId += 1);
    this.#send({ id, method, params });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Begins to read; the process ends when the client closes the stream. */
  listen(): void {
    const lines = createInterface({ input: process.stdin });
    lines.on('line', (line) => void this.#receive(line));
    lines.on('close', () => process.exit(0));
  }

  async #receive(line: string): Promise<void> {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      this.#send({ id: null, error: { code: -32700, message: 'This line is not JSON.' } });
      return;
    }
    const { id, method, params = {} } = message;
    if (method === undefined) this.#settle(message);
    else if (id !== undefined) this.#send({ id, ...(await this.#answer(method, params)) });
    // What remains are notifications: none of them matters to this server.
  }

  async #answer(method: string, params: Params): Promise<object> {
    const handler = this.#handlers.get(method);
    if (!handler) return { error: { code: -32601, message: `Unknown method: ${method}` } };
    try {
      return { result: await handler(params) };
    } catch (error) {
      return { error: { code: -32602, message: messageOf(error) } };
    }
  }

  #settle({ id = '', result, error }: Message): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message ?? 'The request failed.'));
    else waiting?.resolve(result ?? {});
  }

  #send(message: object): void {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
