import type { Origins } from './origins';

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
