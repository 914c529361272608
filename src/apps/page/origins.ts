import { isRecord } from '../../base/json';
import { isLoopback } from '../../mcp/http/secureUrl';
import { type HostConcern, judgeHost, registrableDomain } from '../../mcp/http/webAddress';

/**
 * Returns the content security policy of an app: everything is denied except what its own document contains
 * and what it declared (MCP Apps, CSP enforcement). `'self'` is never allowed, as it would be the editor.
 */
export function contentPolicy({ connect, resource, frame, baseUri }: Origins): string {
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': [],
    'script-src': ["'unsafe-inline'", ...resource],
    'style-src': ["'unsafe-inline'", ...resource],
    'img-src': ['data:', 'blob:', ...resource],
    'font-src': ['data:', ...resource],
    'media-src': ['data:', 'blob:', ...resource],
    'connect-src': connect,
    'frame-src': frame,
    'worker-src': [],
    'object-src': [],
    'base-uri': baseUri,
    'form-action': [],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.length > 0 ? sources.join(' ') : "'none'"}`)
    .join('; ');
}

/** The origins that an app declares and may reach (MCP Apps, `_meta.ui.csp`), as a content policy names them. */
export interface Origins {
  readonly connect: readonly string[];
  readonly resource: readonly string[];
  readonly frame: readonly string[];
  readonly baseUri: readonly string[];
}

/** Something about an origin that the user should know. */
export type OriginConcern = HostConcern | 'anySubdomain';

/** One of the {@link Origins}, with what the user needs to judge it. */
export interface JudgedOrigin {
  readonly origin: string;
  /** Who is behind it: the registrable domain, or the host if it has none. */
  readonly site: string;
  readonly concerns: readonly OriginConcern[];
}

/** At most this many origins of one kind are accepted from an app; more are refused. */
export const maxOrigins = 30;

const maxOriginLength = 300;
const fields = {
  connect: 'connectDomains',
  resource: 'resourceDomains',
  frame: 'frameDomains',
  baseUri: 'baseUriDomains',
} as const;
const schemes: Readonly<Record<keyof Origins, readonly string[]>> = {
  connect: ['https', 'wss', 'http', 'ws'],
  resource: ['https', 'http'],
  frame: ['https', 'http'],
  baseUri: ['https', 'http'],
};
const encrypted: readonly string[] = ['https', 'wss'];
const shape =
  /^([a-z]+):\/\/(\*\.)?([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:\d{1,5})?\/?$/i;

/** The origins of an app that declares none. */
export const noOrigins: Origins = { connect: [], resource: [], frame: [], baseUri: [] };

/**
 * Reads the origins that an app declares. Accepts only single origins that are encrypted or on this machine,
 * with wildcards only below a registrable domain; the others are returned as `refused`, as they were written.
 */
export async function readOrigins(
  csp: unknown,
): Promise<{ readonly origins: Origins; readonly refused: readonly string[] }> {
  const declared = isRecord(csp) ? csp : {};
  const refused: string[] = [];
  const read = async (kind: keyof Origins): Promise<readonly string[]> => {
    const value = declared[fields[kind]];
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      refused.push(fields[kind]);
      return [];
    }
    const known = new Set<string>();
    for (const each of value as readonly unknown[]) {
      const origin = known.size < maxOrigins ? await readOrigin(each, schemes[kind]) : undefined;
      if (origin === undefined) refused.push(String(each));
      else known.add(origin);
    }
    return [...known].toSorted();
  };
  const origins = {
    connect: await read('connect'),
    resource: await read('resource'),
    frame: await read('frame'),
    baseUri: await read('baseUri'),
  };
  return { origins, refused: refused.slice(0, maxOrigins) };
}

async function readOrigin(value: unknown, allowed: readonly string[]): Promise<string | undefined> {
  if (typeof value !== 'string' || value.length > maxOriginLength) return undefined;
  const [, scheme = '', wildcard = '', name = '', port = ''] = shape.exec(value) ?? [];
  const protocol = scheme.toLowerCase();
  const address = `https://${name}${port}`;
  if (!allowed.includes(protocol) || !URL.canParse(address)) return undefined;
  // IP addresses in unusual notations, and consecutive dots, lead elsewhere than they seem to.
  const { hostname } = new URL(address);
  if (hostname !== name.toLowerCase() || hostname.includes('..')) return undefined;
  if (!encrypted.includes(protocol) && !isLoopback(hostname)) return undefined;
  if (wildcard && !(await isOwned(hostname))) return undefined;
  return `${protocol}://${wildcard}${hostname}${port}`;
}

async function isOwned(hostname: string): Promise<boolean> {
  return (await registrableDomain(hostname)) !== undefined;
}

/** Returns each distinct origin of an app, with what the user should know about it. */
export async function judgeOrigins(origins: Origins): Promise<readonly JudgedOrigin[]> {
  const all = new Set<string>(Object.values(origins).flat());
  return Promise.all([...all].map(judge));
}

async function judge(origin: string): Promise<JudgedOrigin> {
  const [, , wildcard, hostname = '', port = ''] = shape.exec(origin) ?? [];
  const { site, concerns } = await judgeHost({ hostname, port });
  return { origin, site, concerns: wildcard ? ['anySubdomain', ...concerns] : concerns };
}
