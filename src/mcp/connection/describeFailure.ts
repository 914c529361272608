import { errorMessage, UserError } from '../../base/errors';
import { plainLabel, truncate } from '../../base/text/text';
import { isSignInRequired } from '../auth/signInRequired';
import { hasAuthorization, type ServerConfig } from '../serverConfig';
import type { ServerState } from '../serverState';
import { RpcError } from '../protocol/rpcError';
import type { Wire } from '../session/wire';
import { endingSentence } from './endingSentence';

interface ErrorFacts {
  readonly status?: number | undefined;
  readonly code?: unknown;
  readonly text?: string;
}

/** Turns the failure of a connection attempt into a state to show, with the next step in it. */
export function describeFailure(
  error: unknown,
  config: ServerConfig,
  wire: Pick<Wire, 'ending' | 'garbage' | 'lastWords'> | undefined,
): Extract<ServerState, { kind: 'failed' | 'needsSignIn' }> {
  const detail = wire?.lastWords ? { detail: wire.lastWords } : {};
  if (error instanceof UserError) return { kind: 'failed', message: error.message, ...detail };
  const garbage = wire?.garbage
    ? ` It printed something that is not the protocol: "${plainLabel(wire.garbage, 100)}".`
    : '';
  if (wire?.ending)
    return {
      kind: 'failed',
      message: `The server ${endingSentence(wire.ending, wire)}${garbage}`,
      ...detail,
    };
  const facts = readFacts(error);
  if (config.type !== 'stdio' && (facts.status === 401 || isSignInRequired(error))) {
    if (hasAuthorization(config.headers))
      return {
        kind: 'failed',
        message:
          'The server refuses the configured Authorization header. Check its value, or remove it to sign in with the browser.',
      };
    return { kind: 'needsSignIn' };
  }
  return { kind: 'failed', message: sentence(error, facts, config) + garbage, ...detail };
}

/** An address without the places where people put keys: before the host, and after the path. */
function withoutSecrets(url: string): string {
  return url.replace(/^([\w+.-]+:\/\/)[^/?#]*@/, '$1').replace(/[?#][^]*$/, '');
}

/** The HTTP status of an error that the transport threw. */
export function httpStatus(error: unknown): number | undefined {
  return readFacts(error).status;
}

function sentence(error: unknown, facts: ErrorFacts, config: ServerConfig): string {
  const where = config.type === 'stdio' ? config.command : withoutSecrets(config.url);
  switch (facts.code) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${where} (connection refused). Is the server running there?`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host of ${where} was not found. Check the address and the network.`;
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return `The connection to ${where} was closed before an answer came.`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_HAS_EXPIRED':
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate of ${where} is not trusted (${facts.code}).`;
    case 'REQUEST_TIMEOUT':
      return 'The server did not answer the first request in time. Is it an MCP server?';
  }
  if (facts.status !== undefined) {
    const body = facts.text ? `: ${plainLabel(facts.text, 200)}` : '';
    return `${where} answered with HTTP status ${facts.status}${body}. Check the address.`;
  }
  return `The connection could not be made: ${truncate(errorMessage(error), 2000)}`;
}

/** Collects what an error of the SDK or of `fetch`, or one of its causes, says beside its message. */
function readFacts(error: unknown): ErrorFacts {
  const facts: { status?: number | undefined; code?: unknown; text?: string } = {};
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    // What a server says in JSON-RPC, in whatever numbers, is no fact of the connection.
    if (one instanceof RpcError) facts.status ??= one.httpStatus;
    if (one instanceof RpcError) continue;
    const { code, data } = one as { readonly code?: unknown; readonly data?: unknown };
    const { status, text } = (data ?? {}) as { readonly status?: unknown; readonly text?: unknown };
    if (code !== undefined) facts.code = code;
    if (typeof status === 'number') facts.status ??= status;
    if (typeof text === 'string') facts.text ??= text;
    // The SDK's SSE transport carries the HTTP status as its code.
    if (typeof code === 'number' && code >= 400 && code < 600) facts.status ??= code;
    // Several addresses were tried: each has its own reason, usually the same.
    if (one instanceof AggregateError && code === undefined)
      facts.code = (one.errors[0] as { readonly code?: unknown } | undefined)?.code;
  }
  return facts;
}
