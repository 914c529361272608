import * as vscode from 'vscode';
import { deferred } from '../../base/async';
import { CancelledError } from '../../base/errors';
import type { BrowserCallback } from '../../mcp/auth/authorizationUi';
import { Command } from '../../ui/ids';

const path = '/callback';
const addPath = '/add';

/** Handles the links to this extension: those that lead the browser back to a sign-in, and those that add a server. */
export class EditorLinks implements vscode.UriHandler {
  private readonly waiting = new Map<string, (answer: URLSearchParams) => void>();
  private readonly address: string;

  /** @param extensionId the id of this extension, which its links begin with */
  constructor(extensionId: string) {
    this.address = `${vscode.env.uriScheme}://${extensionId}${path}`;
  }

  handleUri(uri: vscode.Uri): void {
    const answer = new URLSearchParams(uri.query);
    // Any page can open such a link: only one that a sign-in waits for is used.
    if (uri.path === path) this.waiting.get(answer.get('state') ?? '')?.(answer);
    if (uri.path === addPath)
      void vscode.commands.executeCommand(Command.addServer, asWritten(uri));
  }

  /** Opens a way back for one sign-in; `isPage` if the editor itself is a page in the browser. */
  async open(isPage: boolean): Promise<BrowserCallback> {
    // No program handles links to a page: it has an address of its own for them.
    const external = isPage && (await vscode.env.asExternalUri(vscode.Uri.parse(this.address)));
    return this.openAt(external ? external.toString(true) : this.address);
  }

  /** Opens a way back at another address, from which no link leads here: the user brings it. */
  openAt(redirectUrl: string): BrowserCallback {
    const closed = new AbortController();
    return {
      redirectUrl,
      wait: (state, signal) => this.wait(state, AbortSignal.any([signal, closed.signal])),
      // The page belongs to the editor, or is gone.
      succeed: () => {},
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

/** Returns a link as its page has it, as the editor decodes its query. */
function asWritten({ scheme, authority, path: own, query }: vscode.Uri): string {
  const encoded = query.startsWith('{') ? encodeURIComponent(query) : query;
  return `${scheme}://${authority}${own}?${encoded}`;
}
