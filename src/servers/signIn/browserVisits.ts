import * as vscode from 'vscode';
import { CancelledError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import type {
  AuthorizationUi,
  AuthorizationVisit,
  BrowserCallback,
} from '../../mcp/auth/authorizationUi';
import { isLoopback } from '../../mcp/auth/secureUrl';
import type { AskingServer } from '../../mcp/protocol/clientRequests';
import type { Platform } from '../../mcp/platform';
import { openAddress } from '../../ui/editorCommands';
import type { Questions } from '../../ui/questions/questions';
import { askVisit } from './askVisit';
import type { EditorLinks } from './editorLinks';

/** Makes the ways to the browser and back: through a link to the editor, or to a port on this machine. */
export function createBrowserVisits(
  links: EditorLinks,
  listen: Platform['listenForCallback'],
  questions: Questions,
): AuthorizationUi {
  const byLink = async (server: AskingServer) =>
    visitOf(server, await links.open(listen === undefined), questions);
  if (!listen) return { ways: [byLink] };
  const byPort = async (server: AskingServer) => {
    const texts = {
      done: vscode.l10n.t('You are signed in. You can close this page and return to the editor.'),
      failed: vscode.l10n.t('You are not signed in. The editor says why. You can close this page.'),
      unexpected: vscode.l10n.t('This sign-in has expired.'),
    };
    return visitOf(server, await listen(texts), questions);
  };
  // A browser that runs the editor itself opens no links to an editor. If it is on another machine than this
  // process, it cannot reach a port here: it comes back through an address of its own window.
  const byWindow = async (server: AskingServer) => {
    const link = await links.open(true);
    const { protocol, hostname } = new URL(link.redirectUrl);
    if (/^https?:$/.test(protocol) && !isLoopback(hostname))
      return visitOf(server, link, questions);
    link.dispose();
    return byPort(server);
  };
  const isWeb = vscode.env.uiKind === vscode.UIKind.Web;
  return { ways: isWeb ? [byWindow] : [byLink, byPort] };
}

function visitOf(
  server: AskingServer,
  callback: BrowserCallback,
  questions: Questions,
): AuthorizationVisit {
  return {
    redirectUrl: callback.redirectUrl,
    succeed: () => callback.succeed(),
    dispose: () => callback.dispose(),
    async visit(url, state, signal) {
      const choice = await askVisit(server, url, questions, signal);
      if (!choice) throw new CancelledError();
      const abort = new AbortController();
      const answer = callback.wait(state, AbortSignal.any([signal, abort.signal]));
      // It is awaited below, unless the page cannot be opened.
      answer.catch(() => {});
      try {
        if (choice === 'copy') await vscode.env.clipboard.writeText(url.href);
        else if (!(await openAddress(url.href))) throw new CancelledError();
        return await waitVisibly(server, url, answer, abort);
      } finally {
        abort.abort();
      }
    },
  };
}

/** Shows that the editor waits for the browser; the user can cancel that. */
function waitVisibly(
  { name }: AskingServer,
  { host }: URL,
  answer: Promise<URLSearchParams>,
  abort: AbortController,
): Thenable<URLSearchParams> {
  const title = vscode.l10n.t('{0}: sign in at {1} in the browser…', plainLabel(name), host);
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (_progress, token) => {
      const subscription = token.onCancellationRequested(() => abort.abort());
      try {
        return await answer;
      } finally {
        subscription.dispose();
      }
    },
  );
}
