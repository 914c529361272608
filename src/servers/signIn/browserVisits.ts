import * as vscode from 'vscode';
import { deferred } from '../../base/async';
import { DisposableStore } from '../../base/disposable';
import { CancelledError, UserError } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import { addressLabel } from '../../base/text/address';
import { plainLabel } from '../../base/text/text';
import {
  type AuthorizationUi,
  type AuthorizationVisit,
  type BrowserCallback,
  type SignInFact,
  type SignInPage,
  extentFacts,
  partiesBeside,
  readCallbackAddress,
} from '../../mcp/auth/authorizationUi';
import { isLoopback } from '../../mcp/http/secureUrl';
import { readWebAddress, type WebAddress } from '../../mcp/http/webAddress';
import type { AskingServer } from '../../mcp/protocol/serverRequests';
import type { ListenForCallback } from '../../mcp/platform';
import { openAddress } from '../../ui/editorCommands';
import type { Questions } from '../../ui/questions/questions';
import { askLine } from '../../ui/steps/askLine';
import { pickItem } from '../../ui/steps/pickItem';
import { type PickLook, separator, wrappedRows } from '../../ui/rows/picks';
import { siteRows, visitRows, wholeRows } from '../../ui/rows/siteRows';
import type { QuestionContext } from '../../ui/questions/question';
import { Command } from '../../ui/ids';
import { withProgress } from '../../ui/messages';
import { copyAddresses } from '../../ui/clipboard';

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

type Choice = 'open' | 'copy' | 'paste' | 'notNow';
type Item = PickLook & { readonly choice?: Choice };

/**
 * Shows where a server wants the user to sign in, and asks whether and how to go there; resolves to the answer itself if
 * the user brings the address on which the browser ended, and to `undefined` for not at all.
 */
export async function askVisit(
  server: AskingServer,
  page: SignInPage,
  address: WebAddress,
  questions: Questions,
  signal: AbortSignal,
): Promise<'open' | 'copy' | URLSearchParams | undefined> {
  const { t } = vscode.l10n;
  const title = t('{0} needs you to sign in', plainLabel(server.name));
  const items = await signInRows(page, address);
  /** What was pasted and could not be used yet. */
  let held = '';
  const outcome = await questions.ask<'open' | 'copy' | 'notNow' | URLSearchParams>(
    {
      info: { kind: 'signIn', server, what: t('sign in') },
      declined: 'notNow',
      ask: async (context) => {
        for (;;) {
          const picked = await pickItem<Item>({
            frame: { title, actions: [], context },
            prompt: t('The server sends you to this site. Sign in there only if you know it.'),
            placeholder: t('Enter opens nothing.'),
            items,
            isString: ({ choice }) => choice === undefined,
          });
          const choice = typeof picked === 'string' ? 'notNow' : (picked.choice ?? 'notNow');
          if (choice !== 'paste') return choice;
          const answer = await askAddress(title, page, context, held, (text) => (held = text));
          if (answer) return answer;
        }
      },
    },
    signal,
  );
  const answer = outcome.kind === 'answered' ? outcome.answer : 'notNow';
  return answer === 'notNow' ? undefined : answer;
}

/** Returns the rows of the question: whose page it is, who takes part beside, what the tokens are valid for, and the choices. */
export async function signInRows(page: SignInPage, address: WebAddress): Promise<readonly Item[]> {
  const { t } = vscode.l10n;
  const { host } = page.url;
  return [
    separator(t('Site')),
    ...siteRows(address),
    ...(host === addressLabel(address.site) ? [] : [separator(t('Host')), ...wholeRows(host)]),
    ...(await partyRows(page)),
    ...(page.more === undefined
      ? []
      : [
          warned({ label: t('Asks for more permissions than before') }),
          // The server chooses them and their order: the last one may be what matters.
          ...wrappedRows('key', page.more),
        ]),
    ...extentFacts(page, t).map(warned),
    separator(t('Your decision')),
    ...visitRows(),
    {
      label: t('Paste the Address…'),
      description: t('if the browser ended on a page that it cannot reach'),
      iconPath: new vscode.ThemeIcon('clippy'),
      choice: 'paste',
    },
    {
      label: t('Not Now'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
      choice: 'notNow',
      grantsNothing: true,
    },
  ];
}

/** Returns a row for each owner that takes part in the sign-in and is not that of the page, which alone is looked at. */
async function partyRows(page: SignInPage): Promise<readonly Item[]> {
  const { t } = vscode.l10n;
  const others = await partiesBeside(page, t);
  if (others.length === 0) return [];
  return [separator(t('Not the site of the page')), ...others.map(warned)];
}

function warned(fact: SignInFact): Item {
  return { ...fact, iconPath: new vscode.ThemeIcon('warning') };
}

/** Asks for the address on which the browser ended; `undefined` if the user dismissed the box. */
async function askAddress(
  title: string,
  { state }: SignInPage,
  context: QuestionContext,
  value: string,
  left: (text: string) => void,
): Promise<URLSearchParams | undefined> {
  const { t } = vscode.l10n;
  const text = await askLine({
    frame: { title, actions: [], context },
    prompt: t(
      'Copy the whole address from the address bar of the page on which the browser ended.',
    ),
    placeholder: 'http://localhost…?code=…&state=…',
    value,
    left,
    validate: (typed) =>
      typed === '' || readCallbackAddress(typed, state)
        ? undefined
        : t('This is not the address on which this sign-in ends.'),
  });
  return text === undefined ? undefined : readCallbackAddress(text, state);
}

/** Makes the ways to the browser and back: through a link to the editor, or to a port on this machine. */
export function createBrowserVisits(
  links: EditorLinks,
  listen: ListenForCallback | undefined,
  questions: Questions,
): AuthorizationUi {
  /** Fires for the server whose sign-in is wanted again. */
  const wanted = new Emitter<AskingServer>();
  const showAgain = (server: AskingServer) => wanted.fire(server);
  const visitOf = createVisit.bind(undefined, questions, wanted.event);
  const byLink = async (server: AskingServer) =>
    visitOf(server, await links.open(listen === undefined));
  // Nothing listens in a page: the user brings the address on which the browser ends.
  if (!listen) {
    const toPort = (port: number) => async (server: AskingServer) =>
      visitOf(server, links.openAt(`http://localhost:${port}/callback`));
    return { ways: [byLink], toPort, showAgain };
  }
  const toPort = (port?: number) => async (server: AskingServer) => {
    const texts = {
      done: vscode.l10n.t('You are signed in. You can close this page and return to the editor.'),
      failed: vscode.l10n.t('You are not signed in. The editor says why. You can close this page.'),
      unexpected: vscode.l10n.t('This sign-in has expired.'),
    };
    return visitOf(server, await listen(texts, port));
  };
  const byPort = toPort();
  // A browser that runs the editor itself opens no links to an editor. If it is on another machine than this
  // process, it cannot reach a port here: it comes back through an address of its own window.
  const byWindow = async (server: AskingServer) => {
    const link = await links.open(true);
    const { protocol, hostname } = new URL(link.redirectUrl);
    if (/^https?:$/.test(protocol) && !isLoopback(hostname)) return visitOf(server, link);
    link.dispose();
    return byPort(server);
  };
  const isWeb = vscode.env.uiKind === vscode.UIKind.Web;
  return { ways: isWeb ? [byWindow] : [byLink, byPort], toPort, showAgain };
}

function createVisit(
  questions: Questions,
  onDidWantAgain: Event<AskingServer>,
  server: AskingServer,
  callback: BrowserCallback,
): AuthorizationVisit {
  return {
    redirectUrl: callback.redirectUrl,
    succeed: () => callback.succeed(),
    dispose: () => callback.dispose(),
    async visit(page, signal) {
      const { url, state, reach } = page;
      const address = await readWebAddress(url.href, reach);
      if (!address)
        throw new UserError((t) =>
          t(
            'The address of the sign-in page is too long to be opened: {0}. If the permissions of several sign-ins have added up, sign out first.',
            addressLabel(url.href),
          ),
        );
      const over = new AbortController();
      const pasted = deferred<URLSearchParams>();
      const answer = Promise.race([
        callback.wait(state, AbortSignal.any([signal, over.signal])),
        pasted.promise,
      ]);
      // The browser may come back while the question is shown again, which ends the question.
      const back = new AbortController();
      answer.then(
        () => back.abort(),
        () => {},
      );
      const whileAway = AbortSignal.any([signal, back.signal]);
      try {
        do {
          const choice = await askVisit(server, page, address, questions, whileAway);
          if (back.signal.aborted) break;
          if (!choice) throw new CancelledError();
          if (choice instanceof URLSearchParams) pasted.resolve(choice);
          else if (choice === 'copy') await copyAddresses(address.href);
          else if (!(await openAddress(address))) throw new CancelledError();
        } while (await isWantedAgain(server, address, answer, onDidWantAgain));
        return await answer;
      } finally {
        over.abort();
      }
    },
  };
}

/**
 * Shows that the editor waits for the browser, which the user can cancel; resolves to false once the answer is there,
 * and to true if the user wants to sign in again before that.
 */
function isWantedAgain(
  { id, name }: AskingServer,
  { site }: WebAddress,
  answer: Promise<unknown>,
  onDidWantAgain: Event<AskingServer>,
): Thenable<boolean> {
  const title = vscode.l10n.t(
    '{0}: sign in at {1} in the browser… If it cannot come back: Sign In again, Paste the Address…',
    plainLabel(name),
    addressLabel(site),
  );
  return withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (_progress, token) => {
      const store = new DisposableStore();
      try {
        return await new Promise<boolean>((resolve, reject) => {
          store.add(token.onCancellationRequested(() => reject(new CancelledError())));
          store.add(
            onDidWantAgain((wanted) => {
              if (wanted.id === id) resolve(true);
            }),
          );
          answer.then(() => resolve(false), reject);
        });
      } finally {
        store.dispose();
      }
    },
  );
}
