import { carriageReturn, lineFeed } from '../../base/bytes/signs';

/** Finds where events end in a stream that arrives in pieces: after an empty line. */
export class EventEnds {
  /** The two bytes before the piece, since a line ending may be split between pieces. */
  private before: readonly (number | undefined)[] = [undefined, undefined];

  /** Returns the index after the first event that ends in a piece; `undefined` if none does. */
  first(piece: Uint8Array): number | undefined {
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1))
      if (this.endsAt(piece, at)) return at + 1;
    return undefined;
  }

  /** Returns the index after the last event that ends in a piece; `undefined` if none does. */
  last(piece: Uint8Array): number | undefined {
    for (let at = piece.lastIndexOf(lineFeed); at >= 0; at = piece.lastIndexOf(lineFeed, at - 1)) {
      if (this.endsAt(piece, at)) return at + 1;
      if (at === 0) break;
    }
    return undefined;
  }

  /** Moves on to what follows a piece. */
  pass(piece: Uint8Array): void {
    this.before = [...this.before, ...piece.subarray(-2)].slice(-2);
  }

  private endsAt(piece: Uint8Array, at: number): boolean {
    const byteAt = (place: number) => (place < 0 ? this.before[place + 2] : piece[place]);
    const latest = byteAt(byteAt(at - 1) === carriageReturn ? at - 2 : at - 1);
    return latest === lineFeed || latest === carriageReturn;
  }
}
