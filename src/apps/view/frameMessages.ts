/*
 * The messages between the page around an app and the extension. All of them have the prefix that the
 * specification reserves for the proxy (MCP Apps, reserved messages): the page does not pass on any of an
 * app's messages that have it.
 */

/** Sent when the page is ready for the HTML of an app, and when what it reports has changed: {@link FrameFacts}. */
export const proxyReady = 'ui/notifications/sandbox-proxy-ready';
export const frameChanged = 'ui/notifications/sandbox-frame-changed';

/** Makes the page show an app: {@link AppDocument}; makes it keep another state: `{ state }`. */
export const resourceReady = 'ui/notifications/sandbox-resource-ready';
export const keepState = 'ui/notifications/sandbox-state';

/** Makes the page show the app in another display mode: `{ mode }`. */
export const setMode = 'ui/notifications/sandbox-mode';

/**
 * Sent when the page has ended the app: `{ why }`; sent when it has dropped a message that was too long:
 * `{ length }`.
 */
export const appEnded = 'ui/notifications/sandbox-ended';
export const messageDropped = 'ui/notifications/sandbox-dropped';

/** Makes the app take the focus again, where it had it; the app itself does not see this message. */
export const focusAgain = 'ui/notifications/sandbox-focus';

/** Sent when a key that belongs to the editor was pressed: `{ key }`. */
export const keyPressed = 'ui/notifications/sandbox-key';

/** Why the page ended an app. */
export type EndReason = 'flood' | 'navigated';

declare const policed: unique symbol;

/** The HTML of a server below the policy of its app and the scripts that hold it: only `appDocument` makes it. */
export type AppHtml = string & { readonly [policed]: true };

/** What the page needs to show an app. */
export interface AppDocument {
  readonly html: AppHtml;
  readonly sandbox: string;
  readonly allow: string;
  readonly title: string;
  /** The state of the tab that the editor keeps for the next window. */
  readonly state: unknown;
}

/** What the page around an app knows: the theme, its computed variables, and how much space there is. */
export interface FrameFacts {
  readonly theme: 'light' | 'dark';
  readonly variables: Readonly<Record<string, string>>;
  readonly width: number;
  readonly height: number;
  readonly touch: boolean;
  readonly hover: boolean;
}
