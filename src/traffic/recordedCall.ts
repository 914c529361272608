import { asRecord } from '../base/json';
import {
  isRecordable,
  maskedMessage,
  type RecordedMessage,
  type Recording,
} from '../calls/recording/recording';
import type { RecentAnswer, RecentCall } from '../contracts/recentCalls';
import { readCallToolResult } from '../mcp/protocol/results';
import { entryNamed, type JsonObject } from '../mcp/protocol/types';
import { outcomeOfEntry, type TrafficEntry } from '../mcp/traffic/trafficEntry';
import { maskedCopy, type Mask } from '../base/secrets/maskedCopy';
import type { TrafficRow } from './trafficRow';

/**
 * Returns the tool call that a row stands for, and its answer if known; `undefined` if the row is not a tool call
 * or not whole.
 */
export function recordedCall({ traffic, server }: TrafficRow, mask: Mask): RecentCall | undefined {
  const { value, isCut, direction, kind, method } = traffic;
  const { name, arguments: args } = asRecord(asRecord(value)['params']);
  const isCall = direction === 'sent' && kind === 'request' && method === 'tools/call';
  if (!isCall || isCut || typeof name !== 'string') return undefined;
  const answer = answerOf(traffic);
  return {
    server: { id: server.id, name: server.name },
    tool: entryNamed(server.tools, name) ?? { name, inputSchema: {} },
    arguments: asRecord(maskedCopy(args ?? {}, mask)) as JsonObject,
    ...(answer && { answer }),
  };
}

function answerOf(entry: TrafficEntry): RecentAnswer | undefined {
  const { answer } = entry;
  if (!answer || answer.isCut) return undefined;
  const outcome = outcomeOfEntry(entry);
  if (outcome.kind === 'error')
    return typeof outcome.code === 'number' ? { kind: 'error', code: outcome.code } : undefined;
  const result = asRecord(asRecord(answer.value)['result']);
  // The result of a call that became a task is elsewhere.
  return Array.isArray(result['content'])
    ? { kind: 'result', result: readCallToolResult(result) }
    : undefined;
}

/**
 * Returns what was sent and received as a recording, the oldest first, without secrets; what was too large to keep whole
 * is left out and counted.
 */
export function recordingOfTraffic(
  entries: readonly TrafficEntry[],
  server: string,
  mask: Mask,
): { readonly recording: Recording; readonly left: number } {
  const kept = entries.filter(({ kind }) => kind !== 'stderr');
  const began = Math.min(...kept.map(({ time }) => time));
  let left = 0;
  const messages = kept.flatMap(({ time, direction, answer, value, isCut }) => {
    const at = time - began;
    const from = direction === 'sent' ? 'client' : 'server';
    const to = from === 'client' ? 'server' : 'client';
    return [
      { at, from, value, isCut } as const,
      ...(answer ? [{ ...answer, at: at + Math.round(answer.durationMs), from: to } as const] : []),
    ].flatMap((one): RecordedMessage[] => {
      const message = maskedMessage(one.value, mask);
      const isWhole = !one.isCut && isRecordable(message);
      if (!isWhole) left += 1;
      return isWhole ? [{ at: one.at, from: one.from, message }] : [];
    });
  });
  // An answer belongs where it arrived.
  const inOrder = messages.toSorted((a, b) => a.at - b.at);
  const recorded = kept.length > 0 ? new Date(began).toISOString() : '';
  return { recording: { server, recorded, rules: [], messages: inOrder }, left };
}
