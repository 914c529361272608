import { revealHidden } from '../../base/text/text';
import type { ContentPart, ModelContent } from '../../contracts/modelMessages';
import { capImages } from './capImages';

/** What a model may read of a long text at once, where it came from, and how much of it there is. */
export interface Piece {
  readonly text: string;
  readonly offset: number;
  readonly total: number;
  readonly source: string;
}

/** Content within a limit. */
export interface ShortContent extends ModelContent {
  /** True where the model got only a part of the text. */
  readonly isCut: boolean;
}

interface KeptText {
  readonly text: string;
  readonly source: string;
  /** In UTF-16 units, for a piece as for what the model got first. */
  readonly limit: number;
}

const scheme = 'mcp-workbench-result:';
const maxKeptLength = 50_000_000;
const maxPiece = 50_000;
/** Of the limit, what the beginning of a long text takes; the rest is for its end. */
const headShare = 0.8;

/** Long texts that models got only a part of, kept to be read in pieces. */
export class KeptTexts {
  private readonly texts = new Map<string, KeptText>();
  private length = 0;

  get isEmpty(): boolean {
    return this.texts.size === 0;
  }

  /** True for a URI of a text, whether it is still kept or not. */
  isUri(uri: string): boolean {
    return uri.startsWith(scheme);
  }

  /**
   * Keeps content to `limit` characters of text and to a few images: a longer text is cut to its
   * beginning and end, as one, and kept to be read on. Hidden characters are shown, and count so.
   */
  shorten(source: string, content: ModelContent, limit: number): ShortContent {
    const { parts, leftOut } = capImages(content);
    const shown = parts.map((part) =>
      part.kind === 'text' ? { ...part, text: revealHidden(part.text) } : part,
    );
    // Each part counts for one more, so that not even empty ones come without end.
    const total = shown.reduce((sum, part) => sum + lengthOf(part) + 1, 0);
    if (total <= limit) return { parts: shown, leftOut, isCut: false };
    const text = shown.flatMap((part) => (part.kind === 'text' ? part.text : [])).join('\n');
    const images = shown.filter(({ kind }) => kind !== 'text');
    const cut = this.cut({ text, source, limit: Math.min(limit, maxPiece) }, limit);
    return { parts: [{ kind: 'text', text: cut }, ...images], leftOut, isCut: true };
  }

  /** A piece of a kept text, in UTF-16 units; `undefined` for a URI of none. */
  read(uri: string, offset = 0, length = maxPiece): Piece | undefined {
    const kept = this.texts.get(uri);
    if (!kept) return undefined;
    const { text, source, limit } = kept;
    const start = Math.max(0, Math.min(offset, text.length));
    const end = start + Math.max(2, Math.min(length, limit));
    const piece = text.slice(start, wholeBefore(text, end));
    return { text: piece, offset: start, total: text.length, source };
  }

  private cut(kept: KeptText, limit: number): string {
    const { text } = kept;
    const uri = this.keep(kept);
    const note = (from: number, to: number) =>
      `\n[… The characters ${from} to ${to} of ${text.length} are left out here. ` +
      `Read them with readResource: uri ${uri}, offset ${from}, length up to ${kept.limit}.]\n`;
    const room = Math.max(0, limit - note(text.length, text.length).length);
    const head = wholeBefore(text, Math.floor(room * headShare));
    const tail = wholeBefore(text, text.length - (room - head) + 1);
    return text.slice(0, head) + note(head, tail) + text.slice(tail);
  }

  /** Keeps a text, the oldest making room, and gives a URI that nobody can guess. */
  private keep(kept: KeptText): string {
    const uri = `${scheme}/${crypto.randomUUID()}`;
    this.texts.set(uri, kept);
    this.length += kept.text.length;
    for (const [oldest, { text }] of this.texts) {
      if (this.length <= maxKeptLength || oldest === uri) break;
      this.texts.delete(oldest);
      this.length -= text.length;
    }
    return uri;
  }
}

/** How many tokens a text takes in most models, roughly. */
export function estimateTokens(parts: readonly ContentPart[]): number {
  return Math.ceil(parts.reduce((sum, part) => sum + lengthOf(part), 0) / 4);
}

function lengthOf(part: ContentPart): number {
  return part.kind === 'text' ? part.text.length : 0;
}

/** The place itself, or the one before where it would cut a character in two. */
function wholeBefore(text: string, at: number): number {
  const isCut = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
  return isCut ? at - 1 : at;
}
