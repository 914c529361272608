declare const isWanted: unique symbol;

/** What a call is about as traces may have it, shortened and without secrets; only {@link Tracer.content} makes one. */
export type SpanContent = string & { readonly [isWanted]: true };

/** The attributes that say what a call is about. */
type ContentKey = 'mcp.resource.uri' | 'gen_ai.tool.call.arguments' | 'gen_ai.tool.call.result';

/** The value of an attribute of a span; what is `undefined` is left out. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | undefined> & {
    [Key in ContentKey]?: SpanContent | undefined;
  }
>;

/** What tells a span from all others: its trace and its own id, in lower-case hexadecimal digits (W3C Trace Context). */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** Something that has begun. */
export interface SpanStart {
  readonly name: string;
  /** `client` for a request to a server, whose time is measured, too. */
  readonly kind: 'internal' | 'client';
  readonly parent?: SpanContext | undefined;
  readonly attributes: SpanAttributes;
}

/** How it ended; `error` is a class of errors with few members, such as `timeout`. */
export interface SpanEnd {
  readonly error?: string | undefined;
  readonly attributes?: SpanAttributes;
}

/** Something that goes on until `end`, which only the first call of matters to. */
export interface Span {
  readonly context: SpanContext;
  end(how?: SpanEnd): void;
}

/** Takes down what happens, for the traces that a user or an administrator wants. */
export interface Tracer {
  begin(start: SpanStart): Span;
  /** Makes an attribute of arguments, results and URIs; absent unless the user wants these in traces, too. */
  readonly content: ((value: unknown) => SpanContent) | undefined;
}

/** Returns what takes things down now; `undefined` while traces are off. */
export type Tracing = () => Tracer | undefined;

/** Takes down what takes its time; `endOf` makes the end of the span from what it resolves to. */
export async function traced<T>(
  tracer: Tracer,
  start: SpanStart,
  work: () => Promise<T>,
  endOf: (result: T) => SpanEnd,
): Promise<T> {
  const span = tracer.begin(start);
  try {
    const result = await work();
    span.end(endOf(result));
    return result;
  } catch (error) {
    span.end({ error: '_OTHER' });
    throw error;
  }
}
