/** Why an answer ended before it was complete. */
export type CutReason = 'maxTokens' | 'stopSequence';

/** The bounds of an answer that the editor's models do not know about. */
export interface AnswerBounds {
  readonly maxTokens: number;
  readonly stopSequences: readonly string[];
  readonly countTokens: (text: string) => PromiseLike<number>;
}

/** Tokens are counted again after this many new characters: a token has at least one, so no more are added uncounted. */
const uncountedGrowth = 64;

/**
 * The text of an answer as it comes in, cut off at the server's bounds: the specification requires every client to
 * respect `maxTokens`.
 */
export class AnswerText {
  private readonly bounds: AnswerBounds;
  private value = '';
  private countedLength = 0;
  private reason: CutReason | undefined;
  /** The tokens of what is said beside the text. */
  private besides = 0;

  constructor(bounds: AnswerBounds) {
    this.bounds = bounds;
  }

  get text(): string {
    return this.value;
  }

  get cut(): CutReason | undefined {
    return this.reason;
  }

  /** Adds a piece; resolves to false if no more is wanted. */
  async add(piece: string): Promise<boolean> {
    if (this.reason) return false;
    // A sequence may begin in an earlier piece.
    const from = this.value.length - Math.max(0, ...this.bounds.stopSequences.map(lengthOf));
    this.value += piece;
    this.cutAtSequence(Math.max(0, from));
    if (this.value.length - this.countedLength >= uncountedGrowth) await this.cutAtTokens();
    return this.reason === undefined;
  }

  /** Applies the limit of tokens to what came last; to be called when the model has ended. */
  async end(): Promise<void> {
    await this.cutAtTokens();
  }

  /** Counts tokens of something beside the text; resolves to false if there is no room for them, which ends the answer. */
  async makeRoom(tokens: number): Promise<boolean> {
    await this.cutAtTokens();
    if (this.reason) return false;
    if ((await this.tokens()) + tokens > this.bounds.maxTokens) {
      this.reason = 'maxTokens';
      return false;
    }
    this.besides += tokens;
    return true;
  }

  /** Counts the tokens of the answer. */
  async tokens(): Promise<number> {
    return (await this.bounds.countTokens(this.value)) + this.besides;
  }

  private cutAtSequence(from: number): void {
    const found = this.bounds.stopSequences
      .map((sequence) => this.value.indexOf(sequence, from))
      .filter((at) => at >= 0);
    if (found.length === 0) return;
    this.value = this.value.slice(0, Math.min(...found));
    this.reason = 'stopSequence';
  }

  private async cutAtTokens(): Promise<void> {
    const { countTokens } = this.bounds;
    const maxTokens = this.bounds.maxTokens - this.besides;
    this.countedLength = this.value.length;
    if (this.value.length <= maxTokens || (await countTokens(this.value)) <= maxTokens) return;
    let fits = 0;
    let tooLong = this.value.length;
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1;
      if ((await countTokens(this.value.slice(0, middle))) <= maxTokens) fits = middle;
      else tooLong = middle;
    }
    const kept = this.value.slice(0, fits);
    this.value = /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
    this.reason = 'maxTokens';
  }
}

function lengthOf(text: string): number {
  return text.length;
}
