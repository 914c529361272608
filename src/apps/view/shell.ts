import type { AppDocument, EndReason, FrameFacts } from './frameMessages';
import type { AppMessage, Element, KeyDown, MessagePort, PageWindow } from './pageWindow';

/** The settings of {@link CommandShell}, which cannot reach anything in this module. */
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
export class Shell {
  private readonly settings: ShellSettings;
  private readonly browser = globalThis as unknown as PageWindow;
  private readonly document = this.browser.document;
  private readonly editor = this.browser.acquireVsCodeApi();
  private readonly place = this.document.querySelector('main') ?? this.document.body;
  private readonly header = this.document.querySelector('header') ?? this.document.body;

  private frame: Element | undefined;
  private mode = 'inline';
  /** The height that the app wants. */
  private wanted: number | undefined;

  /** Leads to the document that was approved, and to nothing that takes its place. */
  private port: MessagePort | undefined;
  private unsent: unknown[] = [];
  /** What the frame has said, each with the question whose answer proves that it came from that document. */
  private held: { readonly asked: number; readonly run: () => void }[] = [];
  private asked = 0;

  /** The second of the latest message of the app, and how many it has sent in it. */
  private second = 0;
  private count = 0;

  private lastKey = 0;
  /** The ids of the open requests of the app that may take the focus away, and what had it before. */
  private readonly taking = new Set<unknown>();
  private focused: Element | undefined;

  private isTelling = false;

  constructor(settings: ShellSettings) {
    this.settings = settings;
    this.listen();
    this.watchLook();
    this.tell(settings.messages.proxyReady, this.facts());
  }

  private listen(): void {
    const { browser, document, header } = this;
    browser.addEventListener('message', ({ data, origin, source, ports }) => {
      // Frames inside the app can also send messages here; they are neither the app nor the editor.
      if (this.frame && source === this.frame.contentWindow && origin === 'null')
        if (this.port) this.fromApp(data);
        else if (ports?.[0]) this.connect(ports[0]);
        else return;
      else if (origin === browser.origin && typeof data === 'object' && data !== null)
        this.fromEditor(data);
    });
    // Runs before the editor's own listener, whose F6 may lead nowhere from here.
    browser.addEventListener('keydown', (event) => this.onKey(event), true);
    browser.addEventListener('focus', () => {
      if (document.activeElement === document.body) header.focus();
    });
  }

  /** Reports each change of the theme and of the space. */
  private watchLook(): void {
    const { browser, document } = this;
    const tellSoon = () => this.tellSoon();
    const watch = { attributes: true, attributeFilter: ['class', 'style'] };
    const observer = new browser.MutationObserver(tellSoon);
    observer.observe(document.body, watch);
    observer.observe(document.documentElement, watch);
    new browser.ResizeObserver(tellSoon).observe(this.place);
  }

  private tellSoon(): void {
    if (this.isTelling) return;
    this.isTelling = true;
    this.browser.setTimeout(() => {
      this.isTelling = false;
      this.layOut();
      this.tell(this.settings.messages.frameChanged, this.facts());
    }, 50);
  }

  private tell(method: string, params: unknown): void {
    this.editor.postMessage({ jsonrpc: '2.0', method, params });
  }

  private theme(): FrameFacts['theme'] {
    const { classList } = this.document.body;
    const isLight =
      classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
    return isLight ? 'light' : 'dark';
  }

  private facts(): FrameFacts {
    const { browser, place, settings } = this;
    const computed = browser.getComputedStyle(this.document.documentElement);
    const valueOf = (names: readonly string[]) => {
      for (const name of names) {
        const value = name.startsWith('--') ? computed.getPropertyValue(name).trim() : name;
        if (value) return value;
      }
      return '';
    };
    return {
      theme: this.theme(),
      variables: Object.fromEntries(
        Object.entries(settings.variables)
          .map(([name, names]) => [name, valueOf(names)] as const)
          .filter(([, value]) => value !== ''),
      ),
      width: place.clientWidth,
      height: place.clientHeight,
      touch: browser.matchMedia('(any-pointer: coarse)').matches,
      hover: browser.matchMedia('(any-hover: hover)').matches,
    };
  }

  private layOut(): void {
    const { frame, place, mode, wanted } = this;
    if (!frame) return;
    // Determines which `prefers-color-scheme` the app's media queries see.
    frame.style['colorScheme'] = this.theme();
    const fits = mode === 'inline' && wanted !== undefined;
    frame.style['height'] = fits ? `${Math.min(wanted, place.clientHeight)}px` : '100%';
  }

  private show({ html, sandbox, allow, title, state }: AppDocument): void {
    this.editor.setState(state);
    const own = this.document.createElement('iframe');
    this.frame = own;
    this.disconnect();
    this.wanted = undefined;
    this.taking.clear();
    own.setAttribute('sandbox', sandbox);
    own.setAttribute('allow', allow);
    own.setAttribute('title', title);
    own.setAttribute('referrerpolicy', 'no-referrer');
    own.setAttribute('srcdoc', html);
    let loads = 0;
    own.addEventListener('load', () => {
      loads += 1;
      // The frame no longer shows what was approved, but would receive what the app receives.
      if (loads > 1 && this.frame === own) this.end('navigated');
    });
    this.place.replaceChildren(own);
    this.layOut();
  }

  private end(why: EndReason): void {
    this.frame = undefined;
    this.disconnect();
    this.place.replaceChildren();
    this.tell(this.settings.messages.appEnded, { why });
  }

  /** Takes the port that the first script of the document sends before anything of the app runs. */
  private connect(own: MessagePort): void {
    this.port = own;
    const leave = () => {
      if (this.port === own) this.end('navigated');
    };
    own.onclose = leave;
    own.onmessage = ({ data }) => {
      const { answer, isGone } = data as { readonly answer?: unknown; readonly isGone?: unknown };
      if (isGone === true) leave();
      if (typeof answer !== 'number') return;
      const proven = this.held.filter((one) => one.asked <= answer);
      this.held = this.held.slice(proven.length);
      for (const { run } of proven) if (this.port === own) run();
    };
    for (const data of this.unsent.splice(0)) this.toApp(data);
  }

  private disconnect(): void {
    this.port?.close();
    this.port = undefined;
    this.unsent = [];
    this.held = [];
  }

  private send(message: AppMessage): void {
    this.port?.postMessage(message);
  }

  private toApp(data: unknown): void {
    if (this.port) this.send({ data, origin: this.browser.origin });
    else if (this.frame) this.unsent.push(data);
  }

  /** Runs something once it is certain that the document is still there. */
  private onceThere(run: () => void): void {
    this.asked += 1;
    this.held.push({ asked: this.asked, run });
    // A page that took its place may never finish loading, and never answers.
    if (this.held.length > this.settings.maxMessagesPerSecond * 4) this.end('navigated');
    else this.send({ ask: this.asked });
  }

  private fromEditor(message: { id?: unknown; method?: unknown; params?: unknown }): void {
    const { messages } = this.settings;
    const { id, method, params } = message;
    switch (method) {
      case messages.resourceReady:
        this.show(params as AppDocument);
        break;
      case messages.keepState:
        this.editor.setState((params as { state: unknown }).state);
        break;
      case messages.setMode:
        this.mode = (params as { mode: string }).mode;
        this.layOut();
        break;
      default:
        this.toApp(message);
        if (method === undefined) this.giveFocusBack(id);
    }
  }

  private fromApp(data: unknown): void {
    if (!this.take() || typeof data !== 'object' || data === null) return;
    const { key } = data as { key?: unknown };
    if (key === 'Escape' || key === 'F1' || key === 'F6') {
      this.onceThere(() => this.leave(key));
      return;
    }
    let text: string | undefined;
    try {
      text = JSON.stringify(data);
    } catch {
      text = undefined;
    }
    if (text === undefined) return;
    if (text.length > this.settings.maxMessageLength) this.drop(data, text.length);
    else this.onceThere(() => this.pass(text));
  }

  /** Counts a message; false if it ends the app. */
  private take(): boolean {
    const now = Math.floor(Date.now() / 1000);
    this.count = now === this.second ? this.count + 1 : 1;
    this.second = now;
    if (this.count <= this.settings.maxMessagesPerSecond) return true;
    this.end('flood');
    return false;
  }

  /** Reports a message that is too long, and refuses it if it is a request. */
  private drop(message: { id?: unknown; method?: unknown }, length: number): void {
    const { messages, maxMessageLength } = this.settings;
    this.tell(messages.messageDropped, { length });
    const { id, method } = message;
    const error = { code: -32600, message: `The message is longer than ${maxMessageLength}.` };
    if (id !== undefined && method !== undefined) this.toApp({ jsonrpc: '2.0', id, error });
  }

  private pass(text: string): void {
    const message = JSON.parse(text) as {
      id?: unknown;
      method?: unknown;
      params?: { height?: unknown; requestId?: unknown };
    };
    const { id, method, params } = message;
    if (typeof method === 'string' && method.startsWith(this.settings.reserved)) return;
    if (method === 'ui/notifications/size-changed' && typeof params?.height === 'number') {
      this.wanted = Math.max(params.height, 40);
      this.layOut();
    }
    if (method === 'ui/update-model-context') this.noteFocus(id);
    // What is cancelled has no answer.
    if (method === 'notifications/cancelled') this.taking.delete(params?.requestId);
    this.editor.postMessage(message);
  }

  /** Notes what has the focus before a request that opens the chat; does nothing for what has no answer. */
  private noteFocus(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const { document, taking, frame } = this;
    if (taking.size === 0) this.focused = undefined;
    taking.add(id);
    if (document.hasFocus()) this.focused = document.activeElement === frame ? frame : this.header;
  }

  /** Gives the focus back that the request has taken; does nothing for other requests. */
  private giveFocusBack(id: unknown): void {
    const { focused } = this;
    if (!this.taking.delete(id) || !focused || this.document.hasFocus()) return;
    if (focused === this.frame)
      this.toApp({ jsonrpc: '2.0', method: this.settings.messages.focusAgain });
    else focused.focus();
  }

  /** Moves the focus out of the app, if the app has it. */
  private leave(key: string): void {
    // Which element has it here stays the same when the window's own keyboard is elsewhere.
    if (!this.document.hasFocus() || this.document.activeElement !== this.frame) return;
    this.header.focus();
    // An app that kept taking the focus back would otherwise run the editor's commands over and over.
    if (key === 'Escape' || Date.now() - this.lastKey < 500) return;
    this.lastKey = Date.now();
    this.tell(this.settings.messages.keyPressed, { key });
  }

  private onKey(event: KeyDown): void {
    if (event.key !== 'F6') return;
    event.preventDefault();
    event.stopPropagation();
    this.tell(this.settings.messages.keyPressed, { key: event.key });
  }
}
