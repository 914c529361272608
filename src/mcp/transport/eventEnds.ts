import { carriageReturn, lineFeed } from '../../base/bytes/signs';

/** Finds where the events of a stream end that comes in pieces: behind an empty line. */
export class EventEnds {
  /** The two bytes before the piece: an end of a line may be cut in two. */
  private before: readonly (number | undefined)[] = [undefined, undefined];

  /** Where the first event ends that ends in a piece, if one does. */
  first(piece: Uint8Array): number | undefined {
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1))
      if (this.endsAt(piece, at)) return at + 1;
    return undefined;
  }

  /** Where the last event ends that ends in a piece, if one does. */
  last(piece: Uint8Array): number | undefined {
    for (let at = piece.lastIndexOf(lineFeed); at >= 0; at = piece.lastIndexOf(lineFeed, at - 1)) {
      if (this.endsAt(piece, at)) return at + 1;
      if (at === 0) break;
    }
    return undefined;
  }

  /** Goes on to what follows a piece. */
  pass(piece: Uint8Array): void {
    this.before = [...this.before, ...piece.subarray(-2)].slice(-2);
  }

  private endsAt(piece: Uint8Array, at: number): boolean {
    const byteAt = (place: number) => (place < 0 ? this.before[place + 2] : piece[place]);
    const latest = byteAt(byteAt(at - 1) === carriageReturn ? at - 2 : at - 1);
    return latest === lineFeed || latest === carriageReturn;
  }
}
