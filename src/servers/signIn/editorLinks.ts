import * as vscode from 'vscode';
import { deferred } from '../../base/async';
import { CancelledError } from '../../base/errors';
import type { BrowserCallback } from '../../mcp/auth/authorizationUi';

const path = '/callback';

/** Takes the links that lead the browser back into this window, each for the sign-in that waits for it. */
export class EditorLinks implements vscode.UriHandler {
  private readonly waiting = new Map<string, (answer: URLSearchParams) => void>();
  private readonly redirectUrl: string;

  /** @param extensionId the id of this extension, which its links begin with */
  constructor(extensionId: string) {
    this.redirectUrl = `${vscode.env.uriScheme}://${extensionId}${path}`;
  }

  handleUri(uri: vscode.Uri): void {
    const answer = new URLSearchParams(uri.query);
    // Any page can open such a link: only what a sign-in waits for is looked at.
    if (uri.path === path) this.waiting.get(answer.get('state') ?? '')?.(answer);
  }

  /** Opens a way back for one sign-in. */
  open(): BrowserCallback {
    const closed = new AbortController();
    return {
      redirectUrl: this.redirectUrl,
      wait: (state, signal) => this.wait(state, AbortSignal.any([signal, closed.signal])),
      dispose: () => closed.abort(),
    };
  }

  private async wait(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    const answer = deferred<URLSearchParams>();
    const giveUp = () => answer.reject(new CancelledError());
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    this.waiting.set(state, (parameters) => answer.resolve(parameters));
    try {
      return await answer.promise;
    } finally {
      this.waiting.delete(state);
      signal.removeEventListener('abort', giveUp);
    }
  }
}
