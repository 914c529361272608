import type { CallToolResult, JsonObject, Tool } from '../mcp/protocol/types';

/** What came back for a call: its result, or the code of a protocol error. */
export type RecentAnswer =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | { readonly kind: 'error'; readonly code: number };

/** A call that the user can save, and what came back, if that is still known. */
export interface RecentCall {
  readonly server: { readonly id: string; readonly name: string };
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly answer?: RecentAnswer;
}

/** Finds the call that a row of the tool log or the traffic stands for, or else the latest one, if there is one. */
export type FindKeptCall = (target: unknown) => RecentCall | undefined;
