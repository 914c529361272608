import {
  CLIENT_INFO_META_KEY,
  parseJSONRPCMessage,
  ProtocolError,
  Server,
  serializeMessage,
  type CallToolResult as SdkCallResult,
  type ContentBlock as SdkBlock,
  type JSONRPCMessage,
  type ServerContext,
  type Tool as SdkTool,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { asRecord, isRecord } from '../../base/json';
import { jsonText } from '../../base/text/jsonText';
import type { Logger } from '../../base/log';
import { ErrorCode, findRpcError } from '../protocol/rpcError';
import type { CallToolResult, ContentBlock, Implementation, JsonObject } from '../protocol/types';
import {
  type AgentChannel,
  type AgentOffer,
  type OfferedRequest,
  agentCapabilities,
} from './agentPort';
import { perKind, type PerKind } from '../protocol/content';

/** Who serves an agent; `early` are the lines that it sent before. */
interface Serving {
  readonly info: Implementation;
  readonly log: Logger;
  readonly early: readonly string[];
}

/** Serves one agent, in the revision that it speaks, until the channel closes or the result is disposed of. */
export function serveAgent(
  channel: AgentChannel,
  offer: AgentOffer,
  { info, log, early }: Serving,
): Disposable {
  const store = new DisposableStore();
  const onerror = (error: unknown) => log.debug(`An agent: ${errorMessage(error)}`);
  const create = async () => {
    const instructions = await offer.instructions();
    const server = new Server(info, { capabilities: agentCapabilities, instructions });
    handleTools(server, offer);
    handlePrompts(server, offer);
    handleResources(server, offer);
    store.add(announceChanges(server, offer, onerror));
    return server;
  };
  const served = serveStdio(create, { transport: transportOf(channel, early), onerror });
  store.add(toDisposable(() => void served.close().catch(onerror)));
  store.add(channel.onDidClose(() => store.dispose()));
  return store;
}

function transportOf(channel: AgentChannel, early: readonly string[]): Transport {
  const transport: Transport = {
    start: async () => {
      const take = (line: string) => {
        try {
          transport.onmessage?.(parseJSONRPCMessage(JSON.parse(line)));
        } catch (error) {
          transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
        }
      };
      early.forEach(take);
      channel.onLine(take);
      channel.onDidClose(() => transport.onclose?.());
    },
    send: async (message: JSONRPCMessage) => channel.send(serializeMessage(message).trimEnd()),
    close: async () => channel.dispose(),
  };
  return transport;
}

function handleTools(server: Server, offer: AgentOffer): void {
  server.setRequestHandler('tools/list', async (_request, context) => {
    noteClient(server, context, offer);
    const tools = await offer.listTools(context.mcpReq.signal);
    return { tools: tools.map((tool) => ({ ...tool }) as SdkTool) };
  });
  server.setRequestHandler('tools/call', ({ params }, context) =>
    answer(server, context, offer, async (how) => {
      const args = (params.arguments ?? {}) as JsonObject;
      return toSdkResult(await offer.callTool(params.name, args, how));
    }),
  );
}

function handlePrompts(server: Server, offer: AgentOffer): void {
  server.setRequestHandler('prompts/list', async () => ({
    prompts: (await offer.listPrompts()).map((prompt) => structuredClone(prompt) as never),
  }));
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    answer(server, context, offer, async (how) => {
      const got = await offer.getPrompt(params.name, params.arguments ?? {}, how);
      const messages = got.messages.map(({ role, content }) => ({
        role,
        content: toSdkBlock(content),
      }));
      return { ...got, messages, ...(got._meta && { _meta: { ...got._meta } }) };
    }),
  );
  server.setRequestHandler('completion/complete', ({ params }, context) =>
    answer(server, context, offer, async (how) => {
      const { values, ...rest } = await offer.complete(
        params.ref,
        params.argument,
        params.context?.arguments ?? {},
        how,
      );
      // The protocol allows no more; how many there are is said beside them.
      const first = values.slice(0, maxCompletions);
      const more = values.length > first.length && { hasMore: true, total: values.length };
      return { completion: { ...rest, values: first, ...more } };
    }),
  );
}

const maxCompletions = 100;

function handleResources(server: Server, offer: AgentOffer): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: (await offer.listResources()).map((one) => structuredClone(one) as never),
  }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: (await offer.listTemplates()).map((one) => structuredClone(one) as never),
  }));
  server.setRequestHandler('resources/read', ({ params }, context) =>
    answer(server, context, offer, async (how) => {
      const { contents, _meta } = await offer.readResource(params.uri, how);
      return {
        contents: contents.map((one) => ({ ...one }) as never),
        ...(_meta && { _meta: { ..._meta } }),
      };
    }),
  );
  server.setRequestHandler('resources/subscribe', ({ params }, context) =>
    answer(server, context, offer, async () => {
      await offer.subscribe(params.uri);
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params }, context) =>
    answer(server, context, offer, async () => {
      offer.unsubscribe(params.uri);
      return {};
    }),
  );
}

function announceChanges(
  server: Server,
  offer: AgentOffer,
  onerror: (error: unknown) => void,
): Disposable {
  const store = new DisposableStore();
  // Whoever has gone, or has not opened yet, misses nothing.
  const tell = (sent: Promise<void>) => void sent.catch(onerror);
  store.add(
    offer.onDidChange((kind) => {
      if (kind === 'tools') tell(server.sendToolListChanged());
      else if (kind === 'prompts') tell(server.sendPromptListChanged());
      else tell(server.sendResourceListChanged());
    }),
  );
  store.add(offer.onDidUpdateResource((uri) => tell(server.sendResourceUpdated({ uri }))));
  return store;
}

/** How often an agent that waits is told that it does not wait in vain, in milliseconds. */
const heartbeatMs = 5000;
/** By how much a heartbeat moves the progress, which has to grow with each message. */
const heartbeatStep = 1e-6;

/** Answers a request, with progress as long as that takes; an error keeps its code, its message and its data. */
async function answer<T>(
  server: Server,
  context: ServerContext,
  offer: AgentOffer,
  run: (how: OfferedRequest) => Promise<T>,
): Promise<T> {
  noteClient(server, context, offer);
  const { mcpReq } = context;
  const progressToken = mcpReq._meta?.progressToken;
  let latest = 0;
  let total: number | undefined;
  let message: string | undefined;
  const send = (progress: number) => {
    if (progressToken === undefined || progress <= latest) return;
    latest = progress;
    const params = {
      progressToken,
      progress,
      ...(total !== undefined && total >= progress && { total }),
      ...(message !== undefined && { message }),
    };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  const beat = () => send(latest + heartbeatStep);
  const heart = setInterval(beat, heartbeatMs);
  try {
    return await run({
      signal: mcpReq.signal,
      onProgress(now) {
        ({ total, message } = now);
        send(now.progress);
      },
      onWait(why) {
        message = why;
        beat();
      },
    });
  } catch (error) {
    const rpc = findRpcError(error);
    if (rpc) throw new ProtocolError(rpc.code, rpc.message, rpc.data);
    throw new ProtocolError(ErrorCode.internal, errorMessage(error));
  } finally {
    clearInterval(heart);
  }
}

/** Says who the agent claims to be, as soon as that is known. */
function noteClient(server: Server, { mcpReq }: ServerContext, offer: AgentOffer): void {
  const { name, version } = asRecord(
    server.getClientVersion() ?? asRecord(mcpReq.envelope)[CLIENT_INFO_META_KEY],
  );
  if (typeof name === 'string')
    offer.noteClient({ name, version: typeof version === 'string' ? version : '' });
}

function toSdkResult({ content, structuredContent, isError, _meta }: CallToolResult) {
  return {
    content: content.map(toSdkBlock),
    // Older revisions know objects alone, and agents of theirs would refuse the whole result.
    ...(isRecord(structuredContent) && { structuredContent: { ...structuredContent } }),
    isError,
    ...(_meta && { _meta: { ..._meta } }),
  } as SdkCallResult;
}

const asIs = (block: ContentBlock) => block as SdkBlock;

const sdkBlocks: PerKind<SdkBlock> = {
  text: asIs,
  image: asIs,
  audio: asIs,
  resource: asIs,
  resource_link: asIs,
  // What is unknown here would make the whole result unreadable there.
  unknown: ({ value }) => ({ type: 'text', text: jsonText(value, 2) }),
};

function toSdkBlock(block: ContentBlock): SdkBlock {
  return perKind(block, sdkBlocks);
}
