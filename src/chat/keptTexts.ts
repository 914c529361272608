import { formatBytes } from '../base/text';
import type { ContentPart } from '../mcp/modelMessages';

/** What a model may read of a long text at once, and how much of it there is. */
export interface Piece {
  readonly text: string;
  readonly offset: number;
  readonly total: number;
}

const scheme = 'mcp-workbench-result:';
const maxKept = 50;
const maxPiece = 50_000;
/** Of the limit, what the beginning of a long text takes; the rest is for its end. */
const headShare = 0.8;

/** Long texts that models got only a part of, kept to be read in pieces. */
export class KeptTexts {
  private readonly texts = new Map<string, string>();
  private next = 1;

  get isEmpty(): boolean {
    return this.texts.size === 0;
  }

  /** Cuts the texts among `parts` to `limit` characters together, keeping each whole one to be read on. */
  shorten(
    parts: readonly ContentPart[],
    limit: number,
  ): { readonly parts: readonly ContentPart[]; readonly cut: boolean } {
    const total = parts.reduce((sum, part) => sum + lengthOf(part), 0);
    if (total <= limit) return { parts, cut: false };
    const share = limit / total;
    return {
      cut: true,
      parts: parts.map((part) =>
        part.kind === 'text' && part.text.length > 200
          ? { kind: 'text', text: this.cut(part.text, Math.floor(part.text.length * share)) }
          : part,
      ),
    };
  }

  /** A piece of a kept text, in UTF-16 units; `undefined` for a URI of none. */
  read(uri: string, offset = 0, length = maxPiece): Piece | undefined {
    const text = this.texts.get(uri);
    if (text === undefined) return undefined;
    const start = Math.max(0, Math.min(offset, text.length));
    const end = start + Math.max(1, Math.min(length, maxPiece));
    return { text: text.slice(start, end), offset: start, total: text.length };
  }

  private cut(text: string, limit: number): string {
    const uri = `${scheme}/${this.next++}`;
    this.texts.set(uri, text);
    for (const oldest of this.texts.keys()) {
      if (this.texts.size <= maxKept) break;
      this.texts.delete(oldest);
    }
    const head = Math.floor(limit * headShare);
    const tail = limit - head;
    const left = text.length - head - tail;
    return [
      text.slice(0, head),
      `[… ${left} of ${text.length} characters (${formatBytes(text.length)}) are left out here. ` +
        `Read them with readResource: uri ${uri}, offset ${head}, length up to ${maxPiece}.]`,
      text.slice(text.length - tail),
    ].join('\n');
  }
}

/** How many tokens a text takes in most models, roughly. */
export function estimateTokens(parts: readonly ContentPart[]): number {
  return Math.ceil(parts.reduce((sum, part) => sum + lengthOf(part), 0) / 4);
}

function lengthOf(part: ContentPart): number {
  return part.kind === 'text' ? part.text.length : 0;
}
