import { isRecord, type JsonRecord, canonicalJson } from '../../base/json';
import { errorMessage } from '../../base/errors';
import { ErrorCode, RpcError } from '../protocol/rpcError';
import { entryNamed, type JsonObject, type Tool } from '../protocol/types';
import { paramHeaders } from './paramHeaders';
import type { PeerRequestOptions } from './peer/jsonRpcPeer';
import type { Session, RequestOptions } from './session';
import { callAsTask, needsTask } from './tasks/coreTasks';
import type { CallAnswer } from './tasks/taskState';

/** The listed tools of a server, which can be loaded again. */
interface ToolList {
  readonly items: readonly Tool[];
  refresh(): Promise<void>;
}

/** The call to make, with the definition of the tool when the call was allowed, if it is listed. */
interface WantedCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly tool: Tool | undefined;
}

/**
 * Calls a tool; if a task takes the place of its result, progress is passed on until `progressUntil` is disposed. A
 * server may refuse the headers that repeat the arguments (2026-07-28, -32020): then its tools are listed
 * again, and the call is repeated if only the header marks in the definition have changed, because the call
 * was allowed for everything else in it.
 */
export async function callTool(
  session: Session,
  tools: ToolList,
  { name, args, tool }: WantedCall,
  { meta, progressUntil, ...options }: PeerRequestOptions & Pick<RequestOptions, 'meta'> = {},
): Promise<CallAnswer> {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) };
  const send = async (as: Tool | undefined) => {
    const headers = as && session.usesParamHeaders ? paramHeaders(as.inputSchema, args) : undefined;
    const how = { ...options, headers, acceptsTask: true };
    return { answer: await session.request('tools/call', params, how) };
  };
  if (tool && needsTask(tool, session))
    return callAsTask(session, params, { ...options, progressUntil });
  try {
    return await send(tool);
  } catch (error) {
    if (!tool || !session.usesParamHeaders || !isHeaderMismatch(error)) throw error;
    await tools.refresh();
    const now = entryNamed(tools, name);
    if (!now || withoutMarks(now) !== withoutMarks(tool))
      throw new RpcError(error.code, (t) =>
        t('{0} The tool has changed: call it again.', end(errorMessage(error, t))),
      );
    if (canonicalJson(now) === canonicalJson(tool)) throw error;
    return send(now);
  }
}

function isHeaderMismatch(error: unknown): error is RpcError {
  return error instanceof RpcError && error.code === ErrorCode.headerMismatch;
}

/** Returns the definition of a tool as text without the header marks. */
function withoutMarks(tool: Tool): string {
  return canonicalJson({ ...tool, inputSchema: unmarked(tool.inputSchema) });
}

/** Removes header marks where they are allowed, below `properties` alone; elsewhere, the same word is part of a value. */
function unmarked(schema: JsonRecord): JsonRecord {
  const { 'x-mcp-header': mark, properties, ...rest } = schema;
  return {
    ...rest,
    ...(mark !== undefined && typeof mark !== 'string' && { 'x-mcp-header': mark }),
    ...(properties !== undefined && {
      properties: isRecord(properties)
        ? Object.fromEntries(
            Object.entries(properties).map(([key, part]) => [
              key,
              isRecord(part) ? unmarked(part) : part,
            ]),
          )
        : properties,
    }),
  };
}

function end(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
