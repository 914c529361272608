/** How much {@link Latest} keeps. */
export interface LatestBounds {
  readonly maxItems: number;
  /** What all of them take together; the last one stays, whatever it takes. */
  readonly maxBytes: number;
}

/** Decides which things of some size are kept: the latest, and that the oldest go. */
export class Latest<T> {
  private readonly bounds: LatestBounds;
  private readonly drop: (item: T) => void;
  private readonly items: { readonly item: T; readonly bytes: number }[] = [];
  private bytes = 0;

  constructor(bounds: LatestBounds, drop: (item: T) => void) {
    this.bounds = bounds;
    this.drop = drop;
  }

  /** Counts one more, and drops those that it is too much with. */
  add(item: T, bytes: number): void {
    const { maxItems, maxBytes } = this.bounds;
    this.items.push({ item, bytes });
    this.bytes += bytes;
    while (this.items.length > 1 && (this.items.length > maxItems || this.bytes > maxBytes)) {
      const oldest = this.items.shift();
      if (!oldest) return;
      this.bytes -= oldest.bytes;
      this.drop(oldest.item);
    }
  }
}
