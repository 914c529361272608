import { tokensIn } from '../../base/measureJson';
import { formatBytes, revealHidden } from '../../base/text/text';
import type { ContentPart, ModelContent } from '../../contracts/modelMessages';
import { type LocalizableMessage, inEnglish } from '../../base/translate';

const maxImages = 20;
const maxBytes = 10_000_000;

/**
 * Keeps the first images of a result, limited by number and bytes, and replaces each of the others with a short
 * text.
 */
function capImages({ parts, leftOut }: ModelContent): ModelContent {
  const given = { images: 0, bytes: 0 };
  const over = { images: 0, bytes: 0 };
  const capped = parts.map((part): ContentPart => {
    if (part.kind === 'text') return part;
    const bytes = part.base64.length * 0.75 + part.mimeType.length;
    const fits = given.images < maxImages && given.bytes + bytes <= maxBytes;
    const sum = fits ? given : over;
    sum.images += 1;
    sum.bytes += bytes;
    return fits ? part : { kind: 'text', text: '[Not included: an image]' };
  });
  if (over.images === 0) return { parts, leftOut };
  const note: LocalizableMessage = (t) =>
    t(
      '{0} images ({1}): of one result a model is given {2} with {3} at most',
      String(over.images),
      formatBytes(Math.round(over.bytes)),
      String(maxImages),
      formatBytes(maxBytes),
    );
  return {
    parts: [...capped, { kind: 'text', text: `[Not included: ${note(inEnglish)}]` }],
    leftOut: [...leftOut, note],
  };
}

/** A piece of a long text that a model reads at once, with the source and the total length of the text. */
export interface TextPiece {
  readonly text: string;
  readonly offset: number;
  readonly total: number;
  readonly source: string;
}

/** Content for a model, shortened to the limit that it was given. */
export interface ShortContent extends ModelContent {
  /** True if the model got only a part of the text. */
  readonly isCut: boolean;
}

interface CutText {
  readonly text: string;
  readonly source: string;
  /** The longest piece, and the most that the model got at first, in UTF-16 units. */
  readonly limit: number;
}

const scheme = 'mcp-workbench-result:';
const maxKeptLength = 50_000_000;
const maxPiece = 50_000;
/** The share of the limit for the beginning of a long text; the rest is for its end. */
const headShare = 0.8;

/** Long texts that models got only a part of, kept to be read in pieces. */
export class CutTexts {
  private readonly texts = new Map<string, CutText>();
  private length = 0;

  get isEmpty(): boolean {
    return this.texts.size === 0;
  }

  /** True for the URI of a text, whether or not the text is still kept. */
  isUri(uri: string): boolean {
    return uri.startsWith(scheme);
  }

  /**
   * Limits content to `limit` characters of text and to a few images: longer text is joined, cut to its beginning
   * and end, and kept so that the rest can be read. Hidden characters are made visible, and count that way.
   */
  shorten(source: string, content: ModelContent, limit: number): ShortContent {
    const { parts, leftOut } = capImages(content);
    const shown = parts.map((part) =>
      part.kind === 'text' ? { ...part, text: revealHidden(part.text) } : part,
    );
    // Each part counts as one character more, so that even the number of empty parts is limited.
    const total = shown.reduce((sum, part) => sum + lengthOf(part) + 1, 0);
    if (total <= limit) return { parts: shown, leftOut, isCut: false };
    const text = shown.flatMap((part) => (part.kind === 'text' ? part.text : [])).join('\n');
    const images = shown.filter(({ kind }) => kind !== 'text');
    const cut = this.cut({ text, source, limit: Math.min(limit, maxPiece) }, limit);
    return { parts: [{ kind: 'text', text: cut }, ...images], leftOut, isCut: true };
  }

  /**
   * Returns a piece of a kept text, with offset and length in UTF-16 units; `undefined` if no text with this URI
   * is kept.
   */
  read(uri: string, offset = 0, length = maxPiece): TextPiece | undefined {
    const kept = this.texts.get(uri);
    if (!kept) return undefined;
    const { text, source, limit } = kept;
    const start = Math.max(0, Math.min(offset, text.length));
    const end = start + Math.max(2, Math.min(length, limit));
    const piece = text.slice(start, wholeBefore(text, end));
    return { text: piece, offset: start, total: text.length, source };
  }

  private cut(kept: CutText, limit: number): string {
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

  /** Keeps a text, discarding the oldest ones if necessary, and returns a URI that nobody can guess. */
  private keep(kept: CutText): string {
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

/** Estimates how many tokens the text of these parts takes in most models. */
export function estimateTokens(parts: readonly ContentPart[]): number {
  return tokensIn(parts.reduce((sum, part) => sum + lengthOf(part), 0));
}

function lengthOf(part: ContentPart): number {
  return part.kind === 'text' ? part.text.length : 0;
}

/** Returns the index itself, or the one before if it would cut a character in two. */
function wholeBefore(text: string, at: number): number {
  const isCut = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
  return isCut ? at - 1 : at;
}
