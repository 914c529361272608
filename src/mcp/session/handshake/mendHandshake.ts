import { asRecord, isRecord, type JsonRecord } from '../../../base/json';
import { measureJson } from '../../../base/measureJson';

/** Says in a sentence what was wrong with an answer. */
type Note = (sentence: string) => void;

/** What is declared beside is passed on up to that depth: whoever checks it does so in one stack. */
const deepest = 50;

const namedIn2026 = 'io.modelcontextprotocol/serverInfo';

/**
 * What a server answers `initialize` or `server/discover` with, as far as it can be taken: a
 * capability that is missing or no object is none, an odd name of the server is left out. `note` is
 * told each. A missing revision is not mended: nothing could be said in its place.
 */
export function mendHandshake(method: string, result: JsonRecord, note: Note): JsonRecord {
  // What names no revisions is no answer to that question, and another is asked.
  if (method === 'server/discover' && !Array.isArray(result['supportedVersions'])) return result;
  const wrong = (what: string) => note(`In its answer to ${method}, ${what}.`);
  const { instructions, _meta, serverInfo, ...rest } = result;
  if (instructions !== undefined && typeof instructions !== 'string')
    wrong('the instructions are not a text: they are left out');
  const meta = mendMeta(_meta, wrong);
  return {
    ...rest,
    ...(meta && { _meta: meta }),
    ...(typeof instructions === 'string' && { instructions }),
    capabilities: mendCapabilities(result['capabilities'], wrong),
    ...(method === 'initialize' && { serverInfo: mendInfo(serverInfo, wrong) ?? nameless }),
  };
}

/** What stands for a server that does not say its name; the revisions up to 2025-11-25 demand one. */
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
      `the capabilities are ${value === undefined ? 'missing' : 'not an object'}: it is taken to have none`,
    );
    return {};
  }
  const mended: Record<string, unknown> = {};
  for (const [name, known] of Object.entries(flags)) {
    const own = value[name];
    if (own === undefined) continue;
    // Some servers mean by it that they have what it names.
    if (!isRecord(own) && own !== true)
      wrong(`the capability "${name}" is not an object: it is left out`);
    else mended[name] = mendFlags(name, own === true ? {} : own, known, wrong);
    if (own === true)
      wrong(`the capability "${name}" is not an object: it is taken for an empty one`);
  }
  const { tasks, extensions } = value;
  const call = ['requests', 'tools', 'call'].reduce<unknown>(
    (at, name) => asRecord(at)[name],
    tasks,
  );
  if (isRecord(call)) mended['tasks'] = { requests: { tools: { call: {} } } };
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
  for (const flag of odd) wrong(`"${name}.${flag}" is neither true nor false: it is left out`);
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
        ? 'the name of the server is missing'
        : 'the server is not named as the protocol says: its name is left out',
    );
    return undefined;
  }
  const { name, version, title } = value;
  if (typeof version !== 'string') wrong('the version of the server is not a text: it is left out');
  return {
    name,
    version: typeof version === 'string' ? version : '',
    ...(typeof title === 'string' && { title }),
  };
}

/** Only what names the server is read of it. */
function mendMeta(value: unknown, wrong: Note): JsonRecord | undefined {
  if (!isRecord(value) || value[namedIn2026] === undefined) return undefined;
  const info = mendInfo(value[namedIn2026], wrong);
  return info && { [namedIn2026]: info };
}
