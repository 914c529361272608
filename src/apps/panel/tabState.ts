import { isRecord } from '../../base/json';
import { measureJson } from '../../base/measureJson';
import type { CallToolResult, JsonObject } from '../../mcp/protocol/types';

/** The call that an app shows, as far as it is known. */
export interface ShownCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly result?: CallToolResult;
}

/** What the editor keeps of an app's tab for the next window. */
export interface TabState {
  readonly serverId: string;
  readonly uri: string;
  readonly call?: ShownCall;
  /** The call was too large to be kept. */
  readonly isCut?: boolean;
}

/** The most apps that are open at once. */
export const maxOpenApps = 20;

/** How much of a call is kept with a tab, as JSON. */
export const maxStateBytes = 2_000_000;

/** The state to keep: without the call where that is too large. */
export function keptState({ call, ...rest }: TabState): TabState {
  if (!call) return rest;
  return measureJson(call).bytes <= maxStateBytes ? { ...rest, call } : { ...rest, isCut: true };
}

/** Reads what an earlier window kept; `undefined` where it is none of ours. */
export function readState(value: unknown): TabState | undefined {
  if (!isRecord(value)) return undefined;
  const { serverId, uri, call, isCut } = value;
  if (typeof serverId !== 'string' || typeof uri !== 'string') return undefined;
  return {
    serverId,
    uri,
    ...(isCall(call) && { call }),
    ...(isCut === true && { isCut }),
  };
}

function isCall(value: unknown): value is ShownCall {
  return isRecord(value) && typeof value['tool'] === 'string' && isRecord(value['arguments']);
}
