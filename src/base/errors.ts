import { withoutDump } from './text/jsonText';
import { shownText, withoutColors } from './text/text';
import { asideText, inEnglish, type LocalizableMessage, type Translate } from './translate';

/** An error with a sentence of our own: in English as its message, in any language through {@link errorMessage}. */
export class LocalizedError extends Error {
  private readonly said: string | LocalizableMessage;

  constructor(said: string | LocalizableMessage, options?: ErrorOptions) {
    super(typeof said === 'string' ? said : said(inEnglish), options);
    this.said = said;
  }

  /** Returns the message in the language of `t`; text that is already worded, or comes from a server, stays as it is. */
  worded(t: Translate): string {
    return typeof this.said === 'string' ? this.message : this.said(t);
  }
}

/** An error whose message is a complete sentence that can be shown to a user. */
export class UserError extends LocalizedError {
  override readonly name = 'UserError';
}

/** An error for what the user has just put off or refused themselves: models and servers are told of it, the user is not. */
export class PutOffError extends UserError {}

/** An error that says which file was not changed, and why; the user can be taken to the file. */
export class UnchangedFileError extends UserError {
  readonly file: string;

  /** `file` is its address, `path` how users see it. */
  constructor(file: string, path: string, reason: UserError) {
    super((t) => t('{0} was not changed: {1}', path, reason.worded(t)), { cause: reason });
    this.file = file;
  }
}

/** An error for a request that was cancelled on purpose: there is nothing to report. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';

  constructor(message = 'Cancelled') {
    super(message);
  }
}

/**
 * Returns the message of anything that was thrown, including its causes unless it is a {@link UserError};
 * in English for logs, models and servers, in the language of `t` and without colors for users.
 */
export function errorMessage(error: unknown, t: Translate = inEnglish): string {
  const message = wholeMessage(error, t);
  return t === inEnglish ? message : withoutColors(message);
}

function wholeMessage(error: unknown, t: Translate): string {
  if (!(error instanceof Error)) return String(error);
  const causes = causesOf(error);
  const last = causes.findIndex((one) => one instanceof UserError);
  return causes
    .slice(0, last < 0 ? causes.length : last + 1)
    .reduceRight((cause, one) => withCause(ownMessage(one, t), cause, t), '');
}

function ownMessage(error: Error, t: Translate): string {
  if (error instanceof UserError) return error.worded(t);
  return withoutDump(error instanceof LocalizedError ? error.worded(t) : error.message);
}

function withCause(message: string, cause: string, t: Translate): string {
  return cause && !message.includes(cause) ? asideText(message, cause, t) : message;
}

/** At most this many errors in a chain of causes are followed. */
const deepestCause = 5;

/** Returns an error, its cause, the cause of that, and so on: at most five, and each once if they lead back to one. */
export function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < deepestCause; one = one.cause) {
    if (causes.includes(one)) break;
    causes.push(one);
  }
  return causes;
}

/** The longest detail of an error in a log, in UTF-16 units; a message may contain everything that a server sent. */
const longestDetail = 10_000;

/** Returns all that is known about an error, for a log: stack and causes on several lines, hidden characters made visible. */
export function errorDetail(error: unknown): string {
  return shownText(wholeDetail(error), longestDetail);
}

function wholeDetail(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const causes = causesOf(error);
  const { cause } = causes.at(-1) ?? error;
  const other = cause === undefined || cause instanceof Error ? [] : [wholeDetail(cause)];
  return [...causes.map(ownDetail), ...other].join('\nCaused by: ');
}

function ownDetail(error: Error): string {
  const stack = error.stack ?? `${error.name}: ${error.message}`;
  return stack.replace(error.message, () => withoutDump(error.message));
}

/** True for errors that say that a user or a caller cancelled the request. */
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
