import type { Intercept } from '../../support/fakes/scriptedHttpServer';
import type { Script } from '../../support/fakes/scriptedTransport';
import { ScriptedError } from '../../support/fakes/scriptedTransport';
import { modernRevision } from './scriptedSession';

/** An HTTP response that refuses a request. */
export interface Refusal {
  readonly status: number;
  readonly error?: { readonly code: number; readonly message: string };
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/**
 * Creates a scripted server over HTTP that only speaks the newest revision: it answers each request individually, and
 * refuses older revisions with `refusal`.
 */
export function modernHttp(
  scripts: Readonly<Record<string, Script>>,
  refusal: Refusal = { status: 400, error: { code: -32022, message: 'Unsupported version' } },
): Intercept {
  return async ({ method, message, headers }, response) => {
    const id = message?.id;
    const refuse = ({ status, error }: Refusal) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(error ? JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error }) : '');
    const meta = message?.params?.['_meta'] as Readonly<Record<string, unknown>> | undefined;
    if (method !== 'POST' || !message?.method) response.writeHead(405).end();
    else if (headers['mcp-session-id'] !== undefined || meta?.[versionKey] !== modernRevision)
      refuse(refusal);
    else if (message.method === 'server/discover')
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          result: {
            resultType: 'complete',
            supportedVersions: [modernRevision],
            capabilities: { tools: {}, resources: {} },
            ttlMs: 0,
            cacheScope: 'private',
          },
        }),
      );
    else
      try {
        const script = scripts[message.method];
        if (!script || id === undefined) throw new ScriptedError(-32601, 'Method not found');
        const result = await script(message.params ?? {}, { ...message, id });
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      } catch (error) {
        if (!(error instanceof ScriptedError)) throw error;
        const { code, message: text } = error;
        refuse({ status: code === -32601 ? 404 : 400, error: { code, message: text } });
      }
    return true;
  };
}
