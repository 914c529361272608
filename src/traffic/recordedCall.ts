import { asRecord } from '../base/json';
import type { KeptCall } from '../contracts/keptCalls';
import { readCallToolResult } from '../mcp/protocol/results';
import { entryNamed, type JsonObject } from '../mcp/protocol/types';
import { maskedCopy, type Mask } from './maskedCopy';
import type { TrafficRow } from './trafficRow';

/** The call of a tool that a row stands for, and what came back as far as it is known; undefined where it is none. */
export function recordedCall({ traffic, server }: TrafficRow, mask: Mask): KeptCall | undefined {
  const { value, isCut, direction, kind, method, answer } = traffic;
  const { name, arguments: args } = asRecord(asRecord(value)['params']);
  const isCall = direction === 'sent' && kind === 'request' && method === 'tools/call';
  if (!isCall || isCut || typeof name !== 'string') return undefined;
  const result = answer && !answer.isCut ? asRecord(asRecord(answer.value)['result']) : {};
  return {
    server: { id: server.id, name: server.name },
    tool: entryNamed(server.tools, name) ?? { name, inputSchema: {} },
    arguments: asRecord(maskedCopy(args ?? {}, mask)) as JsonObject,
    // What was made a task of has its result elsewhere.
    ...(Array.isArray(result['content']) && { result: readCallToolResult(result) }),
  };
}
