import { causesOf, errorMessage, UserError } from '../../base/errors';
import { plainLabel, truncate } from '../../base/text/text';
import { inEnglish, type Translate } from '../../base/translate';
import { isSignInRequired } from '../auth/signInRequired';
import { kindOf } from '../launch/launchKinds';
import type { ServerConfig } from '../serverConfig';
import type { FailedState, ServerState } from '../serverState';
import { readFacts, type ErrorFacts } from '../protocol/errorFacts';
import type { ServerTransport } from '../transport/serverTransport';
import { endingSentence, endingShort, tellingLine } from './endingSentence';

/** Turns the failure of a connection attempt into a state to show, including the next step. */
export function describeFailure(
  error: unknown,
  config: ServerConfig,
  transport: Pick<ServerTransport, 'ending' | 'unexpectedOutput' | 'stderrTail'> | undefined,
  t: Translate = inEnglish,
): FailedState | Extract<ServerState, { kind: 'needsSignIn' }> {
  const detail = transport?.stderrTail ? { detail: transport.stderrTail } : {};
  if (error instanceof UserError)
    return { kind: 'failed', message: errorMessage(error, t), ...detail };
  const unexpectedOutput = transport?.unexpectedOutput
    ? ` ${t('It printed “{0}”, which is not an MCP message.', plainLabel(transport.unexpectedOutput, 100))}`
    : '';
  if (transport?.ending) return describeEnding(transport.ending, transport, t, unexpectedOutput);
  const facts = readFacts(error);
  const signIn = kindOf(config).signIn(config);
  if (signIn !== 'none' && (facts.status === 401 || isSignInRequired(error))) {
    if (signIn === 'header')
      return {
        kind: 'failed',
        message: t(
          'The server refuses the configured Authorization header. Check its value, or remove it to sign in with the browser.',
        ),
      };
    return { kind: 'needsSignIn' };
  }
  const short = facts.code === 'REQUEST_TIMEOUT' && { short: silenceShort(transport, t) };
  return {
    kind: 'failed',
    message:
      sentence(error, facts, { config, stderrTail: transport?.stderrTail }, t) + unexpectedOutput,
    ...short,
    ...detail,
  };
}

/** Puts what a server wrote before the fact that it never answered, as the end of a row may be cut off. */
function silenceShort(
  transport: Partial<Pick<ServerTransport, 'unexpectedOutput' | 'stderrTail'>> = {},
  t: Translate,
): string {
  const { unexpectedOutput, stderrTail = '' } = transport;
  const said =
    unexpectedOutput === undefined
      ? plainLabel(tellingLine(stderrTail) ?? '', maxLineLength)
      : t('printed “{0}”, which is not an MCP message', plainLabel(unexpectedOutput, 100));
  return [said, t('no answer to the first request in time')].filter(Boolean).join(' · ');
}

/** Returns the state of a server that ended on its own; `more` is a sentence to append. */
export function describeEnding(
  ending: string,
  { stderrTail = '' }: Pick<ServerTransport, 'stderrTail'>,
  t: Translate = inEnglish,
  more = '',
): FailedState {
  const message = t('The server {0}', endingSentence(ending, { stderrTail })) + more;
  if (stderrTail === '') return { kind: 'failed', message };
  return { kind: 'failed', message, short: endingShort(ending, stderrTail), detail: stderrTail };
}

/** The most that is quoted of what a server wrote instead of answering, or of why nothing was sent. */
const maxLineLength = 200;

function sentence(
  error: unknown,
  facts: ErrorFacts,
  {
    config,
    stderrTail = '',
  }: { readonly config: ServerConfig; readonly stderrTail: string | undefined },
  t: Translate,
): string {
  const kind = kindOf(config);
  const where = kind.target(config);
  switch (facts.code) {
    case 'ECONNREFUSED':
      return t('Nothing listens at {0} (connection refused). Is the server running there?', where);
    case 'ENOENT':
      if (kind.isProcess) break;
      return t('There is no socket at {0}. Is the server running there?', where);
    case 'EACCES':
    case 'EPERM':
      if (kind.isProcess) break;
      return t('The socket at {0} is not open to you. Check who may use it.', where);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return t('The host of {0} was not found. Check the address and the network.', where);
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return t('The connection to {0} was closed before an answer came.', where);
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_HAS_EXPIRED':
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return t('The certificate of {0} is not trusted ({1}).', where, facts.code);
    case 'REQUEST_TIMEOUT': {
      const line = tellingLine(stderrTail);
      return line === undefined
        ? t(
            'The server did not answer the first request in time. Is it an MCP server? "timeouts.start" in its configuration sets how long to wait.',
          )
        : t(
            'The server did not answer the first request in time. It wrote “{0}” to stderr. "timeouts.start" in its configuration sets how long to wait.',
            plainLabel(line, maxLineLength),
          );
    }
  }
  if (facts.status !== undefined) {
    const body = facts.text ? `: ${plainLabel(facts.text, 200)}` : '';
    const status = `${facts.status}${body}`;
    // A server that fails internally is at the right address.
    return facts.status >= 500
      ? t('{0} answered with HTTP status {1}.', where, status)
      : t('{0} answered with HTTP status {1}. Check the address.', where, status);
  }
  if (/^text\/html\b/i.test(facts.contentType ?? ''))
    return t('{0} answered with a web page. Look for the URL that ends in /mcp.', where);
  if (facts.code === 'CLIENT_HTTP_UNEXPECTED_CONTENT' || isNoJson(error))
    return t('{0} answered with something that is not an MCP message. Check the address.', where);
  const unsent = unsentReason(error, t);
  if (unsent !== undefined)
    return t('Could not reach {0}: {1}.', where, plainLabel(unsent, maxLineLength));
  return t('The connection could not be made: {0}', truncate(errorMessage(error, t), 2000));
}

/** Finds why `fetch` sent nothing: it wraps the reason in a `TypeError`, and the SDK wraps that in its own error. */
function unsentReason(error: unknown, t: Translate): string | undefined {
  for (const one of causesOf(error))
    if (one instanceof TypeError && one.cause instanceof Error) return errorMessage(one.cause, t);
  return undefined;
}

/** True if an answer that should be JSON is not: the SDK wraps the `SyntaxError` in its own error. */
function isNoJson(error: unknown): boolean {
  return causesOf(error).some((one) => one instanceof SyntaxError);
}
