import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deferred } from '../../base/async';
import { CancelledError } from '../../base/errors';
import { escapeMarkup } from '../../base/text/markup';
import type { BrowserCallback } from '../auth/authorizationUi';
import type { CallbackTexts } from '../platform';

const path = '/callback';

/** Listens on a free port of 127.0.0.1, which other machines cannot reach (RFC 8252, 7.3). */
export async function listenForCallback(texts: CallbackTexts): Promise<BrowserCallback> {
  const answer = deferred<URLSearchParams>();
  const giveUp = () => answer.reject(new CancelledError());
  let expected: string | undefined;
  let page: ServerResponse | undefined;

  const receive = (request: IncomingMessage, response: ServerResponse) => {
    const address = request.url ?? '';
    const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined;
    const { host, origin: sender } = request.headers;
    // Another host name would mean a page that rebound its own to this machine; another origin, a script.
    const foreign = host !== new URL(origin).host || (sender !== undefined && sender !== origin);
    if (foreign) return show(response, 403, texts.unexpected);
    if (request.method !== 'GET' || url?.pathname !== path)
      return show(response, 404, texts.unexpected);
    if (url.searchParams.get('state') !== expected) return show(response, 400, texts.unexpected);
    // The answer is not a sign-in yet: the page waits for the outcome.
    page = response.once('close', () => server.closeAllConnections());
    expected = undefined;
    server.close();
    return answer.resolve(url.searchParams);
  };

  const server = createServer(receive);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const conclude = (text: string) => {
    if (page && !page.writableEnded) show(page, 200, text);
  };
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    redirectUrl: `${origin}${path}`,
    async wait(state, signal) {
      expected = state;
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      try {
        return await answer.promise;
      } finally {
        signal.removeEventListener('abort', giveUp);
        expected = undefined;
      }
    },
    succeed: () => conclude(texts.done),
    dispose() {
      server.close();
      if (page) conclude(texts.failed);
      else server.closeAllConnections();
      if (expected !== undefined) giveUp();
    },
  };
}

function show(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(htmlOf(text));
}

function htmlOf(text: string): string {
  const style =
    'body{font:16px system-ui,sans-serif;margin:20vh auto;max-width:32em;padding:0 1em;text-align:center}';
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>MCP Workbench</title><style>${style}</style><h1>MCP Workbench</h1><p>${escapeMarkup(text)}</p>\n`;
}
