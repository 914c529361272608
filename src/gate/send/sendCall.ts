import {
  readResourceTool,
  type RunToolOptions,
  type SentOutcome,
  type ToolCall,
} from '../../contracts/toolCalls';
import type { CallToolResult } from '../../mcp/protocol/types';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import type { TaskHandle } from '../../mcp/session/tasks/taskState';
import { failedOutcome, resultProblems } from './endCall';

/** Sends a call that was allowed, and says in what way its result is not what the tool promised. */
export async function send(call: ToolCall, schemas: SchemaCheck, options: RunToolOptions) {
  const { server, tool, arguments: args, meta } = call;
  try {
    const result =
      tool === readResourceTool
        ? await readResource(call, options)
        : await server.callTool(tool.name, args, { ...options, meta });
    const problems = await resultProblems(tool, result, schemas);
    return { kind: 'result', result, problems } as const;
  } catch (error) {
    return failedOutcome(error, options.signal);
  }
}

/** Waits for the result of a task, as {@link send} does for the result of a call that is answered right away. */
export async function follow(
  { server, tool }: ToolCall,
  task: TaskHandle,
  schemas: SchemaCheck,
  options: RunToolOptions,
): Promise<SentOutcome> {
  try {
    const result = await server.followTask(tool.name, task, options);
    const problems = await resultProblems(tool, result, schemas);
    return { kind: 'result', result, arguments: {}, edited: false, problems };
  } catch (error) {
    return failedOutcome(error, options.signal);
  }
}

async function readResource(
  { server, arguments: { uri } }: ToolCall,
  options: RunToolOptions,
): Promise<CallToolResult> {
  // The tool's schema requires a URI.
  const { contents } = await server.readResource(typeof uri === 'string' ? uri : '', options);
  return { content: contents.map((resource) => ({ type: 'resource', resource })), isError: false };
}
