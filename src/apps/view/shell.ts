import type { AppDocument, EndReason, FrameFacts } from './frameMessages';
import type { AppMessage, Element, KeyDown, MessagePort, PageWindow } from './pageWindow';

/** The settings of {@link shell}, which cannot reach anything in this module. */
export interface ShellSettings {
  readonly messages: Readonly<
    Record<
      | 'proxyReady'
      | 'frameChanged'
      | 'resourceReady'
      | 'keepState'
      | 'setMode'
      | 'appEnded'
      | 'keyPressed'
      | 'messageDropped'
      | 'focusAgain',
      string
    >
  >;
  readonly reserved: string;
  readonly variables: Readonly<Record<string, readonly string[]>>;
  readonly maxMessagesPerSecond: number;
  readonly maxMessageLength: number;
}

/**
 * Runs in the page around an app, as the proxy of the specification (MCP Apps, sandbox proxy): shows the HTML
 * in a frame with an origin of its own, passes messages both ways, and reports the theme and the available
 * space to the extension. Its source text is put into the page, so it can use nothing from outside.
 */
export function shell({
  messages,
  reserved,
  variables,
  maxMessagesPerSecond,
  maxMessageLength,
}: ShellSettings): void {
  const browser = globalThis as unknown as PageWindow;
  const { document } = browser;
  const editor = browser.acquireVsCodeApi();
  const place = document.querySelector('main') ?? document.body;
  const header = document.querySelector('header') ?? document.body;
  let frame: Element | undefined;
  /** Leads to the document that was approved, and to nothing that takes its place. */
  let port: MessagePort | undefined;
  let unsent: unknown[] = [];
  /** What the frame has said, each with the question whose answer proves that it came from that document. */
  let held: { readonly asked: number; readonly run: () => void }[] = [];
  let asked = 0;
  let mode = 'inline';
  let wanted: number | undefined;
  let second = 0;
  let count = 0;
  let lastKey = 0;
  /** The ids of the open requests of the app that may take the focus away, and what had it before. */
  const taking = new Set<unknown>();
  let focused: Element | undefined;

  const tell = (method: string, params: unknown) =>
    editor.postMessage({ jsonrpc: '2.0', method, params });

  const theme = (): FrameFacts['theme'] => {
    const { classList } = document.body;
    const isLight =
      classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
    return isLight ? 'light' : 'dark';
  };

  const facts = (): FrameFacts => {
    const computed = browser.getComputedStyle(document.documentElement);
    const valueOf = (names: readonly string[]) => {
      for (const name of names) {
        const value = name.startsWith('--') ? computed.getPropertyValue(name).trim() : name;
        if (value) return value;
      }
      return '';
    };
    return {
      theme: theme(),
      variables: Object.fromEntries(
        Object.entries(variables)
          .map(([name, names]) => [name, valueOf(names)] as const)
          .filter(([, value]) => value !== ''),
      ),
      width: place.clientWidth,
      height: place.clientHeight,
      touch: browser.matchMedia('(any-pointer: coarse)').matches,
      hover: browser.matchMedia('(any-hover: hover)').matches,
    };
  };

  const layOut = () => {
    if (!frame) return;
    // Determines which `prefers-color-scheme` the app's media queries see.
    frame.style['colorScheme'] = theme();
    const fits = mode === 'inline' && wanted !== undefined;
    frame.style['height'] = fits ? `${Math.min(wanted ?? 0, place.clientHeight)}px` : '100%';
  };

  const disconnect = () => {
    port?.close();
    port = undefined;
    unsent = [];
    held = [];
  };

  const end = (why: EndReason) => {
    frame = undefined;
    disconnect();
    place.replaceChildren();
    tell(messages.appEnded, { why });
  };

  const show = ({ html, sandbox, allow, title, state }: AppDocument) => {
    editor.setState(state);
    const own = document.createElement('iframe');
    frame = own;
    disconnect();
    wanted = undefined;
    taking.clear();
    own.setAttribute('sandbox', sandbox);
    own.setAttribute('allow', allow);
    own.setAttribute('title', title);
    own.setAttribute('referrerpolicy', 'no-referrer');
    own.setAttribute('srcdoc', html);
    let loads = 0;
    own.addEventListener('load', () => {
      loads += 1;
      // The frame no longer shows what was approved, but would receive what the app receives.
      if (loads > 1 && frame === own) end('navigated');
    });
    place.replaceChildren(own);
    layOut();
  };

  const send = (message: AppMessage) => port?.postMessage(message);
  const toApp = (data: unknown) => {
    if (port) send({ data, origin: browser.origin });
    else if (frame) unsent.push(data);
  };

  /** Takes the port that the first script of the document sends before anything of the app runs. */
  const connect = (own: MessagePort) => {
    port = own;
    const leave = () => {
      if (port === own) end('navigated');
    };
    own.onclose = leave;
    own.onmessage = ({ data }) => {
      const { answer, isGone } = data as { readonly answer?: unknown; readonly isGone?: unknown };
      if (isGone === true) leave();
      if (typeof answer !== 'number') return;
      const proven = held.filter((one) => one.asked <= answer);
      held = held.slice(proven.length);
      for (const { run } of proven) if (port === own) run();
    };
    for (const data of unsent.splice(0)) toApp(data);
  };

  /** Runs something once it is certain that the document is still there. */
  const onceThere = (run: () => void) => {
    asked += 1;
    held.push({ asked, run });
    // A page that took its place may never finish loading, and never answers.
    if (held.length > maxMessagesPerSecond * 4) end('navigated');
    else send({ ask: asked });
  };

  /** Notes what has the focus before a request that opens the chat; does nothing for what has no answer. */
  const noteFocus = (id: unknown) => {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    if (taking.size === 0) focused = undefined;
    taking.add(id);
    if (document.hasFocus()) focused = document.activeElement === frame ? frame : header;
  };

  /** Gives the focus back that the request has taken; does nothing for other requests. */
  const giveFocusBack = (id: unknown) => {
    if (!taking.delete(id) || !focused || document.hasFocus()) return;
    if (focused === frame) toApp({ jsonrpc: '2.0', method: messages.focusAgain });
    else focused.focus();
  };

  const fromEditor = (message: { id?: unknown; method?: unknown; params?: unknown }) => {
    const { id, method, params } = message;
    switch (method) {
      case messages.resourceReady:
        show(params as AppDocument);
        break;
      case messages.keepState:
        editor.setState((params as { state: unknown }).state);
        break;
      case messages.setMode:
        mode = (params as { mode: string }).mode;
        layOut();
        break;
      default:
        toApp(message);
        if (method === undefined) giveFocusBack(id);
    }
  };

  /** Counts a message; false if it ends the app. */
  const take = (): boolean => {
    const now = Math.floor(Date.now() / 1000);
    count = now === second ? count + 1 : 1;
    second = now;
    if (count <= maxMessagesPerSecond) return true;
    end('flood');
    return false;
  };

  /** Moves the focus out of the app, if the app has it. */
  const leave = (key: string) => {
    // Which element has it here stays the same when the window's own keyboard is elsewhere.
    if (!document.hasFocus() || document.activeElement !== frame) return;
    header.focus();
    // An app that kept taking the focus back would otherwise run the editor's commands over and over.
    if (key === 'Escape' || Date.now() - lastKey < 500) return;
    lastKey = Date.now();
    tell(messages.keyPressed, { key });
  };

  const fromApp = (data: unknown) => {
    if (!take() || typeof data !== 'object' || data === null) return;
    const { key } = data as { key?: unknown };
    if (key === 'Escape' || key === 'F1' || key === 'F6') {
      onceThere(() => leave(key));
      return;
    }
    let text: string | undefined;
    try {
      text = JSON.stringify(data);
    } catch {
      text = undefined;
    }
    if (text === undefined) return;
    if (text.length > maxMessageLength) {
      tell(messages.messageDropped, { length: text.length });
      const { id, method } = data as { id?: unknown; method?: unknown };
      const error = { code: -32600, message: `The message is longer than ${maxMessageLength}.` };
      if (id !== undefined && method !== undefined) toApp({ jsonrpc: '2.0', id, error });
      return;
    }
    onceThere(() => pass(text));
  };

  const pass = (text: string) => {
    const message = JSON.parse(text) as {
      id?: unknown;
      method?: unknown;
      params?: { height?: unknown; requestId?: unknown };
    };
    const { id, method, params } = message;
    if (typeof method === 'string' && method.startsWith(reserved)) return;
    if (method === 'ui/notifications/size-changed' && typeof params?.height === 'number') {
      wanted = Math.max(params.height, 40);
      layOut();
    }
    if (method === 'ui/update-model-context') noteFocus(id);
    // What is cancelled has no answer.
    if (method === 'notifications/cancelled') taking.delete(params?.requestId);
    editor.postMessage(message);
  };

  browser.addEventListener('message', ({ data, origin, source, ports }) => {
    // Frames inside the app can also send messages here; they are neither the app nor the editor.
    if (frame && source === frame.contentWindow && origin === 'null')
      if (port) fromApp(data);
      else if (ports?.[0]) connect(ports[0]);
      else return;
    else if (origin === browser.origin && typeof data === 'object' && data !== null)
      fromEditor(data);
  });

  const onKey = (event: KeyDown) => {
    if (event.key !== 'F6') return;
    event.preventDefault();
    event.stopPropagation();
    tell(messages.keyPressed, { key: event.key });
  };
  // Runs before the editor's own listener, whose F6 may lead nowhere from here.
  browser.addEventListener('keydown', onKey, true);
  browser.addEventListener('focus', () => {
    if (document.activeElement === document.body) header.focus();
  });

  let isTelling = false;
  const tellSoon = () => {
    if (isTelling) return;
    isTelling = true;
    browser.setTimeout(() => {
      isTelling = false;
      layOut();
      tell(messages.frameChanged, facts());
    }, 50);
  };
  const watch = { attributes: true, attributeFilter: ['class', 'style'] };
  const observer = new browser.MutationObserver(tellSoon);
  observer.observe(document.body, watch);
  observer.observe(document.documentElement, watch);
  new browser.ResizeObserver(tellSoon).observe(place);
  tell(messages.proxyReady, facts());
}
