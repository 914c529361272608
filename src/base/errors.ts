import { withoutDump } from './text/schemaDump';
import { truncate } from './text/text';

/** An error whose message is a whole sentence fit to show to a person. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** The request was withdrawn on purpose: nothing to report. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';

  constructor(message = 'Cancelled') {
    super(message);
  }
}

/** The message of anything that was thrown, causes included, in one line. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = withoutDump(error.message);
  const cause = error.cause instanceof Error ? errorMessage(error.cause) : '';
  return cause && !message.includes(cause) ? `${message} (${cause})` : message;
}

/** A message may hold all that a server sent: a log takes so much of an error, in UTF-16 units. */
const longestDetail = 10_000;

/** What is known of an error, for a log: stack and causes over several lines. */
export function errorDetail(error: unknown): string {
  return truncate(wholeDetail(error), longestDetail);
}

function wholeDetail(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? `${error.name}: ${error.message}`;
  const own = stack.replace(error.message, () => withoutDump(error.message));
  return error.cause === undefined ? own : `${own}\nCaused by: ${wholeDetail(error.cause)}`;
}

/** True for errors that say that a person or a caller withdrew the request. */
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
