import type { SpanAttributes, SpanContext, SpanStart, Tracer } from '../../../src/base/tracing';

/** A span as a test sees it: what it began with, and how it ended, if it has. */
export interface RecordedSpan extends SpanStart {
  readonly context: SpanContext;
  ended?: { readonly error: string | undefined; readonly attributes: SpanAttributes };
}

/** Makes a tracer that keeps the spans, with ids in the order in which they began. */
export function recordingTracer(content?: (value: unknown) => string) {
  const spans: RecordedSpan[] = [];
  const tracer: Tracer = {
    content: content as Tracer['content'],
    begin(start) {
      const at = (spans.length + 1).toString(16);
      const context = { traceId: at.padStart(32, '0'), spanId: at.padStart(16, '0') };
      const span: RecordedSpan = { ...start, context };
      spans.push(span);
      return {
        context,
        end: ({ error, attributes = {} } = {}) => (span.ended ??= { error, attributes }),
      };
    },
  };
  return { tracer, spans };
}
