import type { Origins } from './origins';

/** What an app may load scripts from, as sources of a content security policy. */
export interface ScriptSources {
  readonly sources: readonly string[];
  /** True if what they are can differ from what was approved: the bytes behind them are not in the app itself. */
  readonly canChange: boolean;
}

/**
 * Returns what an app may load scripts from: all origins that it declares for resources or, if each of its own script
 * elements is at one exact address and names the digest of its bytes, these addresses alone.
 */
export function scriptSources(
  html: string,
  { resource }: Pick<Origins, 'resource'>,
): ScriptSources {
  if (resource.length === 0) return { sources: [], canChange: false };
  const elements = [...html.matchAll(/<(?:[\w-]+:)?script\b([^>]*)/gi)].map(
    ([, text = '']) => text,
  );
  const fixed: string[] = [];
  for (const element of elements) {
    const address = attribute(element, 'address');
    if (address === undefined) continue;
    // A module can load others, whose bytes nothing checks.
    const isModule = /module/i.test(attribute(element, 'type') ?? '');
    const isChecked = digests.test(attribute(element, 'integrity')?.trim() ?? '');
    if (isModule || !isChecked || !isExact(address) || !isDeclared(address, resource))
      return { sources: resource, canChange: true };
    fixed.push(address);
  }
  // Without such an element, its own scripts may load any of these.
  if (fixed.length === 0) return { sources: resource, canChange: true };
  return { sources: [...new Set(fixed)], canChange: false };
}

/** A list that a browser checks; it ignores one that it cannot read. */
const digests =
  /^(?:sha256-[\w+/]{43}=|sha384-[\w+/]{64}|sha512-[\w+/]{86}==)(?:\s+(?:sha256-[\w+/]{43}=|sha384-[\w+/]{64}|sha512-[\w+/]{86}==))*$/;

const attributes = {
  address: /(?:^|[\s"'/])(?:src|(?:xlink:)?href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
  type: /(?:^|[\s"'/])type\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
  integrity: /(?:^|[\s"'/])integrity\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
};

/** Returns the value of the first attribute of that name, which is the one that counts. */
function attribute(element: string, name: keyof typeof attributes): string | undefined {
  const [found, double, single, bare] = attributes[name].exec(element) ?? [];
  return found === undefined ? undefined : (double ?? single ?? bare ?? '');
}

/** True for an address that a policy can name as it is; queries are not compared. */
function isExact(address: string): boolean {
  return (
    /^https?:\/\/[\w.:[\]-]+\/[\w./~@+-]+$/i.test(address) && new URL(address).href === address
  );
}

function isDeclared(address: string, resource: readonly string[]): boolean {
  const { origin, protocol, host } = new URL(address);
  return resource.some((one) => {
    const [scheme = '', name = ''] = one.split('://');
    return name.startsWith('*.')
      ? protocol === `${scheme}:` && host.endsWith(name.slice(1))
      : new URL(one).origin === origin;
  });
}

/**
 * Returns the content security policy of an app: everything is denied except what its own document contains
 * and what it declared (MCP Apps, CSP enforcement). `'self'` is never allowed, as it would be the editor.
 */
export function contentPolicy(
  { connect, resource, frame, baseUri }: Origins,
  scripts: readonly string[],
): string {
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': [],
    'script-src': ["'unsafe-inline'", ...scripts],
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
