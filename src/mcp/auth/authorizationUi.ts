import type { Disposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { addressLabel } from '../../base/text/address';
import { listText, type Translate } from '../../base/translate';
import { ownerOf } from '../http/webAddress';
import type { SentExchange } from '../traffic/httpExchange';
import type { AskingServer } from '../protocol/serverRequests';
import type { Reach } from '../http/reach';

/** Takes the user to an authorization server and back. */
export interface AuthorizationUi {
  /** The ways there and back, in order of preference; if one is not accepted, the next one is tried. */
  readonly ways: readonly PrepareVisit[];
  /** The way there, and back to this port of this machine, the only one that the authorization server knows. */
  readonly toPort: (port: number) => PrepareVisit;
  /** Offers the way to the browser once more if a visit for `server` waits for it; else does nothing. */
  showAgain(server: AskingServer): void;
}

/** Prepares one sign-in to `server`. */
export type PrepareVisit = (
  server: AskingServer,
  signal: AbortSignal,
) => Promise<AuthorizationVisit>;

/** Waits for the browser to come back from an authorization server, once. */
export interface BrowserCallback extends Disposable {
  /** The URL that the authorization server sends the browser back to. */
  readonly redirectUrl: string;
  /**
   * Resolves with the parameters of the first call that carries `state`; calls without it are
   * ignored. Rejects with a `CancelledError` when `signal` aborts.
   */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  /** Shows in the browser that the user is signed in; if not called, `dispose` shows that they are not. */
  succeed(): void;
}

/** Who takes part in a sign-in beside its page, as the metadata names them. */
export interface SignInParty {
  /** It gets the code of the sign-in, it registered this program, or it says where the page is. */
  readonly part: 'code' | 'registration' | 'page';
  readonly url: URL;
}

/** A page to sign in at, and what a user has to know to decide on it. */
export interface SignInPage {
  readonly url: URL;
  readonly parties: readonly SignInParty[];
  /** The address of the server that the tokens are for; absent if they are for an identity provider. */
  readonly server?: URL | undefined;
  /** What the answer has to carry. */
  readonly state: string;
  /** Where its host is, if that is known. */
  readonly reach?: Reach | undefined;
  /** The permissions that no earlier sign-in asked for, separated by spaces, if there was one. */
  readonly more?: string | undefined;
  /** What the tokens will be valid for, if that is more than the server. */
  readonly wider?: string | undefined;
  /** What else the permissions name as what accepts the tokens. */
  readonly audiences?: readonly string[];
  /** True if the server does not say what the tokens will be valid for. */
  readonly isUnlimited?: true | undefined;
}

/** Something that a user who decides on a sign-in should know. */
export interface SignInFact {
  readonly label: string;
  readonly description?: string;
}

/** Returns the owners that take part in a sign-in and are not that of its page, each with what it has to do with it. */
export async function partiesBeside(
  { url, parties, server }: SignInPage,
  t: Translate,
): Promise<readonly SignInFact[]> {
  const [own, ofServer] = [await ownerOf(url), server && (await ownerOf(server))];
  const others = new Map<string, string[]>();
  for (const party of parties) {
    const owner = await ownerOf(party.url);
    if (owner !== own) others.set(owner, [...(others.get(owner) ?? []), partText(party.part, t)]);
  }
  return [...others].map(([owner, parts]) => ({
    label: addressLabel(owner),
    description: listText(
      [...(owner === ofServer ? [t('the server’s own site')] : []), ...parts],
      t,
    ),
  }));
}

function partText(part: SignInParty['part'], t: Translate): string {
  switch (part) {
    case 'code':
      return t('gets what this sign-in gives');
    case 'registration':
      return t('registered this program');
    case 'page':
      return t('says where the page is');
  }
}

/** At most so many of the services that permissions name are told one by one. */
const maxAudiences = 20;

/** Returns what the tokens of a sign-in may be valid for beside its server. */
export function extentFacts(
  { wider, isUnlimited, audiences = [] }: SignInPage,
  t: Translate,
): readonly SignInFact[] {
  // A permission that means nothing there must not hide what the resource is.
  const named: SignInFact[] = audiences.slice(0, maxAudiences).map((one) => ({
    label: t('Valid for {0}', addressLabel(one)),
    description: t('A permission names it. The server could use the sign-in there.'),
  }));
  const others = audiences.length - named.length;
  if (others > 0) named.push({ label: t('And {0} more', String(others)) });
  if (wider !== undefined)
    named.push({
      label: t('Valid for all of {0}', addressLabel(wider)),
      description: t('The server wants more than a sign-in to itself.'),
    });
  else if (isUnlimited)
    named.push({
      label: t('May be valid for more than this server'),
      description: t('The server does not say what a sign-in to it is for.'),
    });
  return named;
}

/** One visit to an authorization server, not reusable; disposing it closes the way back. */
export interface AuthorizationVisit extends Disposable {
  readonly redirectUrl: BrowserCallback['redirectUrl'];
  readonly succeed: BrowserCallback['succeed'];
  /**
   * Shows whose page it is and who takes part beside, opens it in the browser once the user agrees, and resolves with the
   * parameters that the browser brings back, or those of the address that it ended on. Rejects with a `CancelledError` if the user declines
   * or `signal` aborts.
   */
  visit(page: SignInPage, signal: AbortSignal): Promise<URLSearchParams>;
}

/** Wraps the ways to the browser and back to note what each visit sends, and what comes back or why nothing does. */
export function notedVisits(
  ui: AuthorizationUi,
  note: (exchange: SentExchange) => void,
): AuthorizationUi {
  const noted =
    (prepare: PrepareVisit): PrepareVisit =>
    async (server, until) => {
      const visit = await prepare(server, until);
      return {
        redirectUrl: visit.redirectUrl,
        succeed: () => visit.succeed(),
        dispose: () => visit.dispose(),
        visit: async (page, signal) => {
          const { origin, pathname, search: form } = page.url;
          const began = performance.now();
          const end = (ended: Pick<SentExchange, 'answered' | 'error'>) => {
            const url = `${origin}${pathname}`;
            const firstByteMs = performance.now() - began;
            note({ method: 'GET', url, requestHeaders: {}, form, ...ended, firstByteMs });
          };
          try {
            const answer = await visit.visit(page, signal);
            end({ answered: JSON.stringify(Object.fromEntries(answer)) });
            return answer;
          } catch (error) {
            end({ error: errorMessage(error) });
            throw error;
          }
        },
      };
    };
  return {
    ways: ui.ways.map((way) => noted(way)),
    toPort: (port) => noted(ui.toPort(port)),
    showAgain: (server) => ui.showAgain(server),
  };
}

/** The longest address that is read, in UTF-16 units. */
export const maxCallbackAddress = 32_768;

/**
 * Reads the answer of an authorization server from the address on which a browser ended, or from what stands behind its
 * question mark; `undefined` if it does not carry this state. The answer is checked like one that comes by itself.
 */
export function readCallbackAddress(text: string, state: string): URLSearchParams | undefined {
  if (text.length > maxCallbackAddress) return undefined;
  const trimmed = text.trim();
  const query = /^[a-z][\w+.-]*:/i.test(trimmed) ? queryOf(trimmed) : trimmed.replace(/^\?/, '');
  const answer = new URLSearchParams(query);
  return answer.getAll('state').join() === state ? answer : undefined;
}

function queryOf(address: string): string {
  return URL.canParse(address) ? new URL(address).search : '';
}
