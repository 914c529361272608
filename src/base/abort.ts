/** What somebody may cancel, as the editor has it. */
interface Cancellation {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): unknown;
}

/** A signal that nobody aborts; one for each use, as listeners stay on it. */
export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** The signal that aborts, for the `reason` that is given, when `token` is cancelled. */
export function signalOf(token: Cancellation, reason?: unknown): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort(reason);
  else token.onCancellationRequested(() => controller.abort(reason));
  return controller.signal;
}
