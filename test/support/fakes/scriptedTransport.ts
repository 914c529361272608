import type { Transport } from '@modelcontextprotocol/client';

/** A protocol message as it is sent over the wire. */
export interface WireMessage {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** How a scripted server handles a request: returns the result, or throws a {@link ScriptedError} to answer with. */
export type Script = (
  params: Readonly<Record<string, unknown>>,
  message: WireMessage & { readonly id: number | string },
) => unknown;

/** Returned by a {@link Script} that does not answer. */
export const silence = Symbol('silence');

/** Thrown by a {@link Script} to answer with this error. */
export class ScriptedError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type Send = Parameters<Transport['send']>;

/** An in-memory transport to a server that follows a script. */
export class ScriptedTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: Transport['onmessage'];
  readonly hasPerRequestStream: boolean;
  /** Everything that the client sent, in order. */
  readonly sent: WireMessage[] = [];
  /** The options that each message was sent with. */
  readonly options: Send[1][] = [];
  /** How many times the transport was started. */
  starts = 0;
  /** If set, sending fails with this error. */
  sendError: Error | undefined;

  private readonly scripts: Readonly<Record<string, Script>>;
  private readonly waiting = new Set<() => void>();
  private closed = false;

  constructor(scripts: Readonly<Record<string, Script>> = {}, hasPerRequestStream = false) {
    this.scripts = scripts;
    this.hasPerRequestStream = hasPerRequestStream;
  }

  start(): Promise<void> {
    this.starts += 1;
    return Promise.resolve();
  }

  async send(...[message, options]: Send): Promise<void> {
    if (this.sendError) throw this.sendError;
    const copy = structuredClone(message) as WireMessage;
    this.sent.push(copy);
    this.options.push(options);
    for (const check of this.waiting) check();
    const { id, method } = copy;
    const script = method === undefined ? undefined : this.scripts[method];
    if (id === undefined || method === undefined || !script) return;
    await Promise.resolve();
    await this.follow(script, { ...copy, id });
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.closed = true;
    this.onclose?.();
    return Promise.resolve();
  }

  /** Delivers messages to the client, all in the same turn of the event loop. */
  receive(...messages: readonly object[]): void {
    for (const message of messages) this.onmessage?.({ jsonrpc: '2.0', ...message } as never);
  }

  /** Returns the messages with this method that the client sent. */
  requests(method: string): readonly WireMessage[] {
    return this.sent.filter((message) => message.method === method);
  }

  /** Resolves with the `count`-th message of this method as soon as it is sent. */
  request(method: string, count = 1): Promise<WireMessage> {
    return new Promise((resolve) => {
      const check = () => {
        const found = this.requests(method)[count - 1];
        if (!found) return;
        this.waiting.delete(check);
        resolve(found);
      };
      this.waiting.add(check);
      check();
    });
  }

  private async follow(
    script: Script,
    message: WireMessage & { readonly id: number | string },
  ): Promise<void> {
    const { id } = message;
    try {
      const result = await script(message.params ?? {}, message);
      if (result !== silence) this.receive({ id, result });
    } catch (error) {
      if (!(error instanceof ScriptedError)) throw error;
      const { code, message: text, data } = error;
      this.receive({ id, error: { code, message: text, data } });
    }
  }
}
