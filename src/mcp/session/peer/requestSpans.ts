import { CancelledError } from '../../../base/errors';
import { asRecord, isRecord } from '../../../base/json';
import type { SpanAttributes, SpanContext, SpanEnd, Tracing } from '../../../base/tracing';
import {
  ConnectionLostError,
  DeadlineError,
  RpcError,
  readRpcError,
} from '../../protocol/rpcError';
import type { ServerConfig } from '../../serverConfig';

/** A request that is about to be sent. */
export interface FollowedRequest {
  readonly method: string;
  readonly params: unknown;
  readonly id: string | number;
  /** The revision of the protocol, once it is known. */
  readonly version: string | undefined;
  /** What it is a part of. */
  readonly parent: SpanContext | undefined;
}

/** A request whose answer is waited for. */
export interface RequestSpan {
  /** For `_meta` of the request (SEP-414), in the form of W3C Trace Context. */
  readonly traceparent: string;
  answered(result: unknown): void;
  failed(error: unknown): void;
}

/** Follows a request; `undefined` while traces are off. */
export type FollowRequest = (request: FollowedRequest) => RequestSpan | undefined;

/**
 * Makes the function that follows the requests to a server, by the semantic conventions of OpenTelemetry for MCP.
 * `startOf` returns what is going on at a server that starts, for the requests that no one made.
 */
export function requestFollower(
  tracing: Tracing,
  server: { readonly name: string; readonly config: ServerConfig },
  startOf: () => SpanContext | undefined = () => undefined,
): FollowRequest {
  return ({ method, params, id, version, parent }) => {
    const tracer = tracing();
    if (!tracer) return undefined;
    const { content } = tracer;
    const target = targetOf(method, params);
    const { uri, arguments: args } = asRecord(params);
    const span = tracer.begin({
      name: target.name === undefined ? method : `${method} ${target.name}`,
      kind: 'client',
      parent: parent ?? startOf(),
      attributes: {
        'mcp.method.name': method,
        ...target.attributes,
        'jsonrpc.request.id': String(id),
        'mcp.protocol.version': version,
        'mcp_workbench.server.name': server.name,
        ...networkOf(server.config),
        // Both can hold what is nobody else's business.
        ...(content && typeof uri === 'string' && { 'mcp.resource.uri': content(uri) }),
        ...(content && isCall(method) && { 'gen_ai.tool.call.arguments': content(args ?? {}) }),
      },
    });
    const { traceId, spanId } = span.context;
    return {
      traceparent: `00-${traceId}-${spanId}-01`,
      answered: (result) => {
        const isToolError = isCall(method) && asRecord(result)['isError'] === true;
        const shown = content && isCall(method) && { 'gen_ai.tool.call.result': content(result) };
        span.end({
          ...(isToolError && { error: 'tool_error' }),
          ...(shown && { attributes: shown }),
        });
      },
      failed: (error) => span.end(endOf(error)),
    };
  };
}

function isCall(method: string): boolean {
  return method === 'tools/call';
}

/** The tool or the prompt that a request is about. */
function targetOf(
  method: string,
  params: unknown,
): { readonly name?: string; readonly attributes?: SpanAttributes } {
  const { name } = asRecord(params);
  if (typeof name !== 'string') return {};
  if (method === 'prompts/get') return { name, attributes: { 'gen_ai.prompt.name': name } };
  if (!isCall(method)) return {};
  return {
    name,
    attributes: { 'gen_ai.tool.name': name, 'gen_ai.operation.name': 'execute_tool' },
  };
}

function networkOf(config: ServerConfig): SpanAttributes {
  // A process has none, and a variable in the place of the host has no value here.
  const address = 'url' in config ? config.url : '';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return { 'network.transport': 'pipe' };
  return {
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  };
}

function endOf(error: unknown): SpanEnd {
  if (error instanceof RpcError) {
    const code = String(error.code);
    return { error: code, attributes: { 'rpc.response.status_code': code } };
  }
  if (error instanceof DeadlineError) return { error: 'timeout' };
  if (error instanceof CancelledError) return { error: 'cancelled' };
  if (error instanceof ConnectionLostError) return { error: 'connection_lost' };
  return { error: '_OTHER' };
}

interface SentRequest {
  readonly method: string;
  readonly id: string | number;
  readonly params?: unknown;
}

/** The requests over one connection as they are followed: those that it is told of as they end, and the SDK's own. */
export class RequestSpans {
  follow: FollowRequest | undefined;
  /** The revision of the protocol, once it is known. */
  version: string | undefined;
  /** The SDK's own, by their ids. */
  private readonly open = new Map<unknown, RequestSpan>();

  begin({ method, params, id }: SentRequest, parent?: SpanContext): RequestSpan | undefined {
    return this.follow?.({ method, params, id, parent, version: this.version });
  }

  /** Sends a request of the SDK by `send`, as it is followed until it is answered, given up or cannot be sent. */
  async send<T extends SentRequest>(
    request: T,
    signal: AbortSignal | undefined,
    send: (request: T) => Promise<void>,
  ): Promise<void> {
    // It has no answer of its own: it lasts as long as the subscriptions.
    const span = request.method === 'subscriptions/listen' ? undefined : this.begin(request);
    if (!span) return send(request);
    const { id } = request;
    this.open.set(id, span);
    signal?.addEventListener('abort', () => this.failed(id, new CancelledError()), { once: true });
    try {
      await send({ ...request, params: withTraceparent(request.params, span.traceparent) });
    } catch (error) {
      this.failed(id, error);
      throw error;
    }
  }

  answered(
    id: unknown,
    { result, error }: { readonly result?: unknown; readonly error?: unknown },
  ) {
    const span = this.open.get(id);
    if (!span || !this.open.delete(id)) return;
    if (error === undefined) span.answered(result);
    else span.failed(readRpcError(error));
  }

  /** Ends one because of an error, unless it has ended. */
  failed(id: unknown, error: unknown): void {
    const span = this.open.get(id);
    this.open.delete(id);
    span?.failed(error);
  }

  /** Ends all, because nobody waits for their answers any more. */
  failAll(error: unknown): void {
    for (const id of this.open.keys()) this.failed(id, error);
  }
}

/** Returns the parameters of a request with a field in their `_meta`, unless it is there. */
export function withTraceparent(params: unknown, traceparent: string): Record<string, unknown> {
  const fields = isRecord(params) ? params : {};
  return { ...fields, _meta: { traceparent, ...asRecord(fields['_meta']) } };
}
