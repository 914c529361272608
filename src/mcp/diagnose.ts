import { type Translate, listText, pairText } from '../base/translate';
import type { Finding, Programs } from './platform';
import { kindOf } from './launch/launchKinds';
import type { Server } from './server';
import { type ListKind, listKinds, listTitles } from './lists/listSpecs';
import { capabilityNames, type FailedState, type ServerState, withoutText } from './serverState';
import { UserError, causesOf, errorMessage, isTimeout } from '../base/errors';
import { jsonText } from '../base/text/jsonText';
import { addressLabel } from '../base/text/address';
import { truncate } from '../base/text/text';
import type { Attempt } from './connection/connectionDeps';
import type { Fetch } from './http/secureUrl';
import type { HttpServerConfig } from './serverConfig';
import { hasAuthorization } from './transport/httpTransports';
import { isEventStream, mediaTypeOf } from './http/responseBody';
import { latestInitialized } from './protocol/revisions';

const limitMs = 15_000;
const maxBody = 500;

/** The first message of a client, which every server of a stateful revision understands. */
const firstMessage = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: latestInitialized,
    capabilities: {},
    clientInfo: { name: 'mcp-workbench-doctor', version: '1.0.0' },
  },
});

/** Sends one request to the configured address of a server, without a sign-in, and reports the response. */
export async function checkAddress(
  config: HttpServerConfig,
  t: Translate,
  over: { readonly url: string; readonly send: Fetch } = { url: config.url, send: fetch },
): Promise<Finding[]> {
  const sent = Object.keys(config.headers);
  const request: Finding = {
    level: 'note',
    title: t('Address: {0}', addressLabel(config.url, 1000)),
    detail: sent.length > 0 ? t('with the headers {0}', listText(sent, t)) : undefined,
  };
  try {
    const response = await over.send(over.url, {
      method: 'POST',
      headers: {
        ...config.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: firstMessage,
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    });
    return [request, await describeResponse(response, config, t)];
  } catch (error) {
    return [request, describeError(error, t)];
  }
}

async function describeResponse(
  response: Response,
  { headers }: HttpServerConfig,
  t: Translate,
): Promise<Finding> {
  const { status, statusText } = response;
  // A stream of events may never end.
  const body = isEventStream(response) || status < 300 ? '' : await beginning(response);
  await response.body?.cancel().catch(() => {});
  const shown = [...response.headers].map(([name, value]) =>
    name === 'set-cookie' ? `${name}: …` : `${name}: ${value}`,
  );
  const isPage = mediaTypeOf(response) === 'text/html';
  return {
    level: status < 300 && !isPage ? 'good' : 'bad',
    title: t('It responded with HTTP status {0}', `${status} ${statusText}`.trim()),
    detail: [...shown, ...(body ? ['', truncate(body, maxBody)] : [])].join('\n'),
    next:
      isPage && status < 400
        ? t('This is a web page. Look for the URL that ends in /mcp.')
        : nextStep(status, hasAuthorization(headers), t),
  };
}

/** Reads only as much of a body as is shown: it may be of any size, or never end. */
async function beginning({ body }: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > maxBody) break;
  }
  return text;
}

function nextStep(status: number, hasHeader: boolean, t: Translate): string | undefined {
  if (status < 300) return undefined;
  if (status < 400)
    return t('The server has moved. Use the URL in the "location" header if you trust it.');
  switch (status) {
    case 401:
      return hasHeader
        ? t('The "Authorization" header is refused: check its value, or remove it to sign in.')
        : t('Run "Sign In", or add the "Authorization" header that the server wants.');
    case 403:
      return t('Your account or key may not use this server.');
    case 404:
    case 405:
      return t('Check the path of the URL. It often ends in /mcp or /sse.');
    case 429:
      return t('Too many requests. Wait a while.');
    default:
      return status >= 500
        ? t('The server or its proxy failed. Try later or contact its operator.')
        : t('The response body usually says what is missing.');
  }
}

function describeError(error: unknown, t: Translate): Finding {
  const code = codeOf(error);
  const message = truncate(errorMessage(error), maxBody);
  return {
    level: 'bad',
    title: t('It does not respond ({0})', code ?? message),
    detail: message,
    next: connectionStep(code ?? '', t),
  };
}

function connectionStep(code: string, t: Translate): string {
  if (/CERT|SELF_SIGNED|UNABLE_TO_|SIGNATURE|TLS|SSL/.test(code))
    return t(
      'Its certificate is not trusted on this machine. Set NODE_EXTRA_CA_CERTS to your certificate authority before you start the editor, or have the certificate renewed.',
    );
  switch (code) {
    case 'ECONNREFUSED':
      return t('Start the server or correct the port. Nothing is listening there.');
    case 'ENOENT':
      return t('Start the server or correct the path. There is no such socket.');
    case 'EACCES':
    case 'EPERM':
      return t('Check who may use this socket. You may not.');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return t('Check the host name, the network and the proxy.');
    default:
      return t('Check the network, a firewall and the proxy.');
  }
}

/** Finds the system's error code among the causes of an error. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown };
  if (isTimeout(error)) return 'ETIMEDOUT';
  if (typeof code === 'string') return code;
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause);
}

/** Enough of unexpected output to recognize what it is, in UTF-16 units. */
const unexpectedLength = 200;

/** Says how the last start of a server that is not running went. */
function checkAttempt({ state, lastAttempt }: Server, t: Translate): Finding[] {
  const { stderrTail, unexpectedOutput } = lastAttempt;
  const findings = [outcome(state, lastAttempt, t)];
  if (unexpectedOutput)
    findings.push({
      level: 'bad',
      title: t('The first line on stdout is not a protocol message'),
      // As JSON, so that invisible characters can be seen.
      detail: jsonText(truncate(unexpectedOutput, unexpectedLength)),
      next: t(
        'A stdio server may only write messages to stdout. Check that the command starts the server and not a launcher that prints, and that the server logs to stderr.',
      ),
    });
  if (stderrTail)
    findings.push({ level: 'note', title: t('Last lines on stderr'), detail: stderrTail });
  return findings;
}

/** Says how a server failed before the diagnosed start, which may hide that. */
function checkEarlier({ message, detail }: FailedState, t: Translate): Finding {
  return {
    level: 'bad',
    title: t('Before this start: {0}', message),
    detail,
    next: t("The server's log may say more about that."),
  };
}

function outcome(state: Server['state'], attempt: Attempt, t: Translate): Finding {
  switch (state.kind) {
    case 'failed':
      return {
        level: 'bad',
        title: state.message,
        detail: exactError(attempt.error),
        next: endingStep(attempt, t),
      };
    case 'reconnecting':
      return {
        level: 'bad',
        title: t('The server cannot be reached: {0}', state.message),
        next: t('Start it again where it runs, or restart it on its row.'),
      };
    case 'needsSignIn':
      return state.problem === undefined
        ? {
            level: 'bad',
            title: state.isUnexplained
              ? t('The server refuses access (401) and names no way to sign in')
              : t('The server requires sign-in'),
            next: state.isUnexplained
              ? t('Add the header that it wants to its configuration, or run "Sign In" on its row.')
              : t('Run "Sign In" on its row.'),
          }
        : {
            level: 'bad',
            title: t('The server requires sign-in, and the last attempt failed'),
            detail: state.problem,
            next: t('Fix that, then run "Sign In" on its row again.'),
          };
    case 'stopped':
    case 'starting':
    case 'running':
      return {
        level: 'bad',
        title: t('The server was not started'),
        next: t('Start it, and trust its launch configuration if you are asked.'),
      };
  }
}

function endingStep({ ending, stderrTail }: Attempt, t: Translate): string | undefined {
  if (ending === undefined) return undefined;
  return stderrTail
    ? t('The last lines below usually say why.')
    : t('It gave no reason. Run its command line in a terminal to see more.');
}

/** Lists each cause with its code; `undefined` if the error is only a sentence. */
function exactError(error: unknown): string | undefined {
  const causes = causesOf(error)
    .filter((one) => !(one instanceof UserError))
    .map((one) => {
      const { code } = one as { readonly code?: number | string };
      return `${one.name}${code === undefined ? '' : ` [${code}]`}: ${one.message}`;
    });
  return causes.join('\n') || undefined;
}

type RunningState = Extract<ServerState, { readonly kind: 'running' }>;

/** Says what a running server and this client agreed on, and how its lists were loaded. */
function checkSession(
  server: Server,
  { info, declared = {}, problems }: RunningState,
  t: Translate,
): Finding[] {
  const { implementation, protocolVersion, capabilities } = info;
  const names = capabilityNames(capabilities, t);
  const { without } = server.definition;
  const ours = listText(capabilityNames(declared, t), t);
  return [
    {
      level: 'good',
      title: implementation
        ? t('Running: {0} {1}', implementation.name, implementation.version)
        : t('Running'),
    },
    { level: 'good', title: t('Protocol revision {0}', protocolVersion) },
    {
      level: names.length > 0 ? 'good' : 'note',
      title: names.length > 0 ? t('It offers: {0}', listText(names, t)) : t('It offers nothing'),
      next:
        names.length > 0
          ? undefined
          : t(
              'Check its documentation. It may need an argument or a key before it offers anything.',
            ),
    },
    ...(ours === ''
      ? []
      : [{ level: 'good' as const, title: pairText(t('Client capabilities'), ours, t) }]),
    ...(without ? [{ level: 'note' as const, title: withoutText(without, t) }] : []),
    ...(problems
      ? [
          {
            level: 'note' as const,
            title: t('The server violates the protocol'),
            detail: problems.join('\n'),
            next: t("Report it to the server's author."),
          },
        ]
      : []),
    ...listKinds.flatMap((kind) => checkList(server, kind, t)),
  ];
}

function checkList(server: Server, kind: ListKind, t: Translate): Finding[] {
  const { error, problems, items, status } = server[kind];
  if (error !== undefined)
    return [
      {
        level: 'bad',
        title: t('The list of {0} failed', listTitles[kind](t)),
        detail: error,
        next: t("The server's log may say more. Restart the server to load the list again."),
      },
    ];
  if (problems.length > 0)
    return [
      {
        level: 'note',
        title: t('Entries in {0}: {1}, with problems', listTitles[kind](t), String(items.length)),
        detail: problems.join('\n'),
        next: t(
          "What violates the protocol was left out, or read as said. Report it to the server's author.",
        ),
      },
    ];
  return status === 'empty'
    ? []
    : [
        {
          level: 'good',
          title: t('Entries in {0}: {1}', listTitles[kind](t), String(items.length)),
        },
      ];
}

/** The dependencies of a diagnosis. */
export interface DiagnosisDeps {
  /** Tries to start the server if it is not running. */
  readonly start: () => Promise<unknown>;
  readonly programs: Pick<Programs, 'check' | 'fetchOverSocket'> | undefined;
  readonly t: Translate;
}

/**
 * Looks for what is wrong with a server: how it last failed, how a start goes, how it is launched
 * or reached, and what it offers. The texts may contain secrets.
 */
export async function diagnose(
  server: Server,
  { start, programs, t }: DiagnosisDeps,
): Promise<readonly Finding[]> {
  // The start discards it, and may succeed even if the server fails a moment later.
  const { lastFailure } = server;
  if (server.state.kind !== 'running') await start();
  const { state, lastAttempt } = server;
  const { config } = lastAttempt;
  const isUp = state.kind === 'running';
  const isRepeated = state.kind === 'failed' && state.message === lastFailure?.message;
  return [
    ...(lastFailure && !isRepeated ? [checkEarlier(lastFailure, t)] : []),
    ...(isUp ? checkSession(server, state, t) : checkAttempt(server, t)),
    ...(config ? await kindOf(config).diagnose(config, { programs, checkAddress, isUp, t }) : []),
  ];
}
