import { formatBytes } from '../base/text';
import { toParts, type Part } from '../mcp/content';
import type { CallToolResult } from '../mcp/protocol';
import type { ToolOutcome } from '../mcp/toolCalls';
import type { ContentPart } from './conversation';

/** Content for a model, and a sentence for each piece that it could not be given. */
export interface ModelContent {
  readonly parts: readonly ContentPart[];
  readonly leftOut: readonly string[];
}

/** Parts as a model takes them: text, documents and images; the rest is named in words. */
export function toModelContentParts(parts: readonly Part[]): ModelContent {
  const leftOut: string[] = [];
  const content = parts.map((part): ContentPart => {
    switch (part.kind) {
      case 'text':
        return part;
      case 'document':
        return { kind: 'text', text: `Resource ${part.uri}:\n${part.text}` };
      case 'link':
        return { kind: 'text', text: `Link to the resource ${part.uri} (${part.name})` };
      case 'binary': {
        if (part.media === 'image')
          return { kind: 'data', mimeType: part.mimeType, base64: toBase64(part.bytes) };
        const size = formatBytes(part.bytes.length);
        const what = `${part.uri ?? part.media} (${part.mimeType}, ${size})`;
        leftOut.push(what);
        return { kind: 'text', text: `[Not included: ${what}]` };
      }
      case 'problem':
        leftOut.push(part.message);
        return { kind: 'text', text: `[${part.message}]` };
    }
  });
  return { parts: content, leftOut };
}

/** What the model is told of a call that it asked for. */
export function outcomeContent(outcome: ToolOutcome): ModelContent {
  switch (outcome.kind) {
    case 'result':
      return resultContent(outcome.result, outcome.problems);
    case 'denied':
      return words(
        `The call was denied by ${outcome.by === 'person' ? 'the person' : 'a rule'}.` +
          (outcome.reason ? ` The reason given: ${outcome.reason}` : ''),
      );
    case 'failed':
      return words(`The call failed: ${outcome.message}`);
    case 'cancelled':
      return words('The call was cancelled.');
    case 'background':
      return words('The call runs on in the background; its result is not there yet.');
  }
}

function resultContent(result: CallToolResult, problems: readonly string[]): ModelContent {
  const { parts, leftOut } = toModelContentParts(toParts(result.content));
  const structured = JSON.stringify(result.structuredContent);
  return {
    parts: [
      ...(result.isError ? [text('The tool reported an error:')] : []),
      ...parts,
      ...(structured === undefined ? [] : [text(`Structured content: ${structured}`)]),
      ...problems.map((problem) => text(`Note: ${problem}`)),
    ],
    leftOut,
  };
}

function words(sentence: string): ModelContent {
  return { parts: [text(sentence)], leftOut: [] };
}

function text(value: string): ContentPart {
  return { kind: 'text', text: value };
}

function toBase64(bytes: Uint8Array): string {
  const chunk = 0x8000;
  let binary = '';
  for (let at = 0; at < bytes.length; at += chunk)
    binary += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(binary);
}
