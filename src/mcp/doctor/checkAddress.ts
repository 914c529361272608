import { errorMessage, isTimeout } from '../../base/errors';
import { truncate } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import type { Fetch } from '../auth/secureUrl';
import type { HttpServerConfig } from '../serverConfig';
import { hasAuthorization } from '../transport/httpTransports';
import { isEventStream, mediaTypeOf } from '../transport/mediaTypeOf';
import type { Finding } from './finding';

const limitMs = 15_000;
const maxBody = 500;

/** The first message of a client, which every server of a stateful revision understands. */
const firstMessage = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
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
    verdict: 'note',
    title: t('Address: {0}', config.url),
    detail: sent.length > 0 ? t('with the headers {0}', sent.join(', ')) : undefined,
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
    verdict: status < 300 && !isPage ? 'good' : 'bad',
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
    verdict: 'bad',
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
