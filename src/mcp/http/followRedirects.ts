import { UserError } from '../../base/errors';
import { addressLabel } from '../../base/text/address';
import { encryptedBeside } from './secureUrl';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const maxRedirects = 5;

/** Throws a `UserError` for a redirect that must not be followed. */
export type CheckRedirect = (from: URL, to: URL, init: RequestInit) => void;

/**
 * Wraps `send` to make each redirect a request of its own, so that headers and body are only sent where
 * `check` allows it; throws a `UserError` if there are too many redirects or this window cannot follow them.
 */
export function followRedirects(send: Fetch, check: CheckRedirect): Fetch {
  return async (address, given) => {
    let url = new URL(address);
    let init: RequestInit = { ...given, redirect: 'manual' };
    for (let count = 0; ; count += 1) {
      const response = await send(url, init);
      const { status, headers, body } = response;
      if (response.type === 'opaqueredirect')
        throw new UserError((t) =>
          t(
            '{0} redirects to another address, which this window cannot follow. Configure the address that it leads to.',
            addressLabel(url.origin),
          ),
        );
      const location = headers.get('location');
      if (![301, 302, 303, 307, 308].includes(status) || location === null) return response;
      await body?.cancel().catch(() => {});
      if (count === maxRedirects || !URL.canParse(location, url.href))
        throw new UserError((t) =>
          t('The address {0} redirects without end.', addressLabel(url.href)),
        );
      const target = encryptedBeside(new URL(location, url), url);
      check(url, target, init);
      url = target;
      // `fetch` sends a `GET` after a 301 or 302 too, as browsers do for pages: no server of ours could answer that.
      if (status === 303) init = { ...init, method: 'GET', body: null };
    }
  };
}

/** Keeps requests at their origin: their headers, including tokens, and their bodies are only for that. */
export const sameOriginOnly: CheckRedirect = (from, to) => {
  if (from.origin === to.origin) return;
  throw new UserError((t) =>
    t(
      'The server redirects to another place, which is not followed: {0}. If you trust it, configure that address.',
      addressLabel(to.href),
    ),
  );
};
