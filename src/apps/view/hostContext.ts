import type { McpUiHostContext, McpUiStyles } from '@modelcontextprotocol/ext-apps';
import type { Tool } from '../../mcp/protocol/types';
import type { DisplayMode } from './appBridge';
import type { FrameFacts } from './frameMessages';

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
