import { type Node, getNodeValue } from 'jsonc-parser';
import type { JsoncReading, TextRange } from '../../base/text/jsonc';
import type { ListKind } from '../../mcp/lists/listSpecs';
import type { Json, JsonObject } from '../../mcp/protocol/types';
import type { ServerConfig, ServerLimits } from '../../mcp/serverConfig';
import type { AsTask } from '../../mcp/session/session';

/** What the path of a snapshot must be, as the rest of a sentence. */
export const snapshotRule =
  'must be the relative path of a .json file in the folder of this file or below, none of them hidden';

/** True for the path of a `.json` file in the folder of the calls, or below it, through no hidden folder. */
export function isSnapshotPath(path: string): boolean {
  const leaves = /^[\\/]|^\w+:|\\/.test(path);
  const isHidden = (step: string) => step.startsWith('.') && step !== '.';
  return !leaves && !path.split('/').some(isHidden) && path.endsWith('.json');
}

/** What a step requests from a server; strings in it may contain `${variables}`. `meta` is sent as its `_meta`. */
export type StepRequest = { readonly meta?: JsonObject } & (
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly arguments: JsonObject;
      readonly asTask?: AsTask;
    }
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments: JsonObject }
  | { readonly kind: 'read'; readonly uri: string }
  | {
      readonly kind: 'complete';
      readonly reference: { readonly prompt: string } | { readonly resource: string };
      readonly argument: string;
      readonly value: string;
      readonly context: JsonObject;
    }
  | { readonly kind: 'list'; readonly list: ListKind }
);

/** Returns a name for a step that has none, made from its request. */
export function describeRequest(request: StepRequest): string {
  switch (request.kind) {
    case 'call':
    case 'prompt':
      return request.name;
    case 'read':
      return request.uri;
    case 'complete':
      return `complete ${request.argument}`;
    case 'list':
      return `list ${request.list}`;
  }
}

/** What the text of a result must be; everything that is given must hold. */
export interface TextExpectation {
  readonly equals?: string;
  readonly contains?: string;
  /** A regular expression as in JSON Schema, which matches anywhere in the text. */
  readonly matches?: string;
}

/** What a server's questions are answered with: each as the protocol has it, or as an `error`; a text is one of a model. */
export interface GivenAnswers {
  readonly sampling?: readonly (JsonObject | string)[];
  readonly elicitation?: readonly JsonObject[];
  /** Their URIs may be relative to the folder of the file. */
  readonly roots?: readonly { readonly uri: string; readonly name?: string }[];
}

const actions = ['accept', 'decline', 'cancel'];

/** The kinds of questions that can be answered: which answers are usable, and what they must be. */
export const answerKinds: {
  readonly [K in keyof GivenAnswers]-?: {
    readonly isUsable: (value: unknown) => boolean;
    readonly rule: string;
  };
} = {
  sampling: {
    isUsable: (value) =>
      typeof value === 'string' ||
      (isJsonObject(value) && (value['content'] !== undefined || isError(value['error']))),
    rule: 'must be a text, or have "content", or an "error" with "code" and "message"',
  },
  elicitation: {
    isUsable: (value) =>
      isJsonObject(value) &&
      (actions.some((action) => action === value['action']) || isError(value['error'])),
    rule: 'must have an "action" (accept, decline or cancel), or an "error" with "code" and "message"',
  },
  roots: {
    isUsable: (value) =>
      isJsonObject(value) &&
      typeof value['uri'] === 'string' &&
      ['string', 'undefined'].includes(typeof value['name']),
    rule: 'must have a "uri", and may have a "name"',
  },
};

/** True for JSON objects. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isError(value: unknown): boolean {
  return (
    isJsonObject(value) && Number.isInteger(value['code']) && typeof value['message'] === 'string'
  );
}

/** At most this many answers, or roots, are read from one list. */
export const maxGivenAnswers = 1000;

/** What must be true of an answer; absent fields are not checked, except for `isError`. */
export interface Expectation {
  /** Whether the tool must report that it failed; `false` if neither this nor `error` is given. */
  readonly isError?: boolean;
  /** The answer must be a protocol error, with this code and this text in its message. */
  readonly error?: { readonly code?: number; readonly contains?: string };
  readonly text?: TextExpectation;
  /** Must be part of the value of the result. */
  readonly json?: Json;
  /** Must be part of the whole result. */
  readonly result?: Json;
  /** What the value of the result must contain at each of these JSON paths (RFC 9535). */
  readonly paths?: JsonObject;
  /** Whether the structured content must match the output schema of the tool. */
  readonly schema?: boolean;
  /** The path, relative to the calls, of a file with the whole expected result. */
  readonly snapshot?: string;
  /** Must be parts of the questions that the server asked meanwhile, each with its `method` and `params`, in order. */
  readonly asked?: readonly Json[];
  /** In milliseconds; taking longer is a warning, not a failure. */
  readonly maxMs?: number;
}

/** One request and what is expected of its answer. */
export interface CallStep {
  /** Unique in its file. */
  readonly name: string;
  readonly request: StepRequest;
  readonly expect: Expectation;
  /** Used in place of those of the file, kind by kind. */
  readonly answers?: GivenAnswers;
  /** Variables for later steps, each with the JSON path of its value. */
  readonly save: Readonly<Record<string, string>>;
  /** Its index in `steps`. */
  readonly index: number;
  /** Where the whole step is in the file, and where its name is. */
  readonly range: TextRange;
  readonly nameRange: TextRange;
}

/** The server that a file is for: one of the workspace by its name, or a launch of its own. */
export type CallsServer =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'own'; readonly config: ServerConfig; readonly limits: ServerLimits };

/** Where the steps of a file run. */
export const sessionKinds = ['file', 'step', 'running'] as const;

/** A file of saved calls, read and checked. */
export interface CallsFile {
  readonly server: CallsServer;
  /** One session for all steps, or a new one for each; `running` is the one that the editor uses already. */
  readonly session: (typeof sessionKinds)[number];
  readonly variables: JsonObject;
  readonly answers?: GivenAnswers;
  readonly steps: readonly CallStep[];
}

/** Something in a file that cannot be used: why, as a sentence, and where. */
export interface CallsProblem {
  readonly message: string;
  readonly range: TextRange;
}

/** Reads the fields of an object in a parsed file; each value of the wrong type becomes a problem with its range. */
export class FieldReader {
  readonly problems: CallsProblem[];
  private readonly root: Node;
  private readonly rangeOf: JsoncReading['rangeOf'];
  private readonly fields: ReadonlyMap<string, Node>;

  constructor(root: Node, rangeOf: JsoncReading['rangeOf'], problems: CallsProblem[] = []) {
    this.root = root;
    this.rangeOf = rangeOf;
    this.problems = problems;
    this.fields = new Map(
      (root.children ?? []).flatMap(({ children: [key, value] = [] }) =>
        key && value ? [[String(key.value), value]] : [],
      ),
    );
  }

  /** Returns a reader for an object inside; `undefined` if there is none, or the value is not an object. */
  inside(name: string): FieldReader | undefined {
    const node = this.fields.get(name);
    if (!node) return undefined;
    if (node.type === 'object') return new FieldReader(node, this.rangeOf, this.problems);
    this.fail(`"${name}" must be an object.`, node);
    return undefined;
  }

  /** Returns a reader for each object in a list; any other member becomes a problem. */
  list(name: string): readonly FieldReader[] {
    const node = this.fields.get(name);
    if (!node) return [];
    if (node.type !== 'array') {
      this.fail(`"${name}" must be a list.`, node);
      return [];
    }
    return (node.children ?? []).flatMap((child, index) => {
      if (child.type === 'object') return [new FieldReader(child, this.rangeOf, this.problems)];
      this.fail(`Entry ${index + 1} of "${name}" must be an object.`, child);
      return [];
    });
  }

  has(name: string): boolean {
    return this.fields.get(name) !== undefined;
  }

  value(name: string): Json | undefined {
    const node = this.fields.get(name);
    return node && (getNodeValue(node) as Json);
  }

  text(name: string): string | undefined {
    return this.typed(name, 'a string', (value) => typeof value === 'string');
  }

  number(name: string): number | undefined {
    return this.typed(name, 'a number', (value) => typeof value === 'number');
  }

  flag(name: string): boolean | undefined {
    return this.typed(name, 'true or false', (value) => typeof value === 'boolean');
  }

  object(name: string): JsonObject | undefined {
    return this.typed(name, 'an object', isJsonObject);
  }

  values(name: string): readonly Json[] | undefined {
    return this.typed(name, 'a list', (value): value is readonly Json[] => Array.isArray(value));
  }

  /** Adds a problem for every field other than these. */
  allow(...names: readonly string[]): void {
    for (const { children: [key] = [] } of this.root.children ?? [])
      if (key && !names.includes(String(key.value)))
        this.fail(`"${String(key.value)}" is not known here. Known: ${names.join(', ')}.`, key);
  }

  /** Adds a problem, at the named field if there is one. */
  problem(message: string, name?: string): void {
    this.fail(message, (name === undefined ? undefined : this.fields.get(name)) ?? this.root);
  }

  range(name?: string): TextRange {
    return this.rangeOf((name === undefined ? undefined : this.fields.get(name)) ?? this.root);
  }

  private typed<T extends Json>(
    name: string,
    kind: string,
    isOfKind: (value: unknown) => value is T,
  ): T | undefined {
    const value: unknown = this.value(name);
    if (value === undefined || isOfKind(value)) return value;
    this.problem(`"${name}" must be ${kind}.`, name);
    return undefined;
  }

  private fail(message: string, node: Node): void {
    this.problems.push({ message, range: this.rangeOf(node) });
  }
}

/** The extension of such files. */
export const callsExtension = '.mcp-calls.jsonc';

/** The largest such file that is read, in bytes. */
export const maxCallsBytes = 5_000_000;

/** At most this many steps are read from one file. */
export const maxCallSteps = 10_000;
