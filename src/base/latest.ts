/** The limits of what {@link Latest} keeps. */
export interface LatestBounds {
  readonly maxItems: number;
  /** The size of all items together; the latest one stays, whatever its size. */
  readonly maxBytes: number;
}

/** Decides which items of some size are kept: the latest stay, and the oldest are dropped. */
export class Latest<T> {
  private readonly bounds: LatestBounds;
  private readonly drop: (item: T) => void;
  private readonly items: { readonly item: T; readonly bytes: number }[] = [];
  private bytes = 0;

  constructor(bounds: LatestBounds, drop: (item: T) => void) {
    this.bounds = bounds;
    this.drop = drop;
  }

  /** Adds an item, or one with a new size as the latest, and drops the oldest until the others are within the limits. */
  add(item: T, bytes: number): void {
    const { maxItems, maxBytes } = this.bounds;
    const at = this.items.findIndex((one) => one.item === item);
    if (at >= 0) for (const earlier of this.items.splice(at, 1)) this.bytes -= earlier.bytes;
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
