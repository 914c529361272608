import { isRecord } from '../../base/json';
import type {
  AskingServer,
  ServerRequestHandlers,
  CreateMessageRequest,
  ElicitRequest,
} from '../protocol/serverRequests';
import { inRequest, readMembers, readSchema, type JsonShape, type Note } from '../protocol/readAs';
import { ErrorCode, RpcError } from '../protocol/rpcError';
import { eras, type Era } from '../protocol/revisions';

type Params = Readonly<Record<string, unknown>>;

/** Answers one question of a server, no matter how it arrived; rejects with an `RpcError`. */
export type RequestRouter = (
  method: string,
  params: Params,
  signal: AbortSignal,
) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Returns the capabilities to declare to a server of this era, given what `requests` can answer; modern
 * servers are never told that the roots changed (2026-07-28, roots).
 */
export function clientCapabilities(
  requests: ServerRequestHandlers,
  era: Era,
): Record<string, object> {
  const mimeTypes = requests.appTypes?.() ?? [];
  const extensions = {
    ...(eras[era].declaresExtensions && modernExtensions),
    ...(mimeTypes.length > 0 && { 'io.modelcontextprotocol/ui': { mimeTypes } }),
  };
  return {
    ...(requests.listRoots && { roots: eras[era].announcesRoots ? { listChanged: true } : {} }),
    ...(requests.createMessage && { sampling: { tools: {} } }),
    ...(requests.elicit && { elicitation: { form: {}, url: {} } }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

/** The extensions that are declared to every modern server (2026-07-28, extensions). */
export const modernExtensions = {
  'io.modelcontextprotocol/tasks': {},
  'io.modelcontextprotocol/enterprise-managed-authorization': {},
};

/** At most this many requests of a server are answered at a time; further ones are refused. */
export const maxOpenRequests = 200;

/** The optional fields of a request for a model. */
const samplingFields: Readonly<Record<string, JsonShape>> = {
  modelPreferences: 'object',
  systemPrompt: 'text',
  temperature: 'number',
  stopSequences: 'list',
  metadata: 'object',
  tools: 'list',
  toolChoice: 'object',
  _meta: 'object',
};

/** Routes a server's questions to `requests`; `note` is told what is read although the protocol forbids it. */
export function createRequestRouter(
  server: AskingServer,
  requests: ServerRequestHandlers,
  note: Note = () => {},
): RequestRouter {
  let open = 0;
  const route = async (...[method, params, signal]: Parameters<RequestRouter>) => {
    switch (method) {
      case 'roots/list':
        if (requests.listRoots) return { roots: await requests.listRoots(server, signal) };
        break;
      case 'sampling/createMessage':
        if (requests.createMessage)
          return {
            ...(await requests.createMessage(
              server,
              readSampling(params, inRequest(method, note)),
              signal,
            )),
          };
        break;
      case 'elicitation/create':
        if (requests.elicit)
          return {
            ...(await requests.elicit(
              server,
              readElicitation(params, inRequest(method, note)),
              signal,
            )),
          };
        break;
    }
    throw new RpcError(ErrorCode.methodNotFound, `This client does not answer ${method}.`);
  };
  return async (...asked) => {
    if (open >= maxOpenRequests)
      throw new RpcError(ErrorCode.internal, 'Too many requests at once. Wait for answers.');
    open += 1;
    try {
      return await route(...asked);
    } finally {
      open -= 1;
    }
  };
}

function readSampling(params: Params, note: Note): CreateMessageRequest {
  if (!Array.isArray(params['messages']) || typeof params['maxTokens'] !== 'number')
    throw new RpcError(ErrorCode.invalidParams, 'The request needs "messages" and "maxTokens".');
  return readMembers(params, samplingFields, note) as unknown as CreateMessageRequest;
}

function readElicitation(params: Params, note: Note): ElicitRequest {
  const fields = readMembers(
    params,
    { mode: 'text', elicitationId: 'text', _meta: 'object' },
    note,
  );
  const { mode = 'form', message, requestedSchema, url, elicitationId } = fields;
  if (typeof message !== 'string')
    throw new RpcError(ErrorCode.invalidParams, 'The request needs a "message".');
  if (mode === 'url' && typeof url === 'string') {
    return {
      mode,
      message,
      url,
      ...(typeof elicitationId === 'string' && { elicitationId }),
    };
  }
  if (mode === 'form' && isRecord(requestedSchema))
    return { mode, message, requestedSchema: readSchema(requestedSchema, note) };
  throw new RpcError(ErrorCode.invalidParams, `The request of mode ${String(mode)} is incomplete.`);
}
