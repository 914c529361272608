import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join } from 'node:path';
import { installEditor } from './editor';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

const page = 'out/vs/code/browser/workbench';

/** How a window that runs entirely in a web page is opened. */
export interface PageOptions {
  /** The folders of the extensions, as installed. */
  readonly extensions: readonly string[];
  /** The folder to open, as parts of its URI; without it, the window is empty. */
  readonly folder?: { readonly scheme: string; readonly path: string };
  /** Settings that apply as defaults, not as choices of the user. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** The editor as files that a browser loads; nothing runs behind it. */
export interface PageServer extends AsyncDisposable {
  readonly url: string;
}

/** Serves the editor that the tests run in to browsers, on a free loopback port. */
export async function startPageServer(options: PageOptions): Promise<PageServer> {
  const root = dirname(dirname((await installEditor()).server));
  const server = createServer((request, response) => {
    respond(root, options, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(
  root: string,
  options: PageOptions,
  { url = '/', headers: { host = '' } }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = decodeURIComponent(new URL(url, `http://${host}`).pathname);
  const send = (type: string, body: string | Uint8Array) =>
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body);
  if (path === '/') return void send('text/html', await workbenchPage(root, host, options));
  if (path === '/callback') {
    const callback = await readFile(join(root, page, 'callback.html'));
    return void send('text/html', callback);
  }
  const file = fileOf(path, root, options);
  const bytes = file === undefined ? undefined : await readFile(file).catch(() => undefined);
  if (!file || !bytes) return void response.writeHead(404).end();
  const isWorkbench = path === `/static/${page}/workbench.js`;
  send(
    types[extname(file)] ?? 'application/octet-stream',
    isWorkbench ? withoutServer(bytes.toString()) : bytes,
  );
}

function fileOf(path: string, root: string, { extensions }: PageOptions): string | undefined {
  if (path.startsWith('/static/')) return join(root, path.slice('/static/'.length));
  const [, index = '', below] = /^\/extensions\/(\d+)\/(.*)$/.exec(path) ?? [];
  const folder = extensions[Number(index)];
  return folder && below ? join(folder, below) : undefined;
}

/**
 * Rewrites the workbench script, which expects a server in two places, for extensions and for user data; throws if one
 * of them is not found.
 */
function withoutServer(script: string): string {
  const swap = (text: string, pattern: RegExp, to: string) => {
    if (!pattern.test(text)) throw new Error(`The workbench has nothing like ${pattern.source}.`);
    return text.replace(pattern, to);
  };
  const alone = swap(
    script,
    /(\{\.\.\.JSON\.parse\(\w+\)),remoteAuthority:location\.host\}/,
    '$1}',
  );
  return swap(
    alone,
    /\w+\((\w+)\.file\(this\.userDataPath\)\.with\(\{scheme:\w+\.vscodeRemote\}\),"User"\)/,
    '$1.file("/User").with({scheme:"vscode-userdata"})',
  );
}

async function workbenchPage(root: string, host: string, options: PageOptions): Promise<string> {
  const at = (path: string) => ({ scheme: 'http', authority: host, path });
  const configuration = {
    webviewEndpoint: `http://${host}/static/out/vs/workbench/contrib/webview/browser/pre`,
    userDataPath: '/',
    callbackRoute: '/callback',
    // In a separate frame, the worker could not reach other ports of this machine.
    _wrapWebWorkerExtHostInIframe: false,
    enableWorkspaceTrust: false,
    isEnabledFileDownloads: true,
    isEnabledFileUploads: true,
    isEnabledCoderGettingStarted: false,
    folderUri: options.folder,
    configurationDefaults: options.settings ?? {},
    additionalBuiltinExtensions: options.extensions.map((_, index) => at(`/extensions/${index}`)),
    productConfiguration: { enableTelemetry: false, codeServerVersion: 'x', rootEndpoint: '.' },
    developmentOptions: { enableSmokeTestDriver: true, logLevel: 3 },
  };
  const html = await readFile(join(root, page, 'workbench.html'), 'utf8');
  const values: Readonly<Record<string, string>> = {
    WORKBENCH_WEB_CONFIGURATION: JSON.stringify(configuration).replaceAll('"', '&quot;'),
    WORKBENCH_WEB_BASE_URL: '/static',
    WORKBENCH_NLS_FALLBACK_URL: '/static/out/nls.messages.js',
    WORKBENCH_SCRIPT_NONCE: 'n',
  };
  return html.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '');
}
