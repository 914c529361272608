import type { CallToolResult, JsonObject, Tool } from '../mcp/protocol/types';

/** What came back for a call: its result, or the code of an error of the protocol. */
export type KeptAnswer =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | { readonly kind: 'error'; readonly code: number };

/** A call that the user chose to keep, and what came back where that is still known. */
export interface KeptCall {
  readonly server: { readonly id: string; readonly name: string };
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly answer?: KeptAnswer;
}

/** The call that a row of the tool log or the active result stands for; nothing where there is none. */
export type FindKeptCall = (target: unknown) => KeptCall | undefined;
