import { parseServerConfig } from '../../../mcp/launch/launchKinds';
import type { ServerConfig } from '../../../mcp/serverConfig';
import { canonicalJson } from '../../../base/json';
import type { ImportedServer } from '../importedServer';
import { takeSecrets } from '../plainSecrets';
import { askPlaceholders } from './placeholders';

/**
 * The new servers of other applications, each launch once with all of its places, and the names of those already
 * configured.
 */
export interface SortedImports<P> {
  readonly fresh: readonly { readonly found: ImportedServer; readonly places: readonly P[] }[];
  readonly known: readonly string[];
}

/** Separates new servers from those already configured in one of the forms of {@link formsOf}. */
export function sortImports<P>(
  all: readonly { readonly found: ImportedServer; readonly place: P }[],
  configured: readonly ServerConfig[],
): SortedImports<P> {
  const isThere = amongLaunches(configured);
  const fresh = new Map<string, { readonly found: ImportedServer; readonly places: P[] }>();
  const known = new Set<string>();
  for (const { found, place } of all) {
    const whole = keyOf(found);
    if (isThere(found)) {
      known.add(found.name);
      continue;
    }
    const same = fresh.get(whole);
    if (same) same.places.push(place);
    else fresh.set(whole, { found, places: [place] });
  }
  return { fresh: [...fresh.values()], known: [...known] };
}

/** Returns a function that tells whether a found server is configured in one of the forms of {@link formsOf}. */
export function amongLaunches(
  configured: readonly ServerConfig[],
): (found: ImportedServer) => boolean {
  const here = new Set(configured.map((config) => canonicalJson(withoutInputNames(config))));
  return (found) => formsOf(found).some((form) => here.has(keyOf(form)));
}

/** The server as found and as it may have been added: with inputs for what is left to the user, and for its secrets. */
function formsOf(found: ImportedServer): readonly ImportedServer[] {
  return [found, askPlaceholders(found)].flatMap((one) => [one, { ...one, ...takeSecrets(one) }]);
}

function keyOf({ server }: ImportedServer): string {
  const parsed = parseServerConfig(server);
  return canonicalJson('config' in parsed ? withoutInputNames(parsed.config) : server);
}

/** Removes the names of inputs: they include the name of the server, which may have been added under another one. */
function withoutInputNames(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value).replaceAll(/\$\{input:(?:(?!\$\{)[^}"])*\}/g, '${input:}'),
  );
}
