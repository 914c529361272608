import { isRecord } from '../../base/json';
import { measureJson } from '../../base/measureJson';
import type { CallToolResult, JsonObject } from '../../mcp/protocol/types';

/** The call that an app shows, as far as it is known. */
export interface ShownCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly result?: CallToolResult;
}

/** The state of an app's tab that the editor keeps for the next window. */
export interface TabState {
  readonly serverId: string;
  readonly uri: string;
  readonly call?: ShownCall;
  /** True if the call was too large to keep. */
  readonly isCut?: boolean;
}

/** At most this many apps are open at a time. */
export const maxOpenApps = 20;

/** The largest call that is kept with a tab, in bytes of JSON. */
export const maxStateBytes = 2_000_000;

/** Returns the state to keep, without the call if that is too large. */
export function keptState({ call, ...rest }: TabState): TabState {
  if (!call) return rest;
  return measureJson(call).bytes <= maxStateBytes ? { ...rest, call } : { ...rest, isCut: true };
}

/** Reads what an earlier window kept; `undefined` if it is not the state of a tab. */
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
