import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  Server,
  type CallToolResult as SdkCallResult,
  type ContentBlock as SdkBlock,
  type ServerContext,
  type Tool as SdkTool,
} from '@modelcontextprotocol/server';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { asRecord, isRecord } from '../../base/json';
import { jsonText } from '../../base/text/jsonText';
import { revealHidden } from '../../base/text/text';
import type { Logger } from '../../base/log';
import type { RpcError } from '../protocol/rpcError';
import type { CallToolResult, ContentBlock, Implementation, JsonObject } from '../protocol/types';
import {
  agentCapabilities,
  type AgentChannel,
  type AgentOffer,
  type OfferedRequest,
} from './agentPort';
import { perKind, type PerKind } from '../protocol/content';

/** What the server that an agent talks to calls itself, logs to, and words errors by. */
export interface AgentServerDeps {
  readonly info: Implementation;
  readonly log: Logger;
  /** Makes what an agent is told of an error; the caller's, as this part of the code is loaded with classes of its own. */
  readonly toRpcError: (error: unknown) => Pick<RpcError, 'code' | 'message' | 'data'>;
}

/** Where requests are held that another window may answer; nowhere over HTTP. */
type Holding = Pick<AgentChannel, 'hold' | 'release'> | undefined;

/** What requests are answered by. */
interface Answering extends Pick<AgentServerDeps, 'toRpcError'> {
  readonly holding: Holding;
  readonly server: Server;
  readonly offer: AgentOffer;
}

/** Creates the SDK's server of one conversation, which answers with what the offer has. */
export async function createAgentServer(
  offer: AgentOffer,
  { info, toRpcError }: AgentServerDeps,
  holding?: Holding,
): Promise<Server> {
  const instructions = await offer.instructions();
  const server = new Server(info, { capabilities: agentCapabilities, instructions });
  const answering = { server, offer, toRpcError, holding };
  handleTools(answering);
  handlePrompts(answering);
  handleResources(answering);
  return server;
}

function handleTools(answering: Answering): void {
  const { server, offer } = answering;
  server.setRequestHandler('tools/list', (_request, context) =>
    // The same list, as long as the offer has the same: what was made of it before serves again.
    answer(answering, context, async (how) => ({
      tools: (await offer.listTools(how)) as SdkTool[],
    })),
  );
  server.setRequestHandler('tools/call', ({ params }, context) =>
    answer(answering, context, async (how) => {
      const args = (params.arguments ?? {}) as JsonObject;
      return toSdkResult(await offer.callTool(params.name, args, how));
    }),
  );
}

function handlePrompts(answering: Answering): void {
  const { server, offer } = answering;
  server.setRequestHandler('prompts/list', (_request, context) =>
    answer(answering, context, async (how) => ({
      prompts: (await offer.listPrompts(how)).map((prompt) => structuredClone(prompt) as never),
    })),
  );
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    answer(answering, context, async (how) => {
      const got = await offer.getPrompt(params.name, params.arguments ?? {}, how);
      const messages = got.messages.map(({ role, content }) => ({
        role,
        content: toSdkBlock(content),
      }));
      return { ...got, messages, ...(got._meta && { _meta: { ...got._meta } }) };
    }),
  );
  server.setRequestHandler('completion/complete', ({ params }, context) =>
    answer(answering, context, async (how) => {
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

function handleResources(answering: Answering): void {
  const { server, offer } = answering;
  server.setRequestHandler('resources/list', (_request, context) =>
    answer(answering, context, async (how) => ({
      resources: (await offer.listResources(how)).map((one) => structuredClone(one) as never),
    })),
  );
  server.setRequestHandler('resources/templates/list', (_request, context) =>
    answer(answering, context, async (how) => ({
      resourceTemplates: (await offer.listTemplates(how)).map(
        (one) => structuredClone(one) as never,
      ),
    })),
  );
  server.setRequestHandler('resources/read', ({ params }, context) =>
    answer(answering, context, async (how) => {
      const { contents, _meta } = await offer.readResource(params.uri, how);
      return {
        contents: contents.map((one) => ({ ...one }) as never),
        ...(_meta && { _meta: { ..._meta } }),
      };
    }),
  );
  server.setRequestHandler('resources/subscribe', ({ params }, context) =>
    answer(answering, context, async (how) => {
      await offer.subscribe(params.uri, how);
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params }, context) =>
    answer(answering, context, async () => {
      offer.unsubscribe(params.uri);
      return {};
    }),
  );
}

/** Tells the agent of a conversation what changes in the offer. */
export function announceChanges(
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
/** How often an agent is told of a call's progress between two heartbeats; the next one brings the latest of more. */
const maxProgressPerBeat = 100;

/** Answers a request, with progress as long as that takes; an error keeps its code, its message and its data. */
async function answer<T>(
  { server, offer, toRpcError, holding }: Answering,
  context: ServerContext,
  run: (how: OfferedRequest) => Promise<T>,
): Promise<T> {
  noteClient(server, context, offer);
  const { mcpReq } = context;
  const progressToken = mcpReq._meta?.progressToken;
  let latest = 0;
  let reached = 0;
  let told = 0;
  let total: number | undefined;
  let message: string | undefined;
  let isHeld = false;
  const send = (progress: number) => {
    if (progressToken === undefined || progress <= latest) return;
    latest = progress;
    const params = {
      progressToken,
      progress,
      ...(total !== undefined && total >= progress && { total }),
      ...(message !== undefined && { message: revealHidden(message) }),
    };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  const beat = () => {
    told = 0;
    send(Math.max(reached, latest + heartbeatStep));
  };
  const heart = setInterval(beat, heartbeatMs);
  try {
    return await run({
      signal: mcpReq.signal,
      onProgress(now) {
        ({ progress: reached, total, message } = now);
        told += 1;
        if (told <= maxProgressPerBeat) send(reached);
      },
      onWait(why) {
        message = why;
        beat();
        isHeld = holding !== undefined;
        holding?.hold(mcpReq.id);
      },
      async onBegin() {
        if (isHeld) await holding?.release(mcpReq.id);
        isHeld = false;
      },
    });
  } catch (error) {
    const { code, message: why, data } = toRpcError(error);
    throw new ProtocolError(code, revealHidden(why), data);
  } finally {
    clearInterval(heart);
  }
}

/** Says who the agent claims to be, as soon as that is known. */
function noteClient(server: Server, { mcpReq }: ServerContext, offer: AgentOffer): void {
  noteClaim(offer, server.getClientVersion() ?? asRecord(mcpReq.envelope)[CLIENT_INFO_META_KEY]);
}

/** Notes what an agent says about itself, if it is that. */
export function noteClaim(offer: Pick<AgentOffer, 'noteClient'>, claim: unknown): void {
  const { name, version } = asRecord(claim);
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
