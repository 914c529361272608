import type { TrafficEntry } from '../mcp/traffic/trafficEntry';
import { shownValue } from './entryJson';
import type { Mask } from '../base/secrets/maskedCopy';

/** A filter for entries that contain every word, in their kind, their method, or what was sent or answered. */
export class TrafficFilter {
  readonly text: string;
  private readonly words: readonly string[];
  private readonly mask: Mask;
  /** Whether an entry fits: each is searched once, and again when its answer arrives. */
  private readonly known = new WeakMap<object, boolean>();

  constructor(text: string, mask: Mask) {
    this.text = text.trim();
    this.words = this.text.toLowerCase().split(/\s+/).filter(Boolean);
    this.mask = mask;
  }

  /** True if the entry is to be shown. */
  fits(entry: TrafficEntry): boolean {
    if (this.words.length === 0) return true;
    const key = entry.answer ?? entry;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const messages = entry.answer ? [entry, entry.answer] : [entry];
    const parts = messages.map((one) => JSON.stringify(shownValue(entry, one, this.mask)));
    const text = [entry.kind, entry.method, ...parts].join('\n').toLowerCase();
    const fits = this.words.every((word) => text.includes(word));
    this.known.set(key, fits);
    return fits;
  }
}
