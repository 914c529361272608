import type { TextRange } from '../../base/text/textRange';
import type { ListKind } from '../../mcp/lists/listSpecs';
import type { Json, JsonObject } from '../../mcp/protocol/types';
import type { ServerConfig } from '../../mcp/serverConfig';
import type { ServerLimits } from '../../mcp/serverLimits';

/** What a step asks of a server; strings in it may hold `${variables}`. */
export type StepRequest =
  | { readonly kind: 'call'; readonly name: string; readonly arguments: JsonObject }
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments: JsonObject }
  | { readonly kind: 'read'; readonly uri: string }
  | {
      readonly kind: 'complete';
      readonly reference: { readonly prompt: string } | { readonly resource: string };
      readonly argument: string;
      readonly value: string;
      readonly context: JsonObject;
    }
  | { readonly kind: 'list'; readonly list: ListKind };

/** What the text of a result has to be; all that is given holds. */
export interface TextExpectation {
  readonly equals?: string;
  readonly contains?: string;
  /** A regular expression as of JSON Schema, which matches anywhere. */
  readonly matches?: string;
}

/** What has to be true of an answer; nothing that is absent is looked at. */
export interface Expectation {
  /** Whether the tool says that it failed; `false` where neither this nor `error` is given. */
  readonly isError?: boolean;
  /** The answer is an error of the protocol, with this code and this in its message. */
  readonly error?: { readonly code?: number; readonly contains?: string };
  readonly text?: TextExpectation;
  /** Is part of the value of the result. */
  readonly json?: Json;
  /** Is part of the whole result. */
  readonly result?: Json;
  /** Values by the JSON paths (RFC 9535) at which they are in the value of the result. */
  readonly paths?: JsonObject;
  /** The structured content matches the output schema of the tool. */
  readonly schema?: boolean;
  /** A file beside the calls that holds the whole result. */
  readonly snapshot?: string;
  /** Milliseconds; a longer one is a warning and no failure. */
  readonly maxMs?: number;
}

/** One request and what is expected of its answer. */
export interface CallStep {
  /** Unique in its file. */
  readonly name: string;
  readonly request: StepRequest;
  readonly expect: Expectation;
  /** Variables for later steps, each with the JSON path of its value. */
  readonly save: Readonly<Record<string, string>>;
  /** Its place in `steps`. */
  readonly index: number;
  /** The whole step in the file, and its name. */
  readonly range: TextRange;
  readonly nameRange: TextRange;
}

/** The server that a file is for: one of the workspace by its name, or a launch of its own. */
export type CallsServer =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'own'; readonly config: ServerConfig; readonly limits: ServerLimits };

/** A file of saved calls, read and checked. */
export interface CallsFile {
  readonly server: CallsServer;
  /** One session for all steps, or a new one for each. */
  readonly session: 'file' | 'step';
  readonly variables: JsonObject;
  readonly steps: readonly CallStep[];
}

/** Something in a file that cannot be used: a sentence, and where. */
export interface CallsProblem {
  readonly message: string;
  readonly range: TextRange;
}

/** How the names of such files end. */
export const callsExtension = '.mcp-calls.jsonc';

/** The most steps that are read of one file. */
export const maxCallSteps = 10_000;
