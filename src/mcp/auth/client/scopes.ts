import type { SignInPlace } from './discovery';

/** Returns each permission of several lists once, in order of appearance; `undefined` if there are none. */
export function joinScopes(...lists: readonly (string | undefined)[]): string | undefined {
  return [...new Set(lists.flatMap(split))].join(' ') || undefined;
}

/** True if `granted` includes every permission in `wanted`. */
export function isCovered(wanted: string | undefined, granted: string | undefined): boolean {
  const all = new Set(split(granted));
  return split(wanted).every((scope) => all.has(scope));
}

/**
 * Returns the permissions to ask for: those of an earlier sign-in, so that none is lost, those that are configured,
 * and those that the request was refused for; all that the server names if neither of the latter is known.
 */
export function scopeToRequest(known: {
  readonly configured: string | undefined;
  readonly challenged: string | undefined;
  readonly earlier: string | undefined;
  readonly place: SignInPlace;
}): string | undefined {
  const { configured, challenged, earlier, place } = known;
  const scope = joinScopes(earlier, configured, challenged ?? (configured ? '' : place.scopes));
  // Some authorization servers only issue a refresh token if asked to (OpenID Connect Core, section 11).
  const offline = scope && place.metadata?.scopes_supported?.includes('offline_access');
  return offline ? joinScopes(scope, 'offline_access') : scope;
}

function split(scopes: string | undefined): string[] {
  return scopes?.split(/\s+/).filter(Boolean) ?? [];
}
