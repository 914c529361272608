import assert from 'node:assert/strict';
import { createContext, runInContext, runInNewContext, Script } from 'node:vm';
import { appDocument } from '../../../../src/apps/view/appDocument';
import type { MessagePort } from '../../../../src/apps/view/pageWindow';
import { focusAgain } from '../../../../src/apps/view/frameMessages';

const policy = "default-src 'none'";
const xhtml = 'http://www.w3.org/1999/xhtml';
const svg = 'http://www.w3.org/2000/svg';

/** Runs the script that connects an app's document, and records what it passes on and what the app hears. */
function openDocument() {
  const given: string[] = [];
  const heard: { type: string; data: unknown; source: unknown; origin: unknown }[] = [];
  const answers: unknown[] = [];
  const later: (() => void)[] = [];
  const listeners: Record<string, (event: object) => void> = {};
  const document = {};
  let changed: () => void = () => {};
  const focused: string[] = [];
  const scripts = [...appDocument('', policy).matchAll(/<script>([^]*?)<\/script>/g)];
  const [, script = ''] = scripts.at(-1) ?? [];
  const parent = {
    postMessage(message: unknown, _origin: string, transfer?: readonly unknown[]) {
      if (transfer) assert.equal(transfer[0], port2);
      else given.push(JSON.stringify(message));
    },
  };
  const port1: MessagePort = {
    onmessage: null,
    close() {},
    postMessage: (message) => answers.push(message),
  };
  const port2 = {};
  const context = {
    parent,
    document,
    MutationObserver: function MutationObserver(call: () => void) {
      changed = call;
      return {
        observe: (node: object, options: object) =>
          assert.deepEqual([node === document, { ...options }], [true, { childList: true }]),
      };
    },
    MessageChannel: function MessageChannel() {
      return { port1, port2 };
    },
    MessageEvent: function MessageEvent(type: string, init: object) {
      return { type, ...init };
    },
    dispatchEvent: (event: (typeof heard)[number]) => heard.push(event),
    addEventListener: (type: string, call: (event: object) => void, isFirst: boolean) => {
      assert.ok(isFirst);
      listeners[type] = call;
    },
    focus: () => focused.push('the window'),
    setTimeout: (call: () => void) => later.push(call),
  };
  runInNewContext(script, context);
  const press = (key: string, isNeeded = false) => {
    const event = {
      key,
      defaultPrevented: false,
      preventDefault: () => (event.defaultPrevented = true),
    };
    listeners['keydown']?.(event);
    // The app handles the key afterwards.
    if (isNeeded) event.preventDefault();
    for (const call of later.splice(0)) call();
    return event.defaultPrevented;
  };
  /** Puts the focus on an element of the app; tells of it whenever it is focused by the script. */
  const enter = (name: string) => {
    const element = { isConnected: true, focus: () => focused.push(name) };
    listeners['focusin']?.({ composedPath: () => [element, context] });
    return element;
  };
  /** Opens the document anew, as a browser does: without all that listened. */
  const openAnew = () => {
    for (const type of Object.keys(listeners)) delete listeners[type];
    changed();
  };
  const receive = (data: unknown) =>
    port1.onmessage?.({ data: { data, origin: 'https://webview.example' } });
  return {
    given,
    heard,
    answers,
    press,
    context,
    focused,
    enter,
    receive,
    openAnew,
    port1,
    listeners,
    parent,
  };
}

/** What can make a link to a host to connect to, and which of the texts that it is given does. */
const doors = [
  ['Element', 'innerHTML', 0],
  ['Element', 'outerHTML', 0],
  ['Element', 'setHTML', 0],
  ['Element', 'insertAdjacentHTML', 1],
  ['ShadowRoot', 'innerHTML', 0],
  ['ShadowRoot', 'setHTML', 0],
  ['Range', 'createContextualFragment', 0],
  ['DOMParser', 'parseFromString', 0],
  ['Document', 'execCommand', 2],
  ['Element', 'setAttributeNS', 2],
  ['HTMLLinkElement', 'rel', 0],
  ['HTMLLinkElement', 'relList', 0],
  ['DOMTokenList', 'add', 0],
  ['DOMTokenList', 'add', 1],
  ['DOMTokenList', 'replace', 1],
  ['DOMTokenList', 'toggle', 0],
  ['DOMTokenList', 'value', 0],
  ['Node', 'nodeValue', 0],
  ['Node', 'textContent', 0],
  ['Element', 'setAttributeNode', 0],
  ['Element', 'setAttributeNodeNS', 0],
  ['NamedNodeMap', 'setNamedItem', 0],
  ['NamedNodeMap', 'setNamedItemNS', 0],
  ['XMLHttpRequest', 'responseType', 0],
] as const;

/** Runs the script that keeps an app from WebRTC and from links that connect, with what it needs of a browser. */
function guarded() {
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(appDocument('', policy)) ?? [];
  const watched: unknown[] = [];
  const written: string[] = [];
  let call: (records: readonly object[]) => void = () => {};
  // As in a browser, each member takes an object of its own class alone.
  class Node {
    readonly #type: number = 1;
    constructor(type = 1) {
      this.#type = type;
    }
    get nodeType() {
      return this.#type;
    }
  }
  class NodeList {
    readonly #nodes: readonly object[];
    constructor(nodes: readonly object[]) {
      this.#nodes = nodes;
    }
    get length() {
      return this.#nodes.length;
    }
    item(at: number) {
      return this.#nodes[at];
    }
  }
  class Element extends Node {
    readonly attributes: Record<string, string>;
    isGone = false;
    readonly #name: string;
    readonly #inner: readonly object[];
    readonly #namespace: string;
    constructor(
      attributes: Record<string, string> = {},
      name = 'div',
      inner: object[] = [],
      namespace = xhtml,
    ) {
      super();
      [this.attributes, this.#name, this.#inner] = [attributes, name, inner];
      this.#namespace = namespace;
    }
    get namespaceURI() {
      return this.#namespace;
    }
    get localName() {
      return this.#name;
    }
    getAttribute(name: string) {
      return this.attributes[name] ?? null;
    }
    setAttribute(name: string, value: string) {
      this.attributes[name] = value;
    }
    remove() {
      this.isGone = true;
    }
    querySelectorAll() {
      return new NodeList(this.#inner);
    }
    attachShadow(given?: { readonly clonable?: boolean }) {
      return { root: true, clonable: given?.clonable };
    }
    setHTMLUnsafe() {}
  }
  class Attr extends Node {
    readonly #name: string;
    #value = '';
    constructor(name: string) {
      super(2);
      this.#name = name;
    }
    get localName() {
      return this.#name;
    }
    get value() {
      return this.#value;
    }
    set value(text: string) {
      this.#value = text;
    }
  }
  // Of these, only what the table of doors puts there is used.
  const bare = () => class extends Node {};
  const others = {
    Attr,
    DOMParser: bare(),
    DOMTokenList: bare(),
    HTMLLinkElement: class extends Element {},
    NamedNodeMap: bare(),
    Range: bare(),
    XMLHttpRequest: bare(),
  };
  const frameClass = () =>
    class extends Element {
      readonly #own = this.attributes;
      get src() {
        return this.#own['src'] ?? '';
      }
    };
  const [HTMLIFrameElement, HTMLFrameElement] = [frameClass(), frameClass()];
  class MutationRecord {
    readonly #told: readonly [object, readonly object[]];
    constructor(target: object, nodes: readonly object[]) {
      this.#told = [target, nodes];
    }
    get target() {
      return this.#told[0];
    }
    get addedNodes() {
      return new NodeList(this.#told[1]);
    }
  }
  class Document extends Node {
    readonly currentScript = { outerHTML: '<script>own</script>' };
    constructor() {
      super(9);
    }
    write(text: string) {
      written.push(text);
    }
    writeln() {}
    static parseHTMLUnsafe() {}
  }
  class MutationObserver {
    constructor(own: typeof call) {
      call = own;
    }
    observe(node: object, options: Record<string, unknown>) {
      const names = ['childList', 'subtree', 'attributes', 'attributeFilter', 'characterData'];
      watched.push([node, names.filter((name) => options[name] !== undefined)]);
    }
  }
  class ShadowRoot {
    setHTMLUnsafe() {}
  }
  const document = new Document();
  const classes = {
    Node,
    NodeList,
    Element,
    MutationRecord,
    Document,
    MutationObserver,
    ShadowRoot,
  };
  const frames = { HTMLIFrameElement, HTMLFrameElement };
  const heard: unknown[][] = [];
  for (const [owner, name] of doors) {
    const hear = (...given: unknown[]) => heard.push(given);
    const on = { ...classes, ...others }[owner].prototype;
    const isSetter = /^(inner|outer)HTML|^rel|^value|^nodeV|^textC|Type$/.test(name);
    Object.defineProperty(on, name, { [isSetter ? 'set' : 'value']: hear, configurable: true });
  }
  const peers = {
    RTCPeerConnection: () => 0,
    webkitRTCPeerConnection: () => 0,
    RTCDataChannel: () => 0,
  };
  const context = createContext({ document, ...classes, ...others, ...frames, ...peers });
  const run = (code: string): unknown => runInContext(code, context);
  const inArray = run('(record) => [record]') as (record: object) => readonly object[];
  run(script);
  return {
    run,
    watched,
    written,
    heard,
    document,
    start: '<!doctype html><script>own</script>',
    element: (name: string, inner: object[] = [], namespace = xhtml) =>
      new Element({}, name, inner, namespace),
    frame: (attributes: Record<string, string>, name = 'iframe') =>
      new (name === 'iframe' ? HTMLIFrameElement : HTMLFrameElement)(attributes, name),
    tell: (target: object, nodes: object[]) => call(inArray(new MutationRecord(target, nodes))),
  };
}

/** Takes every global, and everything on the prototypes, away from what runs afterwards. */
const takeAll = `{
  const { ownKeys, defineProperty, deleteProperty } = Reflect;
  const gone = () => { throw 'looked up'; };
  const take = (owner, key) => defineProperty(owner, key, { __proto__: null, get: gone, set: gone });
  const all = globalThis;
  const names = ownKeys(all);
  const owners = names.map((name) => all[name]?.prototype).filter((owner) => owner);
  const keys = owners.map(ownKeys);
  take(Object.prototype, 'attributeFilter');
  take(Object.prototype, 'characterData');
  for (let at = 0; at < owners.length; at += 1)
    for (let k = 0; k < keys[at].length; k += 1) take(owners[at], keys[at][k]);
  for (let at = 0; at < names.length; at += 1) deleteProperty(all, names[at]);
}`;

describe('the document of an app', () => {
  it('gives the keys of the editor away before the app can keep them', () => {
    const { given, press } = openDocument();
    assert.equal(press('F6'), true);
    assert.equal(press('F6', true), true);
    assert.equal(press('F1', true), true);
    assert.equal(press('Tab'), false);
    assert.deepEqual(given, ['{"key":"F6"}', '{"key":"F6"}', '{"key":"F1"}']);
  });

  it('listens on where the app opens its document anew, and replaces what listens', () => {
    const { given, press, answers, listeners, context, enter, receive, focused, openAnew } =
      openDocument();
    context.addEventListener = () => assert.fail('looked up');
    openAnew();
    press('F6');
    assert.deepEqual(given, ['{"key":"F6"}']);
    enter('first');
    receive({ jsonrpc: '2.0', method: focusAgain });
    assert.deepEqual(focused, ['first']);
    listeners['pagehide']?.({});
    assert.equal(JSON.stringify(answers), '[{"isGone":true}]');
  });

  it('lets Escape out unless the app needs it', () => {
    const { given, press } = openDocument();
    press('Escape', true);
    assert.deepEqual(given, []);
    press('Escape');
    assert.deepEqual(given, ['{"key":"Escape"}']);
  });

  it('tells its own parent, whatever the app says is that', () => {
    const { given, press, context } = openDocument();
    context.parent = { postMessage: () => 0 };
    press('F6');
    assert.equal(given.length, 1);
  });

  it('takes the focus again where it was, and shows the app nothing of that', () => {
    const { enter, receive, focused, heard } = openDocument();
    const again = { jsonrpc: '2.0', method: focusAgain };
    receive(again);
    enter('first');
    const second = enter('second');
    receive(again);
    second.isConnected = false;
    receive(again);
    assert.deepEqual(focused, ['the window', 'second', 'the window']);
    assert.deepEqual(heard, []);
  });

  it('hears all else as a message of the page around it', () => {
    const { receive, heard, focused, parent } = openDocument();
    const all = [null, 'text', 7, {}, { method: 'ui/notifications/tool-result' }];
    all.forEach(receive);
    assert.deepEqual(
      heard.map(({ type, data, source, origin }) => [type, data, source === parent, origin]),
      all.map((data) => ['message', data, true, 'https://webview.example']),
    );
    assert.deepEqual(focused, []);
  });

  it('has nothing of WebRTC, nor has a frame whose HTML it writes', () => {
    const { run, watched, document, tell, element, frame, start } = guarded();
    const names = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel'];
    for (const name of names) assert.equal(run(`typeof ${name}`), 'undefined');
    const inner = frame({ srcdoc: '<!doctype html><p>' });
    const plain = frame({});
    tell(document, [element('div', [inner]), plain]);
    tell(inner, []);
    assert.equal(inner.attributes['srcdoc'], `${start}<!doctype html><p>`);
    assert.deepEqual(plain.attributes, {});
    inner.attributes['srcdoc'] = `<!-- ${start} --><b>`;
    tell(inner, []);
    assert.equal(inner.attributes['srcdoc'], `${start}<!-- ${start} --><b>`);
    const root = run('new Element().attachShadow({ mode: "open", clonable: true })');
    assert.equal((root as { readonly clonable: unknown }).clonable, false);
    const all = ['childList', 'subtree', 'attributes'];
    assert.deepEqual(watched, [
      [document, all],
      [root, all],
    ]);
  });

  for (const [what, code] of [
    ['reads attributes', 'Element.prototype.getAttribute = () => null'],
    ['writes attributes', 'Element.prototype.setAttribute = () => {}'],
    ['finds frames', 'Element.prototype.querySelectorAll = () => []'],
    ['names elements', "Object.defineProperty(Element.prototype, 'localName', { value: 'p' })"],
    ['knows elements', "Object.defineProperty(Node.prototype, 'nodeType', { value: 3 })"],
    ['tells what was added', "Object.defineProperty(MutationRecord.prototype, 'addedNodes', {})"],
    ['walks over nodes', 'NodeList.prototype.item = () => null'],
    ['compares texts', "String.prototype.slice = () => ''"],
    [
      'replaces texts',
      'RegExp.prototype.exec = () => null; RegExp.prototype[Symbol.replace] = String',
    ],
    [
      'calls functions',
      'Function.prototype.call = Function.prototype.apply = Reflect.apply = String',
    ],
    ['makes numbers', 'Number = () => 0'],
    ['makes texts', "String = () => '<p>'"],
    ['is there at all', takeAll],
  ] as const)
    it(`has nothing of WebRTC in a frame, whatever the app makes of what ${what}`, () => {
      const { run, watched, document, tell, element, frame, start } = guarded();
      const inner = frame({ srcdoc: '<p>' });
      const attach = run('Element.prototype.attachShadow') as () => object;
      run(code);
      const root = Reflect.apply(attach, element('p'), []);
      assert.deepEqual(watched[1], [root, ['childList', 'subtree', 'attributes']]);
      tell(document, [element('iframe', [], svg), element('div', [inner])]);
      assert.equal(inner.attributes['srcdoc'], `${start}<p>`);
    });

  it('has no frame where no script sees it, nor one with a script for its address', () => {
    const { run, document, tell, frame, start, written } = guarded();
    const hidden = '<p><template SHADOWrootmode=closed><iframe srcdoc=x>';
    const shown = '<p><template shadowrootnull=closed><iframe srcdoc=x>';
    assert.ok(appDocument(hidden, policy).endsWith(shown));
    run(`document.write('<p><template SHADOWroot', 'mode=closed><iframe srcdoc=x>')`);
    assert.deepEqual(written, [shown]);
    const [inner, copied, twice] = ['', start, start + start].map((own) =>
      frame({ srcdoc: own + hidden }),
    );
    const others = ['iframe', 'frame'].map((name) => frame({ src: 'javascript:0' }, name));
    const site = frame({ src: 'https://example.com/' });
    for (let again = 0; again < 2; again += 1) {
      tell(document, [inner, copied, twice, ...others, site] as object[]);
      assert.deepEqual(
        [inner, copied, twice].map((one) => one?.attributes['srcdoc']),
        [start + shown, start + shown, start + start + shown],
      );
    }
    assert.deepEqual(
      [...others, site].map(({ attributes }) => attributes['src']),
      ['about:blank', 'about:blank', 'https://example.com/'],
    );
    for (const name of ['Element.prototype.setHTMLUnsafe', 'Document.parseHTMLUnsafe'])
      assert.equal(run(`typeof ${name}`), 'undefined', name);
  });

  for (const [what, set] of [
    ['forbids', () => assert.fail('This document requires TrustedHTML.')],
    ['ignores', () => {}],
  ] as const)
    it(`has no frame at all where the app ${what} what keeps it from WebRTC`, () => {
      const { document, tell, frame, start } = guarded();
      const attributes = Object.defineProperty({}, 'srcdoc', { get: () => '<p>', set });
      const [kept, other] = [frame(attributes), frame({ srcdoc: '<p>' })];
      tell(document, [kept, other]);
      assert.deepEqual([kept.isGone, other.isGone], [true, false]);
      assert.equal(other.attributes['srcdoc'], `${start}<p>`);
    });

  for (let cut = 1; cut < 'shadowrootmode'.length; cut += 1)
    it(`makes no tree of an attribute that is written in pieces, cut after ${cut}`, () => {
      const { run, written } = guarded();
      const [one, other] = ['shadowrootmode'.slice(0, cut), 'shadowrootmode'.slice(cut)];
      const call = `document.write('<p>', '<template ${one}'); document.write(''); document.write('${other}=open>')`;
      run(call);
      assert.equal(written.length, 3);
      assert.match(written.join(''), /^<p><template \w{14}=open>$/);
      assert.doesNotMatch(written.join(''), /shadowrootmode/i);
    });

  for (const [owner, name, at] of doors)
    it(`has no link that connects by ${owner}.${name}, whatever makes the text ${at}`, () => {
      const { run, heard } = guarded();
      run(`{
        const isHtml = /HTML|Fragment|String|exec/.test('${name}');
        const text = isHtml ? '<p><LINK rel="precon&#110;ect" href=x>' : 'a PreConnect dns-prefetch';
        let asked = 0;
        const made = { toString: () => (asked++ ? 'asked again' : text) };
        let attribute = new Attr('rel');
        attribute.value = 'preconnect';
        if ('${name}' === 'responseType') attribute = 'document';
        const self = /^(?:node|text)/.test('${name}') ? new Attr('rel') : new Element({}, 'link');
        const { value, set } = Object.getOwnPropertyDescriptor(${owner}.prototype, '${name}');
        const isNode = /Node|Item|Type/.test('${name}');
        const given = ['rel', 'rel', 'rel'].slice(0, ${at}).concat(isNode ? attribute : made);
        (value ?? set).apply(self, given);
      }`);
      const [given = []] = heard;
      const got = given[at] as string | { readonly value: string };
      const expected = /HTML|Fragment|String|exec/.test(name)
        ? '<p><meta rel="precon&#110;ect" href=x>'
        : 'a PreConnec- dns-prefetc-';
      if (name === 'responseType') assert.equal(got, 'text');
      else if (typeof got === 'object') assert.equal(got.value, 'preconnec-');
      else assert.equal(got, expected);
      assert.equal(given.length, at + 1);
    });

  it('has no link that connects by the value of an attribute', () => {
    const { run } = guarded();
    const all = `{
      const attribute = (name) => Object.assign(new Attr(name), { value: 'preconnect' }).value;
      const link = new Element({}, 'link');
      const other = new Element({}, 'p');
      for (const one of [link, other]) one.setAttribute('rel', 'dns-prefetch');
      [attribute('rel'), attribute('title'), link.attributes.rel, other.attributes.rel].join();
    }`;
    assert.equal(run(all), 'preconnec-,preconnect,dns-prefetc-,dns-prefetch');
  });

  it('changes nothing of a link but what it is for', () => {
    const { run } = guarded();
    const all = `{
      const link = new Element({}, 'link');
      const name = { toString: () => 'title' };
      link.setAttribute('href', '/dns-prefetch/x.css');
      link.setAttribute('REL', 'preconnect');
      link.setAttribute(name, 'preconnect');
      Object.values(link.attributes).join();
    }`;
    assert.equal(run(all), '/dns-prefetch/x.css,preconnec-,preconnec-');
  });

  for (const [html, isKept] of [
    ['<link rel="stylesheet" href="https://a.example/css?a=b&c=d">', true],
    ["<link rel = 'icon' href='x' />", true],
    ['<LINK rel=preload as=style crossorigin href=x>', true],
    ['<link rel="stylesheet"\n  href="$(address)"\n>', true],
    ['<linked rel=preconnect>', true],
    ['<link rel=preconnect href=x>', false],
    ['<LINK\nREL\n=\n"x Dns-Prefetch" HREF=x>', false],
    ['<link/rel=preconnect/href=x>', false],
    ['<link rel="pr&#101;connect" href=x>', false],
    ['<link title=">" rel=pre&#99;onnect href=x>', false],
    ['<link rel=icon&#32;preconnec&#116; href=x>', false],
    ['<link rel="icon"title="a"rel=x href=x>', false],
    ['<z:link rel="preco&#110;nect" href="x"/>', false],
  ] as const)
    it(`${isKept ? 'keeps' : 'has not'} the link ${JSON.stringify(html)}`, () => {
      const { run, written } = guarded();
      const shown = isKept ? html : html.replace(/link/i, 'meta');
      assert.ok(appDocument(`<p>${html}`, policy).endsWith(`<p>${shown}`));
      run(`document.write(${JSON.stringify(html)})`);
      assert.deepEqual(written, [shown]);
    });

  const written = '<p><link rel=pre&#99;onnect href=x><p>';
  for (let cut = 1; cut < written.length; cut += 1)
    it(`makes no link that connects of HTML that is written in pieces, cut after ${cut}`, () => {
      const { run, written: shown } = guarded();
      for (const piece of [written.slice(0, cut), '', written.slice(cut)])
        run(`document.write(${JSON.stringify(piece)})`);
      assert.equal(shown.join(''), written.replace('link', 'meta'));
    });

  it('reads a long text of others for links in a moment', () => {
    const began = performance.now();
    for (const piece of [
      '<link ',
      '<link rel="a b',
      '<a:',
      '<link a a a a rel=a rel=a ',
      '<link a=b/',
    ])
      appDocument(piece.repeat(1_000_000 / piece.length), policy);
    assert.ok(performance.now() - began < 2000);
  });

  for (const script of [
    "({ shadowRootMode: 'open' })",
    'root => root.shadowRootMode',
    'class Root { static shadowRootMode = 1 }',
    'const mode = ({ shadowrootmode: mode }) => mode',
  ])
    it(`leaves a script that it changes one: ${script}`, () => {
      const [changed = ''] = appDocument(`<!doctype html>${script}`, policy)
        .split('</script>')
        .slice(-1);
      assert.ok(!changed.includes(script));
      assert.doesNotThrow(() => new Script(changed));
    });

  it('does not find itself in HTML that has a copy of it', () => {
    const [own = ''] = /<script>[^]*?<\/script>/.exec(appDocument('', policy)) ?? [];
    assert.ok(appDocument(own, policy).endsWith(own));
  });

  it('proves that it is there, whatever the app makes of its port, and says when it goes', () => {
    const { port1, answers, listeners } = openDocument();
    port1.postMessage = () => assert.fail('The app has replaced it.');
    port1.onmessage?.({ data: { ask: 7 } });
    listeners['pagehide']?.({});
    assert.equal(JSON.stringify(answers), '[{"answer":7},{"isGone":true}]');
  });

  const table: readonly [html: string, begins: RegExp][] = [
    [
      '<!DOCTYPE html><html><head><script>evil()</script>',
      /^<!DOCTYPE html><meta http-equiv="Content-/,
    ],
    ['\n <!doctype html>\n<p>', /^\n <!doctype html><meta /],
    ['<p>no doctype', /^<meta /],
    ['<!-- <!doctype html> --><script>evil()</script>', /^<meta /],
    ['', /^<meta /],
  ];
  for (const [html, begins] of table)
    it(`has its policy before all of ${JSON.stringify(html)}`, () => {
      const document = appDocument(html, policy);
      assert.match(document, begins);
      assert.ok(document.endsWith(html.replace(/^\s*<!doctype html>/i, '')));
    });
});
