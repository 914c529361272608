/** The port that an address without one means. */
const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * True if two texts name one authorization server: they are the same, or differ only in the slash at the end of a bare
 * origin, in the case of scheme and host, or in a default port (RFC 3986, sections 6.2.2.1 and 6.2.3). Paths differ with
 * every character, as tenants do. Never for the `iss` of an answer, which has to be repeated exactly (RFC 9207).
 */
export function sameIssuer(a: string, b: string): boolean {
  return a === b || normalized(a) === normalized(b);
}

function normalized(issuer: string): string {
  // Hosts are compared as they are written: whatever else an address may contain is not read here.
  const parts = /^(https?):\/\/([\w.-]+|\[[\da-f:.]+\])(?::(\d*))?((?:[/?#].*)?)$/is.exec(issuer);
  if (!parts) return issuer;
  const [scheme = '', host = '', port = '', rest = ''] = parts.slice(1);
  const own = port === '' || port === defaultPorts[scheme.toLowerCase()] ? '' : `:${port}`;
  return `${scheme}://${host}`.toLowerCase() + own + (rest === '/' ? '' : rest);
}
