import { escapeMarkup } from '../../base/text/markdown';
import { type AppHtml, focusAgain } from './frameMessages';
import type { AppEvent, AppMessage, Focusable, KeyDown, MessagePort } from './pageWindow';

/** The part of a browser's window that {@link inside} needs. */
interface AppWindow {
  readonly document: object;
  readonly MutationObserver: new (call: () => void) => {
    observe(node: object, options: object): void;
  };
  addEventListener(
    type: 'keydown' | 'focusin' | 'pagehide',
    listener: (event: AppEvent) => void,
    isFirst: true,
  ): void;
  dispatchEvent(event: object): void;
  readonly parent: {
    postMessage(message: unknown, origin: string, transfer?: readonly MessagePort[]): void;
  };
  readonly MessageChannel: new () => { readonly port1: MessagePort; readonly port2: MessagePort };
  readonly MessageEvent: new (type: string, init: object) => object;
  setTimeout(call: () => void, ms: number): void;
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
  parent.postMessage(undefined, '*', [port2]);
  const leave = ({ key }: KeyDown) => parent.postMessage({ key }, '*');
  const goes = () => answer({ isGone: true });
  const onKey = (event: AppEvent) => {
    if (event.key === 'F1' || event.key === 'F6') {
      event.preventDefault();
      leave(event);
    } else if (event.key === 'Escape')
      // Whether the app needs the key is known only after all of its listeners have run.
      browser.setTimeout(() => {
        if (!event.defaultPrevented) leave(event);
      }, 0);
  };
  const onFocus = (event: AppEvent) => ([place] = event.composedPath());
  const add = browser.addEventListener.bind(browser);
  const listen = () => {
    add('pagehide', goes, true);
    add('keydown', onKey, true);
    add('focusin', onFocus, true);
  };
  listen();
  // What opens the document anew takes all listeners from it with what was in it.
  new browser.MutationObserver(listen).observe(browser.document, { childList: true });
}

/** The parts of a browser's window that {@link ConnectionGuard} needs. */
interface GuardedWindow extends Readonly<
  Record<
    | 'Attr'
    | 'DOMParser'
    | 'DOMTokenList'
    | 'Document'
    | 'Element'
    | 'HTMLFrameElement'
    | 'HTMLIFrameElement'
    | 'HTMLLinkElement'
    | 'MutationRecord'
    | 'NamedNodeMap'
    | 'Node'
    | 'NodeList'
    | 'Range'
    | 'ShadowRoot'
    | 'XMLHttpRequest',
    { readonly prototype: object }
  >
> {
  readonly document: { readonly currentScript: { readonly outerHTML: string } };
  readonly MutationObserver: new (call: (records: readonly object[]) => void) => object;
}

/** A function that was taken from a prototype, called with the object: whatever is there by then. */
type Taken = (self: unknown, ...given: unknown[]) => unknown;

/**
 * Finds each start of an element that could be a link to a host to look up or connect to ahead: all but those whose `rel`
 * is written so plainly that it is known to be another. In scripts, comments and attributes, it finds what is none.
 */
const links =
  /<(?:[\w.\x80-\uFFFF-]*:)?link(?=[\t\n\f\r />])(?!(?:[\t\n\f\r ]+(?:rel[\t\n\f\r ]*=[\t\n\f\r ]*(?:"(?:(?!preconnect|dns-prefetch)[\w\s-])*"|'(?:(?!preconnect|dns-prefetch)[\w\s-])*'|(?:(?!preconnect|dns-prefetch)[\w-])+)|(?!rel[\t\n\f\r =/>])[\w:-]+(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'`=<>]+))?))*[\t\n\f\r ]*\/?>)/gi;

/**
 * Takes away what connects to other machines past every policy: no directive is about WebRTC, nor about links to hosts
 * to look up or connect to ahead. Frames inside the app whose HTML the app wrote get this script as well; none has a script
 * for its address, or lies in a tree that only HTML makes, where it would not be seen. A best effort: a browser lets no page
 * be sure of it. Its source text is put into the page, so it can use nothing from outside; once the app runs, it looks
 * nothing up, neither a global nor a prototype's.
 */
class ConnectionGuard {
  private readonly browser = globalThis as unknown as GuardedWindow;
  private readonly start = `<!doctype html>${this.browser.document.currentScript.outerHTML}`;
  // Does not find itself, so that a copy of this script in the app's own HTML stays the same.
  private readonly trees = /shadowroot[m]ode/gi;
  // A name where a script has one, as long as what it replaces, and with another end wherever that is cut.
  private readonly noTree = 'shadowrootnull';
  // As long, empty, and allowed where a link is; one that acts is one that the app may write itself.
  private readonly noLink = 'meta';
  private readonly linkBegins = /<(?:l(?:i(?:n(?:k(?:[\t\n\f\r /][^>]*)?)?)?)?)?$/i;
  private readonly hints = /preconnect|dns-prefetch/gi;
  private readonly relName = /rel$/i;
  // What gives the elements of XML attributes that are not written there.
  private readonly declarations = /<!(?:ENTITY|ATTLIST)/gi;
  private written = '';
  private held = '';
  private readonly links: RegExp;
  private readonly watched = Object.assign(Object.create(null) as object, {
    childList: true,
    subtree: true,
    attributes: true,
  });

  // The app can replace what it finds, but not what was taken before it came.
  private readonly observer = this.browser.MutationObserver;
  private readonly observe = this.taken(this.observer.prototype as object, 'observe');
  private readonly targetOf = this.taken(this.browser.MutationRecord.prototype, 'target');
  private readonly addedTo = this.taken(this.browser.MutationRecord.prototype, 'addedNodes');
  private readonly lengthOf = this.taken(this.browser.NodeList.prototype, 'length');
  private readonly itemOf = this.taken(this.browser.NodeList.prototype, 'item');
  private readonly typeOf = this.taken(this.browser.Node.prototype, 'nodeType');
  private readonly namespaceOf = this.taken(this.browser.Element.prototype, 'namespaceURI');
  private readonly nameOf = this.taken(this.browser.Element.prototype, 'localName');
  private readonly find = this.taken(this.browser.Element.prototype, 'querySelectorAll');
  private readonly attributeOf = this.taken(this.browser.Element.prototype, 'getAttribute');
  private readonly setAttribute = this.taken(this.browser.Element.prototype, 'setAttribute');
  private readonly takeOut = this.taken(this.browser.Element.prototype, 'remove');
  private readonly addressOf = this.taken(this.browser.HTMLIFrameElement.prototype, 'src');
  private readonly oldAddressOf = this.taken(this.browser.HTMLFrameElement.prototype, 'src');
  private readonly attributeNameOf = this.taken(this.browser.Attr.prototype, 'localName');
  private readonly valueOf = this.taken(this.browser.Attr.prototype, 'value');
  private readonly setValueOf = this.taken(this.browser.Attr.prototype, 'value', 'set');
  private readonly exec = this.taken(RegExp.prototype, 'exec');
  private readonly slice = this.taken(String.prototype, 'slice');
  private readonly join = this.taken(Array.prototype, 'join');

  constructor(pattern: RegExp) {
    this.links = pattern;
    const { document, Document, Element, ShadowRoot } = this.browser;
    for (const name of Object.getOwnPropertyNames(this.browser))
      if (/^(?:(?:webkit|moz)?RTC|XSLT)/.test(name)) this.remove(this.browser, name);
    for (const owner of [Document, Document.prototype, Element.prototype, ShadowRoot.prototype])
      for (const name of Object.getOwnPropertyNames(owner))
        if (/HTMLUnsafe$|^stream.*HTML/.test(name)) this.remove(owner, name);
    for (const name of ['write', 'writeln'])
      this.replace(Document.prototype, name, (write, self, texts) =>
        write(self, this.safeOnwards(this.join(texts, '') as string)),
      );
    this.replace(Element.prototype, 'attachShadow', (attach, self, given) => {
      // A copy of the element would have a tree that nothing watches.
      const root = attach(self, { ...(given[0] as object), clonable: false });
      this.watch(root);
      return root;
    });
    this.guardHtml();
    this.guardLinks();
    this.watch(document);
  }

  /** Lets no HTML or XML make a link that connects. */
  private guardHtml(): void {
    const { DOMParser, Document, Element, Range, ShadowRoot, XMLHttpRequest } = this.browser;
    const html = (_self: unknown, text: string) => this.safe(text);
    this.change(Element.prototype, 'innerHTML', 0, html);
    this.change(Element.prototype, 'outerHTML', 0, html);
    this.change(Element.prototype, 'setHTML', 0, html);
    this.change(Element.prototype, 'insertAdjacentHTML', 1, html);
    this.change(ShadowRoot.prototype, 'innerHTML', 0, html);
    this.change(ShadowRoot.prototype, 'setHTML', 0, html);
    this.change(Range.prototype, 'createContextualFragment', 0, html);
    this.change(Document, 'parseHTML', 0, html);
    this.change(Document.prototype, 'execCommand', 2, html);
    this.change(DOMParser.prototype, 'parseFromString', 0, (_self, text) =>
      this.safe(this.without(this.declarations, '?', text)),
    );
    this.remove(XMLHttpRequest.prototype, 'responseXML');
    this.change(XMLHttpRequest.prototype, 'responseType', 0, (_self, type) =>
      type === 'document' ? 'text' : type,
    );
  }

  /** Lets no attribute make a link that connects. */
  private guardLinks(): void {
    const { Attr, DOMTokenList, Element, HTMLLinkElement, NamedNodeMap, Node } = this.browser;
    const word = (_self: unknown, text: string) => this.without(this.hints, '-', text);
    const ofLink = (self: unknown, text: string, name: unknown) =>
      this.nameOf(self) === 'link' && this.mayBeRel(name) ? word(self, text) : text;
    const ofAttribute = (self: unknown, text: string) =>
      this.typeOf(self) === 2 && this.attributeNameOf(self) === 'rel' ? word(self, text) : text;
    this.change(Element.prototype, 'setAttribute', 1, ofLink);
    this.change(Element.prototype, 'setAttributeNS', 2, ofLink);
    this.change(HTMLLinkElement.prototype, 'rel', 0, word);
    this.change(HTMLLinkElement.prototype, 'relList', 0, word);
    for (const name of ['add', 'replace', 'toggle', 'value'])
      this.change(DOMTokenList.prototype, name, undefined, word);
    this.change(Attr.prototype, 'value', 0, ofAttribute);
    this.change(Node.prototype, 'nodeValue', 0, ofAttribute);
    this.change(Node.prototype, 'textContent', 0, ofAttribute);
    // That of an element of another kind may say anything.
    const moved: readonly (readonly [object, string])[] = [
      [Element.prototype, 'setAttributeNode'],
      [Element.prototype, 'setAttributeNodeNS'],
      [NamedNodeMap.prototype, 'setNamedItem'],
      [NamedNodeMap.prototype, 'setNamedItemNS'],
    ];
    for (const [owner, name] of moved)
      this.replace(owner, name, (set, self, given) => {
        const text = this.valueOf(given[0]) as string;
        this.setValueOf(given[0], ofAttribute(given[0], text));
        return set(self, given[0]);
      });
  }

  /** True unless it is the name of another attribute; what a name is made of may make another each time. */
  private mayBeRel(name: unknown): boolean {
    return typeof name !== 'string' || this.exec(this.relName, name) !== null;
  }

  private taken(owner: object, name: string, way: 'get' | 'set' = 'get'): Taken {
    const { apply } = Reflect;
    const own = this.own(owner, name, way);
    return (self, ...given) => apply(own, self, given) as unknown;
  }

  private own(owner: object, name: string, way: 'get' | 'set'): Taken {
    const found = Object.getOwnPropertyDescriptor(owner, name) as
      { readonly [key in typeof way | 'value']?: Taken } | undefined;
    return (found?.[way] ?? found?.value) as Taken;
  }

  private remove(owner: object, name: string): void {
    if (name in owner)
      Object.defineProperty(owner, name, { value: undefined, configurable: false });
  }

  private replace(
    owner: object,
    name: string,
    call: (before: Taken, self: unknown, given: readonly unknown[]) => unknown,
  ): void {
    const before = this.taken(owner, name);
    const value = function (this: unknown, ...given: unknown[]) {
      return call(before, this, given);
    };
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  }

  /** Changes a text, or each if `at` is not given, of those that a function or a property is given, knowing what stands before. */
  private change(
    owner: object,
    name: string,
    at: number | undefined,
    changed: (self: unknown, text: string, before: unknown) => string,
  ): void {
    const found = Object.getOwnPropertyDescriptor(owner, name);
    if (!found) return;
    const key = 'value' in found ? 'value' : 'set';
    const { join } = this;
    const { apply } = Reflect;
    const before = this.own(owner, name, 'set');
    const call = function (this: unknown, ...given: unknown[]) {
      for (let each = at ?? 0; each < given.length && each <= (at ?? each); each += 1) {
        const one = given[each];
        const ahead = each > 0 ? given[each - 1] : '';
        // What a text is made of may make another each time.
        if (typeof one === 'string') given[each] = changed(this, one, ahead);
        else if (typeof one === 'function' || (typeof one === 'object' && one))
          given[each] = changed(this, join([one], '') as string, ahead);
      }
      return apply(before, this, given) as unknown;
    };
    Object.defineProperty(owner, name, { ...found, [key]: call });
  }

  /** Returns a text with another end of each match. */
  private without(pattern: RegExp, end: string, text: string): string {
    let changed = '';
    let from = 0;
    pattern.lastIndex = 0;
    while (this.exec(pattern, text)) {
      changed += (this.slice(text, from, pattern.lastIndex - end.length) as string) + end;
      from = pattern.lastIndex;
    }
    return changed + (this.slice(text, from) as string);
  }

  /** Returns HTML in which no attribute makes a tree, and no link connects. */
  private safe(html: string): string {
    return this.without(this.links, this.noLink, this.without(this.trees, this.noTree, html));
  }

  /** Returns what to write so that the same holds for all that is written, whose names can be in pieces. */
  private safeOnwards(html: string): string {
    const text = this.held + html;
    const held = this.exec(this.linkBegins, text) as { readonly index: number } | null;
    const end = held ? held.index : text.length;
    this.held = this.slice(text, end) as string;
    const { length } = this.written;
    const all = this.without(
      this.trees,
      this.noTree,
      this.written + (this.slice(text, 0, end) as string),
    );
    this.written = this.slice(all, 1 - this.noTree.length) as string;
    return this.without(this.links, this.noLink, this.slice(all, length) as string);
  }

  private watch(root: unknown): void {
    const own = new this.observer((records) => {
      for (let at = 0; at < records.length; at += 1) {
        this.treat(this.targetOf(records[at]));
        this.each(this.addedTo(records[at]), (node) => {
          this.treat(node);
          if (this.typeOf(node) === 1)
            this.each(this.find(node, 'iframe, frame'), (frame) => this.treat(frame));
        });
      }
    });
    this.observe(own, root, this.watched);
  }

  private each(list: unknown, call: (node: unknown) => void): void {
    for (let at = 0; at < (this.lengthOf(list) as number); at += 1) call(this.itemOf(list, at));
  }

  private treat(node: unknown): void {
    // An element of another kind, such as of SVG, may have the name of a frame.
    if (this.typeOf(node) !== 1 || this.namespaceOf(node) !== 'http://www.w3.org/1999/xhtml')
      return;
    const name = this.nameOf(node);
    if (name !== 'iframe' && name !== 'frame') return;
    const address = name === 'iframe' ? this.addressOf(node) : this.oldAddressOf(node);
    if (this.slice(address, 0, 11) === 'javascript:') this.setAttribute(node, 'src', 'about:blank');
    const html = this.attributeOf(node, 'srcdoc');
    if (typeof html !== 'string') return;
    const { start } = this;
    const begins = this.slice(html, 0, start.length) === start;
    const rest = begins ? (this.slice(html, start.length) as string) : html;
    const safe = start + this.safe(rest);
    if (safe === html) return;
    try {
      this.setAttribute(node, 'srcdoc', safe);
    } catch {
      // The app forbids its own document to set HTML (Trusted Types).
    }
    if (this.attributeOf(node, 'srcdoc') !== safe) this.takeOut(node);
  }
}

/** Returns the HTML of an app, preceded by its policy and by what connects it to the page around it. */
export function appDocument(html: string, policy: string): AppHtml {
  const own = [
    `<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}">`,
    '<meta http-equiv="x-dns-prefetch-control" content="off">',
    `<script>new (${ConnectionGuard.toString()})(${String(links)})</script>`,
    `<script>(${inside.toString()})('${focusAgain}')</script>`,
  ].join('');
  const doctype = /^\uFEFF?\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  // What lies in a tree that HTML makes is seen by no script, and a link connects before one sees it.
  const rest = html
    .slice(doctype.length)
    .replaceAll(/shadowrootmode/gi, 'shadowrootnull')
    .replaceAll(links, (begin) => `${begin.slice(0, -'link'.length)}meta`);
  return `${doctype}${own}${rest}` as AppHtml;
}
