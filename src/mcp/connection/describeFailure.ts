import { errorMessage, UserError } from '../../base/errors';
import { plainLabel, truncate } from '../../base/text/text';
import { isSignInRequired } from '../auth/signInRequired';
import { hasAuthorization, type ServerConfig } from '../serverConfig';
import type { ServerState } from '../serverState';
import { readFacts, type ErrorFacts } from '../protocol/errorFacts';
import type { Wire } from '../session/wire';
import { endingSentence } from './endingSentence';

/** Turns the failure of a connection attempt into a state to show, with the next step in it. */
export function describeFailure(
  error: unknown,
  config: ServerConfig,
  wire: Pick<Wire, 'ending' | 'garbage' | 'stderrTail'> | undefined,
): Extract<ServerState, { kind: 'failed' | 'needsSignIn' }> {
  const detail = wire?.stderrTail ? { detail: wire.stderrTail } : {};
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
