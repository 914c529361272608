import type { McpUiHostCapabilities } from '@modelcontextprotocol/ext-apps';
import type { Origins } from '../page/origins';
import type { Permission } from '../page/permissions';

/** What an app is told that this host does for it, with what it may reach and what the user granted. */
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
