import { asRecord, isRecord, type JsonRecord } from '../../../base/json';
import { measureJson } from '../../../base/measureJson';
import type { Sentence } from '../../../base/translate';

/** Says in a sentence what was wrong with an answer. */
type Note = (sentence: Sentence) => void;

/** The deepest nesting of extensions that are passed on, because the code that checks them is recursive. */
const deepest = 50;

const namedIn2026 = 'io.modelcontextprotocol/serverInfo';

/**
 * Mends what a server answers to `initialize` or `server/discover`, as far as possible: a capability that
 * is not an object is left out, unless it is `true`, as is an odd name of the server. `note` gets each
 * problem. A missing revision is not mended: there is nothing to put in its place.
 */
export function mendHandshake(method: string, result: JsonRecord, note: Note): JsonRecord {
  const wrong: Note = (what) => note((t) => t('In its answer to {0}, {1}.', method, what(t)));
  const { instructions, _meta, serverInfo, ...rest } = result;
  if (instructions !== undefined && typeof instructions !== 'string')
    wrong((t) => t('the instructions are not a text: they are left out'));
  const meta = mendMeta(_meta, wrong);
  return {
    ...rest,
    ...(meta && { _meta: meta }),
    ...(typeof instructions === 'string' && { instructions }),
    capabilities: mendCapabilities(result['capabilities'], wrong),
    ...(method === 'initialize' && { serverInfo: mendInfo(serverInfo, wrong) ?? nameless }),
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

function mendCapabilities(value: unknown, wrong: Note): JsonRecord {
  if (!isRecord(value)) {
    wrong(
      value === undefined
        ? (t) => t('the capabilities are missing: it is taken to have none')
        : (t) => t('the capabilities are not an object: it is taken to have none'),
    );
    return {};
  }
  const mended: Record<string, unknown> = {};
  for (const [name, known] of Object.entries(flags)) {
    const own = value[name];
    if (own === undefined) continue;
    // Some servers use `true` to say that they have the capability.
    if (!isRecord(own) && own !== true)
      wrong((t) => t('the capability "{0}" is not an object: it is left out', name));
    else mended[name] = mendFlags(name, own === true ? {} : own, known, wrong);
    if (own === true)
      wrong((t) => t('the capability "{0}" is not an object: it is taken for an empty one', name));
  }
  const { tasks, extensions } = value;
  const call = ['requests', 'tools', 'call'].reduce<unknown>(
    (at, name) => asRecord(at)[name],
    tasks,
  );
  const mendedTasks = {
    ...(isRecord(asRecord(tasks)['list']) && { list: {} }),
    ...(isRecord(call) && { requests: { tools: { call: {} } } }),
  };
  if (Object.keys(mendedTasks).length > 0) mended['tasks'] = mendedTasks;
  if (isRecord(extensions)) mended['extensions'] = onlyObjects(extensions);
  return mended;
}

function mendFlags(
  name: string,
  own: JsonRecord,
  known: readonly string[],
  wrong: Note,
): JsonRecord {
  const odd = known.filter((flag) => own[flag] !== undefined && typeof own[flag] !== 'boolean');
  for (const flag of odd)
    wrong((t) => t('"{0}.{1}" is neither true nor false: it is left out', name, flag));
  return Object.fromEntries(
    known.flatMap((flag) => (typeof own[flag] === 'boolean' ? [[flag, own[flag]]] : [])),
  );
}

function onlyObjects(extensions: JsonRecord): JsonRecord {
  const sound = ([, value]: [string, unknown]) =>
    isRecord(value) && measureJson(value).depth <= deepest;
  return Object.fromEntries(Object.entries(extensions).filter(sound));
}

function mendInfo(value: unknown, wrong: Note): JsonRecord | undefined {
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
function mendMeta(value: unknown, wrong: Note): JsonRecord | undefined {
  if (!isRecord(value) || value[namedIn2026] === undefined) return undefined;
  const info = mendInfo(value[namedIn2026], wrong);
  return info && { [namedIn2026]: info };
}
