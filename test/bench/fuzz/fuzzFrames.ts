/* Frames that are almost valid: correct ones of every method, with changed values or bytes. */

/** Returns numbers from 0 up to (but not including) 1, always the same sequence for the same seed. */
export type Random = () => number;

/** Creates a small random number generator (mulberry32): the same seed gives the same frames on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const content: Json[] = [
  { type: 'text', text: 'a text', annotations: { audience: ['user'], priority: 0.5 } },
  { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  { type: 'resource', resource: { uri: 'a:b', text: 'x', mimeType: 'text/plain' } },
  { type: 'resource_link', uri: 'a:b', name: 'link', title: 'Link' },
];
const messages: Json = [{ role: 'user', content: { type: 'text', text: 'Hi' } }];
const schema: Json = { type: 'object', properties: { name: { type: 'string' } } };

const results: Json[] = [
  { content, structuredContent: { a: [1, { b: null }] }, isError: false },
  { tools: [{ name: 'a', inputSchema: schema, annotations: { readOnlyHint: true } }] },
  { prompts: [{ name: 'p', arguments: [{ name: 'x', required: true }] }], nextCursor: 'more' },
  { resources: [{ uri: 'a:b', name: 'r', size: 5, icons: [{ src: 'data:,x' }] }] },
  { resourceTemplates: [{ uriTemplate: 'a:{b}', name: 't' }] },
  { description: 'd', messages },
  { contents: [{ uri: 'a:b', text: 'x' }], ttlMs: 5, cacheScope: 'private' },
  { completion: { values: ['a', 'b'], total: 2, hasMore: false } },
  { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's' } },
  { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } },
  { task: { taskId: 't', status: 'working', pollInterval: 5 } },
];

const requests: [string, Json][] = [
  ['ping', {}],
  ['roots/list', {}],
  ['sampling/createMessage', { messages, maxTokens: 5, systemPrompt: 's' }],
  ['elicitation/create', { mode: 'form', message: 'm', requestedSchema: schema }],
  ['elicitation/create', { mode: 'url', message: 'm', url: 'https://a.test', elicitationId: 'e' }],
];

const notifications: [string, Json][] = [
  ['notifications/progress', { progressToken: 5, progress: 1, total: 2, message: 'half' }],
  ['notifications/message', { level: 'info', logger: 'l', data: { a: 1 } }],
  ['notifications/cancelled', { requestId: 5, reason: 'r' }],
  ['notifications/resources/updated', { uri: 'a:b' }],
  ['notifications/resources/list_changed', {}],
  ['notifications/tools/list_changed', {}],
  ['notifications/prompts/list_changed', {}],
  ['notifications/elicitation/complete', { elicitationId: 'e' }],
  ['notifications/tasks/status', { taskId: 't', status: 'working' }],
  ['notifications/subscriptions/acknowledged', { notifications: {} }],
];

const error: Json = { code: -32602, message: 'no', data: { uri: 'a:b' } };
const jsonrpc = '2.0';

/** Valid frames of every kind; the client never uses this id for a request. */
const valid: Json[] = [
  ...results.map((result) => ({ jsonrpc, id: 5, result })),
  { jsonrpc, id: 5, error },
  ...requests.map(([method, params]) => ({ jsonrpc, id: 's1', method, params })),
  ...notifications.map(([method, params]) => ({ jsonrpc, method, params })),
];

const deepMark = '@deep@';
const hugeMark = '@huge@';
/** Parsed from text, as values off the wire are, so that an object can look like a promise. */
const odd = JSON.parse(
  String.raw`[null, true, false, 0, -1, 1.5, 1e308, 9007199254740992, 1e21, "", "x", "5", "\u202E\u0000", "\uD800", [], {}, [[]], [5], {"toString": 1}, {"valueOf": "x", "toString": null}, {"then": 1}, {"length": 1e9}, {"toJSON": "x"}, "$(icon)", "__proto__", "constructor"]`,
) as Json[];
const extra = [
  '__proto__',
  'constructor',
  'toString',
  'toJSON',
  'then',
  'length',
  'id',
  'x',
  '_meta',
];

/** Returns one frame as it is sent over the wire. @param token the progress token of a pending request. */
export function mutatedFrame(random: Random, token: Json): string {
  const frame = structuredClone(pick(random, valid));
  if (random() < 0.3) replaceToken(frame, token);
  const changes = 1 + Math.floor(random() * 3);
  const inBytes = random() < 0.35;
  if (!inBytes) for (let i = 0; i < changes; i += 1) changeValue(random, frame);
  let text = expand(random, JSON.stringify(frame));
  if (inBytes) for (let i = 0; i < changes; i += 1) text = changeBytes(random, text);
  return text;
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

function replaceToken(frame: Json, token: Json): void {
  const { params } = frame as { params?: { progressToken?: Json } };
  if (params?.progressToken !== undefined) params.progressToken = token;
}

function oddValue(random: Random): Json {
  const kind = random();
  if (kind < 0.01) return deepMark;
  if (kind < 0.02) return hugeMark;
  return structuredClone(pick(random, odd));
}

/** Replaces, removes or adds one value at any depth. */
function changeValue(random: Random, frame: Json): void {
  let at = frame as { [key: string]: Json };
  for (;;) {
    const key = pick(random, Object.keys(at));
    const inner = key === undefined ? undefined : at[key];
    if (typeof inner === 'object' && inner !== null && random() < 0.7) {
      at = inner as { [key: string]: Json };
      continue;
    }
    const kind = random();
    if (Array.isArray(at)) at.splice(Math.floor(random() * (at.length + 1)), 1, oddValue(random));
    else if (key === undefined || kind < 0.2) put(at, pick(random, extra), oddValue(random));
    else if (kind < 0.4) delete at[key];
    else put(at, key, oddValue(random));
    return;
  }
}

/** Defines an own property even if every object inherits one of that name. */
function put(at: object, key: string, value: Json): void {
  Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Inserts what is too deep or too large to build as a value directly into the text. */
function expand(random: Random, text: string): string {
  const depth = random() < 0.1 ? 100_000 : 2000;
  return text
    .replaceAll(`"${deepMark}"`, () => '['.repeat(depth) + ']'.repeat(depth))
    .replaceAll(hugeMark, () => 'x'.repeat(100_000));
}

function changeBytes(random: Random, text: string): string {
  const at = Math.floor(random() * text.length);
  const length = 1 + Math.floor(random() * 8);
  const head = text.slice(0, at);
  switch (Math.floor(random() * 5)) {
    case 0:
      return head + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1);
    case 1:
      return head + text.slice(at + length);
    case 2:
      return head + text.slice(at, at + length).repeat(3) + text.slice(at);
    case 3:
      return head;
    default:
      return (
        head +
        pick(random, ['"', '{', '[', '}', ']', ',', '\\', '\uFEFF', 'e9', '-']) +
        text.slice(at)
      );
  }
}
