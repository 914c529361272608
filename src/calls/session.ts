import { UserError, errorMessage, isCancellation } from '../base/errors';
import { findRpcError } from '../mcp/protocol/rpcError';
import { entryNamed, type CallToolResult, type JsonObject } from '../mcp/protocol/types';
import type { ListKind } from '../mcp/lists/listSpecs';
import type { Server } from '../mcp/server';
import type { AsTask } from '../mcp/session/session';
import type { StepAnswered } from './expect/answer';
import type { StepRequest } from './format/calls';

/** An error: a rule of the user or of an administrator denies a call, so that nothing was sent. */
export class DeniedCallError extends UserError {}

/** How a request is sent. */
interface SendOptions {
  readonly signal: AbortSignal;
  /** What is sent as its `_meta`. */
  readonly meta?: JsonObject | undefined;
  readonly asTask?: AsTask | undefined;
  /** Called when the request goes to the server, where that may be later: the user may be asked before. */
  readonly onSend?: (() => void) | undefined;
}

/** A server on which steps run, for as long as they need it. */
export interface CallsSession {
  readonly server: Server;
  /** Calls a tool, directly or through the gate; rejects like `Server.callTool`. */
  readonly call: (name: string, args: JsonObject, options: SendOptions) => Promise<CallToolResult>;
  readonly end: () => Promise<void>;
}

/** Ends a session; by force once `signal` aborts, however long its server would have had to end. */
export async function endSession(
  { end }: Pick<CallsSession, 'end'>,
  signal: AbortSignal,
): Promise<void> {
  const ending = end();
  // A second end forces the first.
  const force = () => void end().catch(() => {});
  if (signal.aborted) force();
  else signal.addEventListener('abort', force, { once: true });
  try {
    await ending;
  } finally {
    signal.removeEventListener('abort', force);
  }
}

/** Sends a step's request; rejects only on cancellation or if `signal` aborted. */
export async function sendStep(
  session: CallsSession,
  request: StepRequest,
  options: SendOptions,
): Promise<StepAnswered> {
  try {
    const result = await send(session, request, options);
    const { tools } = session.server;
    const tool = request.kind === 'call' ? entryNamed(tools, request.name) : undefined;
    return { kind: 'result', result, tool };
  } catch (error) {
    if (options.signal.aborted || isCancellation(error)) throw error;
    return answerOf(error);
  }
}

function send(
  { server, call }: CallsSession,
  request: StepRequest,
  sending: SendOptions,
): Promise<unknown> {
  const { meta } = request;
  const options = { signal: sending.signal, meta };
  switch (request.kind) {
    case 'call':
      return call(request.name, request.arguments, { ...sending, meta, asTask: request.asTask });
    case 'prompt':
      return server.getPrompt(request.name, texts(request.arguments), options);
    case 'read':
      return server.readResource(request.uri, options);
    case 'complete': {
      const { reference, argument, value, context } = request;
      const ref =
        'prompt' in reference
          ? ({ type: 'ref/prompt', name: reference.prompt } as const)
          : ({ type: 'ref/resource', uri: reference.resource } as const);
      return server.complete(ref, { name: argument, value }, texts(context), options);
    }
    case 'list':
      return loaded(server, request.list);
  }
}

async function loaded(server: Server, kind: ListKind) {
  const list = server[kind];
  await list.refresh();
  if (list.error !== undefined) throw new Error(list.error);
  return { [kind]: list.items };
}

/** Arguments of prompts are strings. */
function texts(values: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/** Turns an error into an answer, with the server's own words if it answered. */
function answerOf(error: unknown): StepAnswered {
  const answered = findRpcError(error);
  return answered
    ? { kind: 'error', code: answered.code, message: answered.message }
    : {
        kind: 'error',
        message: errorMessage(error),
        ...(error instanceof DeniedCallError && { isDenied: true }),
      };
}
