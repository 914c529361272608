/** The part of an element that {@link PageWindow} needs. */
export interface Element {
  readonly classList: { contains(name: string): boolean };
  readonly style: Record<string, string>;
  readonly clientWidth: number;
  readonly clientHeight: number;
  readonly contentWindow?: object;
  setAttribute(name: string, value: string): void;
  addEventListener(type: string, listener: () => void): void;
  replaceChildren(...children: Element[]): void;
  focus(): void;
}

/** The end of a channel between an app and the page around it. */
export interface MessagePort {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  /** Called when the document at the other end is gone; older browsers do not call it. */
  onclose?: (() => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** What the page around an app sends through the port: a message for the app, or a question whether it is there. */
export interface AppMessage {
  readonly ask?: number;
  readonly data?: unknown;
  readonly origin?: string;
}

/** A key that was pressed. */
export interface KeyDown {
  readonly key: string;
  preventDefault(): void;
  stopPropagation(): void;
}

/** An element of an app that has, or had, the focus. */
export interface Focusable {
  readonly isConnected: boolean;
  focus(): void;
}

/** What happens in an app. */
export interface AppEvent extends KeyDown {
  readonly defaultPrevented: boolean;
  composedPath(): readonly Focusable[];
}

/** The part of a browser's window that the page around an app needs, as the rest of the project has no DOM types. */
export interface PageWindow {
  readonly origin: string;
  readonly document: {
    readonly body: Element;
    readonly documentElement: Element;
    readonly activeElement: Element | null;
    hasFocus(): boolean;
    createElement(name: string): Element;
    querySelector(selector: string): Element | null;
  };
  readonly MutationObserver: new (call: () => void) => {
    observe(node: Element, options: object): void;
  };
  readonly ResizeObserver: new (call: () => void) => { observe(node: Element): void };
  acquireVsCodeApi(): { postMessage(message: unknown): void; setState(state: unknown): void };
  addEventListener(
    type: 'message',
    listener: (event: {
      readonly data: unknown;
      readonly origin: string;
      readonly source: unknown;
      readonly ports?: readonly MessagePort[];
    }) => void,
  ): void;
  addEventListener(type: 'keydown', listener: (event: KeyDown) => void, isFirst: true): void;
  addEventListener(type: 'focus', listener: () => void): void;
  getComputedStyle(node: Element): { getPropertyValue(name: string): string };
  matchMedia(query: string): { readonly matches: boolean };
  setTimeout(call: () => void, ms: number): number;
}
