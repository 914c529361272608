import { escapeMarkup } from '../../base/text/markdown';
import * as messages from './frameMessages';
import type { FrameFacts } from './frameMessages';
import { Shell, type ShellSettings } from './shell';
import type {
  McpUiHostCapabilities,
  McpUiHostContext,
  McpUiStyleVariableKey,
  McpUiStyles,
} from '@modelcontextprotocol/ext-apps';
import type { Tool } from '../../mcp/protocol/types';
import type { DisplayMode } from './appBridge';
import type { Origins } from '../page/origins';
import type { Permission } from '../page/permissions';

/*
 * The variables of the specification (MCP Apps, theming), each with what the editor has for it: one of the
 * editor's own variables, the first of several that is set, or a value.
 */
const background = '--vscode-editor-background';
const foreground = '--vscode-foreground';
const border = ['--vscode-contrastBorder', '--vscode-panel-border', '--vscode-widget-border'];
const focus = '--vscode-focusBorder';
const sizes = {
  xs: ['11px', '16px'],
  sm: ['12px', '18px'],
  md: ['13px', '20px'],
  lg: ['15px', '22px'],
  xl: ['18px', '26px'],
  '2xl': ['22px', '30px'],
  '3xl': ['28px', '36px'],
} as const;

/** The sources of each variable, in the order in which they are tried. */
const styleVariables: Readonly<Record<McpUiStyleVariableKey, readonly string[]>> = {
  '--color-background-primary': [background],
  '--color-background-secondary': ['--vscode-sideBar-background', background],
  '--color-background-tertiary': ['--vscode-editorWidget-background', background],
  '--color-background-inverse': [foreground],
  '--color-background-ghost': ['transparent'],
  '--color-background-info': ['--vscode-inputValidation-infoBackground', background],
  '--color-background-danger': ['--vscode-inputValidation-errorBackground', background],
  '--color-background-success': ['--vscode-diffEditor-insertedTextBackground', background],
  '--color-background-warning': ['--vscode-inputValidation-warningBackground', background],
  '--color-background-disabled': ['--vscode-button-secondaryBackground', background],
  '--color-text-primary': [foreground],
  '--color-text-secondary': ['--vscode-descriptionForeground', foreground],
  '--color-text-tertiary': ['--vscode-descriptionForeground', foreground],
  '--color-text-inverse': [background],
  '--color-text-ghost': ['--vscode-descriptionForeground', foreground],
  '--color-text-info': ['--vscode-textLink-foreground', foreground],
  '--color-text-danger': ['--vscode-errorForeground', foreground],
  '--color-text-success': ['--vscode-testing-iconPassed', foreground],
  '--color-text-warning': ['--vscode-editorWarning-foreground', foreground],
  '--color-text-disabled': ['--vscode-disabledForeground', foreground],
  '--color-border-primary': border,
  '--color-border-secondary': border,
  '--color-border-tertiary': border,
  '--color-border-inverse': [foreground],
  '--color-border-ghost': ['transparent'],
  '--color-border-info': ['--vscode-inputValidation-infoBorder', ...border],
  '--color-border-danger': ['--vscode-inputValidation-errorBorder', ...border],
  '--color-border-success': ['--vscode-testing-iconPassed', ...border],
  '--color-border-warning': ['--vscode-inputValidation-warningBorder', ...border],
  '--color-border-disabled': border,
  '--color-ring-primary': [focus],
  '--color-ring-secondary': [focus],
  '--color-ring-inverse': [background],
  '--color-ring-info': [focus],
  '--color-ring-danger': ['--vscode-inputValidation-errorBorder', focus],
  '--color-ring-success': ['--vscode-testing-iconPassed', focus],
  '--color-ring-warning': ['--vscode-inputValidation-warningBorder', focus],
  '--font-sans': ['--vscode-font-family'],
  '--font-mono': ['--vscode-editor-font-family'],
  '--font-weight-normal': ['400'],
  '--font-weight-medium': ['500'],
  '--font-weight-semibold': ['600'],
  '--font-weight-bold': ['700'],
  '--font-text-xs-size': [sizes.xs[0]],
  '--font-text-sm-size': [sizes.sm[0]],
  '--font-text-md-size': [sizes.md[0]],
  '--font-text-lg-size': [sizes.lg[0]],
  '--font-heading-xs-size': [sizes.xs[0]],
  '--font-heading-sm-size': [sizes.sm[0]],
  '--font-heading-md-size': [sizes.md[0]],
  '--font-heading-lg-size': [sizes.lg[0]],
  '--font-heading-xl-size': [sizes.xl[0]],
  '--font-heading-2xl-size': [sizes['2xl'][0]],
  '--font-heading-3xl-size': [sizes['3xl'][0]],
  '--font-text-xs-line-height': [sizes.xs[1]],
  '--font-text-sm-line-height': [sizes.sm[1]],
  '--font-text-md-line-height': [sizes.md[1]],
  '--font-text-lg-line-height': [sizes.lg[1]],
  '--font-heading-xs-line-height': [sizes.xs[1]],
  '--font-heading-sm-line-height': [sizes.sm[1]],
  '--font-heading-md-line-height': [sizes.md[1]],
  '--font-heading-lg-line-height': [sizes.lg[1]],
  '--font-heading-xl-line-height': [sizes.xl[1]],
  '--font-heading-2xl-line-height': [sizes['2xl'][1]],
  '--font-heading-3xl-line-height': [sizes['3xl'][1]],
  '--border-radius-xs': ['2px'],
  '--border-radius-sm': ['2px'],
  '--border-radius-md': ['4px'],
  '--border-radius-lg': ['6px'],
  '--border-radius-xl': ['8px'],
  '--border-radius-full': ['9999px'],
  '--border-width-regular': ['1px'],
  '--shadow-hairline': ['none'],
  '--shadow-sm': ['none'],
  '--shadow-md': ['none'],
  '--shadow-lg': ['none'],
};

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
interface HostSurroundings {
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

/** At most this many messages per second are accepted from an app; more end it. */
export const maxMessagesPerSecond = 500;

/** The longest message of an app, in UTF-16 units. */
export const maxMessageLength = 2_000_000;

/** The `sandbox` attribute of an app's frame: no navigation of the window, popups, or downloads, and not our origin. */
export const sandbox = 'allow-scripts allow-forms';

/** The texts around an app. */
export interface PageTexts {
  /** Whose app it is, in our own words. */
  readonly owner: string;
  readonly uri: string;
  /** How to leave the app with the keyboard. */
  readonly hint: string;
  readonly language: string;
}

// The fixed position keeps an app from scrolling its parents, which could move the line above it out of sight.
const styles = `
html, body { height: 100%; margin: 0; padding: 0; }
body { position: fixed; inset: 0; display: flex; flex-direction: column; background: var(--vscode-editor-background); }
header { flex: none; display: flex; gap: 1em; padding: 4px 12px; white-space: nowrap; overflow: hidden;
  font: var(--vscode-font-size) var(--vscode-font-family); color: var(--vscode-foreground);
  background: var(--vscode-editorWidget-background);
  border-bottom: 1px solid var(--vscode-contrastBorder, var(--vscode-panel-border, transparent)); }
header:focus { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
header span { overflow: hidden; text-overflow: ellipsis; }
header .owner { flex: none; max-width: 100%; }
header .uri { color: var(--vscode-descriptionForeground); }
header:focus .uri { display: none; }
header .hint { margin-left: auto; color: var(--vscode-descriptionForeground); display: none; }
header:focus .hint { display: inline; }
main { flex: 1; min-height: 0; overflow: hidden; }
main > p { padding: 0 12px; font: var(--vscode-font-size) var(--vscode-font-family); color: var(--vscode-foreground); }
iframe { display: block; width: 100%; height: 100%; border: 0; }
`;

/**
 * Returns the page around an app. Its policy is the app's, because the frame inside inherits it; the only
 * content from a server is escaped text, so the policy does not have to keep scripts out of the page.
 */
export function shellPage(policy: string, { owner, uri, hint, language }: PageTexts): string {
  const settings: ShellSettings = {
    messages,
    reserved: 'ui/notifications/sandbox-',
    variables: styleVariables,
    maxMessagesPerSecond,
    maxMessageLength,
  };
  return `<!DOCTYPE html>
<html lang="${escapeMarkup(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}">
<meta name="referrer" content="no-referrer">
<style>${styles}</style>
</head>
<body>
<header tabindex="0"><span class="owner">${escapeMarkup(owner)}</span><span class="uri">${escapeMarkup(uri)}</span><span class="hint">${escapeMarkup(hint)}</span></header>
<main></main>
<script>new (${Shell.toString()})(${inScript(settings)});</script>
</body>
</html>`;
}

function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
