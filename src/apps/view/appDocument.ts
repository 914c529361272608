import { escapeMarkup } from '../../base/text/markdown';
import { type AppHtml, focusAgain } from './frameMessages';
import type { AppMessage, KeyDown, MessagePort } from './pageWindow';

/** The part of a browser's window that {@link inside} needs. */
interface AppWindow {
  addEventListener(
    type: 'keydown',
    listener: (event: KeyDown & { readonly defaultPrevented: boolean }) => void,
    isFirst: true,
  ): void;
  addEventListener(
    type: 'focusin',
    listener: (event: { composedPath(): readonly Focusable[] }) => void,
    isFirst: true,
  ): void;
  addEventListener(type: 'pagehide', listener: () => void, isFirst: true): void;
  dispatchEvent(event: object): void;
  readonly parent: {
    postMessage(message: unknown, origin: string, transfer?: readonly MessagePort[]): void;
  };
  readonly MessageChannel: new () => { readonly port1: MessagePort; readonly port2: MessagePort };
  readonly MessageEvent: new (type: string, init: object) => object;
  setTimeout(call: () => void, ms: number): void;
  focus(): void;
}

interface Focusable {
  readonly isConnected: boolean;
  focus(): void;
}

/**
 * Connects an app to the page around it, before anything of the app runs. What that page says comes through a port
 * that ends with this document, so that no page in its place hears it, and answers there prove that this document
 * is still shown. Passes keys on before the app can keep them: F1 and F6 always belong to the editor, and Escape
 * leaves the app unless the app needs it, such as to close a list. Takes the focus again, in the same place, when
 * the page around it says so.
 */
function inside(focusMethod: string): void {
  const browser = globalThis as unknown as AppWindow;
  const { parent, MessageEvent } = browser;
  const { apply } = Reflect;
  const { port1, port2 } = new browser.MessageChannel();
  // The app can replace what it finds, but not what was taken before it came.
  const answer = port1.postMessage.bind(port1);
  const own = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data') ?? {};
  const getter = Object.entries(own).find(([name]) => name === 'get')?.[1] as
    ((this: unknown) => unknown) | undefined;
  const readData = (event: { readonly data: unknown }) =>
    (getter ? apply(getter, event, []) : event.data) as AppMessage;
  let place: Focusable | undefined;
  port1.onmessage = (event) => {
    const { ask, data, origin } = readData(event);
    if (ask !== undefined) answer({ answer: ask });
    else if ((data as { readonly method?: unknown } | null)?.method === focusMethod)
      if (place?.isConnected) place.focus();
      else browser.focus();
    else browser.dispatchEvent(new MessageEvent('message', { data, origin, source: parent }));
  };
  browser.addEventListener('pagehide', () => answer({ isGone: true }), true);
  parent.postMessage(undefined, '*', [port2]);
  const leave = ({ key }: KeyDown) => parent.postMessage({ key }, '*');
  browser.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'F1' || event.key === 'F6') {
        event.preventDefault();
        leave(event);
      } else if (event.key === 'Escape')
        // Whether the app needs the key is known only after all of its listeners have run.
        browser.setTimeout(() => {
          if (!event.defaultPrevented) leave(event);
        }, 0);
    },
    true,
  );
  browser.addEventListener('focusin', (event) => ([place] = event.composedPath()), true);
}

/** The part of a document's tree that {@link withoutPeers} needs. */
interface Node {
  readonly localName?: string;
  getAttribute?(name: string): string | null;
  setAttribute(name: string, value: string): void;
  querySelectorAll?(selector: string): Iterable<Node>;
}

interface PeerWindow {
  readonly document: Node & { readonly currentScript: { readonly outerHTML: string } };
  readonly Element: { readonly prototype: { attachShadow?(this: Node, init: object): Node } };
  readonly MutationObserver: new (
    call: (
      records: readonly { readonly target: Node; readonly addedNodes: Iterable<Node> }[],
    ) => void,
  ) => { observe(node: Node, options: object): void };
}

/**
 * Takes away what connects to other machines past every policy: no directive is about WebRTC. Frames inside the app
 * whose HTML the app wrote get this script as well. A best effort: a browser lets no page be sure of it.
 */
function withoutPeers(): void {
  const browser = globalThis as unknown as PeerWindow;
  const { document, MutationObserver } = browser;
  const own = document.currentScript.outerHTML;
  for (const name of Object.getOwnPropertyNames(browser))
    if (/^(?:webkit|moz)?RTC/.test(name))
      Object.defineProperty(browser, name, { value: undefined, configurable: false });
  const done = new WeakMap<Node, string>();
  const treat = (node: Node) => {
    const html = node.localName === 'iframe' ? node.getAttribute?.('srcdoc') : undefined;
    if (typeof html !== 'string' || done.get(node) === html) return;
    const treated = html.replace(/^\uFEFF?\s*(?:<!doctype[^>]*>)?/i, (start) => start + own);
    done.set(node, treated);
    node.setAttribute('srcdoc', treated);
  };
  const watch = (root: Node) =>
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records)
        for (const node of [target, ...addedNodes]) {
          treat(node);
          for (const frame of node.querySelectorAll?.('iframe[srcdoc]') ?? []) treat(frame);
        }
    }).observe(root, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['srcdoc'],
    });
  watch(document);
  const { prototype } = browser.Element;
  const attach = Object.getOwnPropertyDescriptor(prototype, 'attachShadow')?.value as
    ((this: Node, init: object) => Node) | undefined;
  if (attach)
    prototype.attachShadow = function (init) {
      const root = attach.call(this, init);
      watch(root);
      return root;
    };
}

/** Returns the HTML of an app, preceded by its policy and by what connects it to the page around it. */
export function appDocument(html: string, policy: string): AppHtml {
  const own = [
    `<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}">`,
    '<meta http-equiv="x-dns-prefetch-control" content="off">',
    `<script>(${withoutPeers.toString()})()</script>`,
    `<script>(${inside.toString()})('${focusAgain}')</script>`,
  ].join('');
  const doctype = /^\uFEFF?\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${doctype}${own}${html.slice(doctype.length)}` as AppHtml;
}
