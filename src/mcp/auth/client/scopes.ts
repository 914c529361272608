import type { SignInPlace } from './discovery';

/** Every permission of several lists once, in the order of appearance. */
export function joinScopes(...lists: readonly (string | undefined)[]): string | undefined {
  return [...new Set(lists.flatMap(split))].join(' ') || undefined;
}

/** True when `granted` holds every permission of `wanted`. */
export function isCovered(wanted: string | undefined, granted: string | undefined): boolean {
  const all = new Set(split(granted));
  return split(wanted).every((scope) => all.has(scope));
}

/**
 * The permissions to ask for: what the request was refused for, else what is configured, else all
 * that the server names; and always what an earlier sign-in asked for, so that none gets lost.
 */
export function scopeToRequest(known: {
  readonly configured: string | undefined;
  readonly challenged: string | undefined;
  readonly earlier: string | undefined;
  readonly place: SignInPlace;
}): string | undefined {
  const { configured, challenged, earlier, place } = known;
  const scope = joinScopes(earlier, configured, challenged ?? (configured ? '' : place.scopes));
  // Some authorization servers only give a refresh token to those who ask (OpenID Connect, 11).
  const offline = scope && place.metadata?.scopes_supported?.includes('offline_access');
  return offline ? joinScopes(scope, 'offline_access') : scope;
}

function split(scopes: string | undefined): string[] {
  return scopes?.split(/\s+/).filter(Boolean) ?? [];
}
