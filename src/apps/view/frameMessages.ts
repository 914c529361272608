/*
 * What the page around an app and the extension tell each other. All of it has the prefix that the
 * specification reserves for the proxy (MCP Apps, reserved messages): the page passes nothing on that an
 * app sends under it.
 */

/** The page is ready for the HTML of an app, or what it tells of itself has changed: {@link FrameFacts}. */
export const proxyReady = 'ui/notifications/sandbox-proxy-ready';
export const frameChanged = 'ui/notifications/sandbox-frame-changed';

/** The page shall show an app: {@link AppDocument}; it shall keep another state: `{ state }`. */
export const resourceReady = 'ui/notifications/sandbox-resource-ready';
export const keepState = 'ui/notifications/sandbox-state';

/** The page shall give an app its place: `{ mode }`. */
export const setMode = 'ui/notifications/sandbox-mode';

/** The page has ended the app: `{ why }`. It left a message out: `{ length }`. */
export const appEnded = 'ui/notifications/sandbox-ended';
export const messageDropped = 'ui/notifications/sandbox-dropped';

/** A key was pressed that is the editor's: `{ key }`. */
export const keyPressed = 'ui/notifications/sandbox-key';

/** Why the page ended an app. */
export type EndReason = 'flood' | 'navigated';

/** What an app is shown with; `html` comes from a server. */
export interface AppDocument {
  readonly html: string;
  readonly sandbox: string;
  readonly allow: string;
  readonly title: string;
  /** What the editor keeps of the tab for the next window. */
  readonly state: unknown;
}

/** What the page around an app knows: the theme, its variables as computed, and how much room there is. */
export interface FrameFacts {
  readonly theme: 'light' | 'dark';
  readonly variables: Readonly<Record<string, string>>;
  readonly width: number;
  readonly height: number;
  readonly touch: boolean;
  readonly hover: boolean;
}
