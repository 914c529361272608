import type {
  McpUiHostCapabilities,
  McpUiHostContext,
  McpUiStyles,
} from '@modelcontextprotocol/ext-apps';
import type { Tool } from '../../mcp/protocol/types';
import type { DisplayMode } from './appBridge';
import type { FrameFacts } from './frameMessages';
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

/** The part of an app's context that does not change while it is shown. */
export interface HostSurroundings {
  readonly locale: string;
  readonly timeZone: string;
  readonly userAgent: string;
  readonly platform: 'web' | 'desktop';
  /** The tool whose call the app shows. */
  readonly tool?: Tool | undefined;
}

/** Returns everything that an app is told about where it is shown (MCP Apps, host context). */
export function hostContext(
  { locale, timeZone, userAgent, platform, tool }: HostSurroundings,
  facts: FrameFacts,
  mode: DisplayMode,
): McpUiHostContext {
  return {
    ...(tool && { toolInfo: { tool: tool as never } }),
    locale,
    timeZone,
    userAgent,
    platform,
    deviceCapabilities: { touch: facts.touch, hover: facts.hover },
    availableDisplayModes: ['inline', 'fullscreen'],
    ...changingContext(facts, mode),
  };
}

/** Returns the part of {@link hostContext} that changes with the theme, the available space, and the display mode. */
export function changingContext(
  { theme, variables, width, height }: FrameFacts,
  displayMode: DisplayMode,
): McpUiHostContext {
  return {
    theme,
    styles: { variables: variables as McpUiStyles },
    displayMode,
    containerDimensions:
      displayMode === 'fullscreen' ? { width, height } : { width, maxHeight: height },
  };
}
