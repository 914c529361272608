import type { McpUiHostCapabilities } from '@modelcontextprotocol/ext-apps';
import type { Origins } from '../page/origins';
import type { Permission } from '../page/permissions';

/** Returns the capabilities that this host announces to an app, with what it may reach and what the user granted. */
export function hostCapabilities(
  { connect, resource, frame, baseUri }: Origins,
  granted: readonly Permission[],
): McpUiHostCapabilities {
  return {
    openLinks: {},
    serverTools: {},
    serverResources: {},
    logging: {},
    updateModelContext: { text: {}, structuredContent: {} },
    message: { text: {} },
    sandbox: {
      permissions: Object.fromEntries(granted.map((one) => [one, {}])),
      csp: {
        connectDomains: [...connect],
        resourceDomains: [...resource],
        frameDomains: [...frame],
        baseUriDomains: [...baseUri],
      },
    },
  };
}
