import { withoutDump } from './text/schemaDump';
import { shownText } from './text/text';
import { inEnglish, type Sentence, type Translate } from './translate';

/** An error that says a sentence of ours: its message has it in English, {@link errorMessage} in any language. */
export class WordedError extends Error {
  private readonly said: string | Sentence;

  constructor(said: string | Sentence, options?: ErrorOptions) {
    super(typeof said === 'string' ? said : said(inEnglish), options);
    this.said = said;
  }

  /** The message in the language of `t`; what was worded already, or comes from a server, stays as it is. */
  worded(t: Translate): string {
    return typeof this.said === 'string' ? this.message : this.said(t);
  }
}

/** An error whose message is a whole sentence fit to show to a user. */
export class UserError extends WordedError {
  override readonly name = 'UserError';
}

/** Says which file was not changed, and why; the user can be led there. */
export class UnchangedFileError extends UserError {
  readonly file: string;

  /** `file` is its address, `path` what people call it. */
  constructor(file: string, path: string, reason: UserError) {
    super((t) => t('{0} was not changed: {1}', path, reason.worded(t)), { cause: reason });
    this.file = file;
  }
}

/** The request was withdrawn on purpose: nothing to report. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';

  constructor(message = 'Cancelled') {
    super(message);
  }
}

/**
 * The message of anything that was thrown, causes included where it is no sentence of ours, in one line;
 * in English for logs, models and servers, with `t` for users.
 */
export function errorMessage(error: unknown, t: Translate = inEnglish): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UserError) return error.worded(t);
  const message = error instanceof WordedError ? error.worded(t) : error.message;
  return withCause(withoutDump(message), error, t);
}

/** No chain of causes is followed further; one may lead back to itself. */
const deepestCause = 5;

/** An error, what it was thrown for, and so on: five at most. */
export function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < deepestCause; one = one.cause)
    causes.push(one);
  return causes;
}

function withCause(message: string, error: Error, t: Translate): string {
  const cause = error.cause instanceof Error ? errorMessage(error.cause, t) : '';
  return cause && !message.includes(cause) ? `${message} (${cause})` : message;
}

/** A message may hold all that a server sent: a log takes so much of an error, in UTF-16 units. */
const longestDetail = 10_000;

/** What is known of an error, for a log: stack and causes over several lines, hidden characters shown. */
export function errorDetail(error: unknown): string {
  return shownText(wholeDetail(error), longestDetail);
}

function wholeDetail(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? `${error.name}: ${error.message}`;
  const own = stack.replace(error.message, () => withoutDump(error.message));
  return error.cause === undefined ? own : `${own}\nCaused by: ${wholeDetail(error.cause)}`;
}

/** True for errors that say that a user or a caller withdrew the request. */
export function isCancellation(error: unknown): boolean {
  return error instanceof CancelledError || isAbort(error);
}

/** True for the error of a platform's `AbortSignal`, which has no class of its own. */
export function isAbort(error: unknown): boolean {
  // oxlint-disable-next-line names/no-error-names -- the platform's name, which no build changes
  return error instanceof Error && error.name === 'AbortError';
}

/** True for the error of `AbortSignal.timeout`, which has no class of its own. */
export function isTimeout(error: unknown): boolean {
  // oxlint-disable-next-line names/no-error-names -- the platform's name, which no build changes
  return error instanceof Error && error.name === 'TimeoutError';
}
