import { type JsonRecord, isRecord } from '../../../base/json';
import { measureJson } from '../../../base/measureJson';
import { type Note, inAnswerTo, isEmptyList, objectOf, readAs } from '../../protocol/readAs';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/client';
import { RpcError, readRpcError } from '../../protocol/rpcError';
import type { Frame } from '../peer/frames';

const notAnObject = new RpcError(0, (t) => t('The server sent a result that is not an object.'));

/** The answers to `initialize`, as the client above can take them: a malformed one makes it wait forever. */
export class HandshakeAnswers {
  /** Returns what the client gets in place of a result. */
  normalize: (result: JsonRecord) => JsonRecord = (result) => result;
  /** Ends the request itself when the question is abandoned, as its answer would still open a session. */
  abandoned: AbortSignal | undefined;
  private readonly asked = new Set<string | number>();

  /** Notes a request of the client; returns the signal that ends it, if it is `initialize`. */
  sent({ id, method }: JSONRPCRequest): AbortSignal | undefined {
    if (method !== 'initialize') return undefined;
    this.asked.add(id);
    return this.abandoned;
  }

  /** True if a question with this id was not answered yet. */
  awaits(id: number): boolean {
    return this.asked.has(id);
  }

  /** Returns the message, or one that the client can take in its place. */
  normalized(message: JSONRPCMessage, { id, method, result, error }: Frame): JSONRPCMessage {
    if (id === undefined || id === null || method !== undefined) return message;
    if (!this.asked.delete(id)) return message;
    const answered = { jsonrpc: '2.0', id } as const;
    if (error === undefined && isRecord(result))
      return { ...answered, result: this.normalize(result) };
    const { code, message: reason, data } = error === undefined ? notAnObject : readRpcError(error);
    return { ...answered, error: { code: Math.trunc(code), message: reason, data } };
  }
}

/** The deepest nesting of extensions that are passed on, because the code that checks them is recursive. */
const deepest = 50;

const namedIn2026 = 'io.modelcontextprotocol/serverInfo';

/**
 * Normalizes what a server answers to `initialize` or `server/discover`, as far as possible: a capability that
 * is not an object is left out, unless it is `true`, as is an odd name of the server. `note` gets each
 * problem. A missing revision is left as it is: there is nothing to put in its place.
 */
export function normalizeInitializeResult(
  method: string,
  result: JsonRecord,
  note: Note,
): JsonRecord {
  const wrong = inAnswerTo(method, note);
  const { instructions, _meta, serverInfo, ...rest } = result;
  if (instructions !== undefined && typeof instructions !== 'string')
    wrong(
      instructions === null
        ? readAs('text', instructions, 'instructions').what
        : (t) => t('the instructions are not a text: they are left out'),
    );
  const meta = normalizeMeta(_meta, wrong);
  return {
    ...rest,
    ...(meta && { _meta: meta }),
    ...(typeof instructions === 'string' && { instructions }),
    capabilities: normalizeCapabilities(result['capabilities'], wrong),
    ...(method === 'initialize' && { serverInfo: normalizeInfo(serverInfo, wrong) ?? nameless }),
  };
}

/** The substitute for a server that does not state its name; the revisions up to 2025-11-25 require one. */
const nameless = { name: '', version: '' };

const flags: Readonly<Record<string, readonly string[]>> = {
  completions: [],
  logging: [],
  prompts: ['listChanged'],
  resources: ['listChanged', 'subscribe'],
  tools: ['listChanged'],
};

function normalizeCapabilities(given: unknown, wrong: Note): JsonRecord {
  const value = isEmptyList(given) ? objectOf(given, 'capabilities', wrong) : given;
  if (!isRecord(value)) {
    wrong(
      value === undefined
        ? (t) => t('the capabilities are missing: it is taken to have none')
        : (t) => t('the capabilities are not an object: it is taken to have none'),
    );
    return {};
  }
  const normalized: Record<string, unknown> = {};
  for (const [name, known] of Object.entries(flags)) {
    const own = isEmptyList(value[name])
      ? objectOf(value[name], `capabilities.${name}`, wrong)
      : value[name];
    if (own === undefined) continue;
    // Some servers use `true` to say that they have the capability.
    if (!isRecord(own) && own !== true)
      wrong((t) => t('the capability "{0}" is not an object: it is left out', name));
    else normalized[name] = normalizeFlags(name, own === true ? {} : own, known, wrong);
    if (own === true)
      wrong((t) => t('the capability "{0}" is not an object: it is taken for an empty one', name));
  }
  const at = (fields: JsonRecord | undefined, name: string, path: string) =>
    objectOf(fields?.[name], `capabilities.${path}`, wrong);
  const tasks = at(value, 'tasks', 'tasks');
  const tools = at(at(tasks, 'requests', 'tasks.requests'), 'tools', 'tasks.requests.tools');
  const normalizedTasks = {
    ...(at(tasks, 'list', 'tasks.list') && { list: {} }),
    ...(at(tools, 'call', 'tasks.requests.tools.call') && { requests: { tools: { call: {} } } }),
  };
  if (Object.keys(normalizedTasks).length > 0) normalized['tasks'] = normalizedTasks;
  const extensions = at(value, 'extensions', 'extensions');
  if (extensions) normalized['extensions'] = onlyObjects(extensions, wrong);
  return normalized;
}

function normalizeFlags(
  name: string,
  own: JsonRecord,
  known: readonly string[],
  wrong: Note,
): JsonRecord {
  return Object.fromEntries(
    known.flatMap((flag) => {
      const given = own[flag];
      if (given === undefined) return [];
      if (typeof given === 'boolean') return [[flag, given]];
      const { isKnown, value, what } = readAs('flag', given, `capabilities.${name}.${flag}`);
      wrong(
        isKnown
          ? what
          : (t) => t('"{0}.{1}" is neither true nor false: it is left out', name, flag),
      );
      return typeof value === 'boolean' ? [[flag, value]] : [];
    }),
  );
}

function onlyObjects(extensions: JsonRecord, wrong: Note): JsonRecord {
  return Object.fromEntries(
    Object.entries(extensions).flatMap(([name, given]) => {
      const value = isEmptyList(given)
        ? objectOf(given, 'capabilities.extensions.*', wrong)
        : given;
      return isRecord(value) && measureJson(value).depth <= deepest ? [[name, value]] : [];
    }),
  );
}

function normalizeInfo(value: unknown, wrong: Note): JsonRecord | undefined {
  if (!isRecord(value) || typeof value['name'] !== 'string') {
    wrong(
      value === undefined
        ? (t) => t('the name of the server is missing')
        : (t) => t('the server is not named as the protocol says: its name is left out'),
    );
    return undefined;
  }
  const { name, version, title } = value;
  if (typeof version !== 'string')
    wrong((t) => t('the version of the server is not a text: it is left out'));
  return {
    name,
    version: typeof version === 'string' ? version : '',
    ...(typeof title === 'string' && { title }),
  };
}

/** Keeps only what names the server. */
function normalizeMeta(given: unknown, wrong: Note): JsonRecord | undefined {
  const value = objectOf(given, '_meta', wrong);
  if (value?.[namedIn2026] === undefined) return undefined;
  const info = normalizeInfo(value[namedIn2026], wrong);
  return info && { [namedIn2026]: info };
}
