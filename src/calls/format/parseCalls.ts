import { readJsonc } from '../../base/text/jsonc';
import { parseServerConfig } from '../../mcp/launch/launchKinds';
import { readServerLimits } from '../../mcp/launch/ownEntry';
import {
  type CallStep,
  type CallsFile,
  type CallsProblem,
  type CallsServer,
  type Expectation,
  FieldReader,
  type GivenAnswers,
  type StepRequest,
  type TextExpectation,
  answerKinds,
  describeRequest,
  isJsonObject,
  isSnapshotPath,
  maxCallSteps,
  maxGivenAnswers,
  sessionKinds,
  snapshotRule,
} from './calls';
import { fillAnswers, variablesOf } from './variables';
import { inEnglish } from '../../base/translate';
import { metaProblem } from '../../mcp/protocol/types';
import type { Json, JsonObject } from '../../mcp/protocol/types';
import { type AsTask, longestTtl } from '../../mcp/session/session';
import { listKinds } from '../../mcp/lists/listSpecs';

const kinds = ['call', 'prompt', 'read', 'complete', 'list'] as const;
const metaField = '_meta';
const besideRequest = [
  'arguments',
  metaField,
  'task',
  'argument',
  'value',
  'answers',
  'expect',
  'save',
];

/** Reads one entry of `steps`; `undefined` if it has no usable request. */
function readStep(reader: FieldReader, index: number): CallStep | undefined {
  const read = readRequest(reader);
  reader.allow('name', ...kinds, ...besideRequest);
  if (!read) return undefined;
  const meta = readMeta(reader, read);
  const request = meta ? { ...read, meta } : read;
  const expect = reader.inside('expect');
  const answers = readAnswers(reader, ['sampling', 'elicitation']);
  return {
    name: reader.text('name') ?? describeRequest(request),
    request,
    expect: expect ? readExpectation(expect, request) : {},
    ...(answers && { answers }),
    save: readSave(reader),
    index,
    range: reader.range(),
    nameRange: reader.range(reader.has('name') ? 'name' : request.kind),
  };
}

/** Reads what is sent as `_meta` of a request, none of which is the client's own. */
function readMeta(reader: FieldReader, { kind }: StepRequest): JsonObject | undefined {
  const meta = reader.object(metaField);
  if (!meta) return undefined;
  const problem =
    kind === 'list' ? 'A list is loaded without "_meta".' : metaProblem(meta, inEnglish);
  if (problem !== undefined) reader.problem(problem, metaField);
  return problem === undefined ? meta : undefined;
}

function readRequest(reader: FieldReader): StepRequest | undefined {
  const given = kinds.filter((kind) => reader.has(kind));
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    reader.problem(`A step has exactly one of: ${kinds.join(', ')}.`);
    return undefined;
  }
  const args = reader.object('arguments') ?? {};
  switch (kind) {
    case 'call': {
      const name = reader.text(kind);
      const asTask = readTask(reader);
      if (name === undefined) return undefined;
      return { kind, name, arguments: args, ...(asTask !== undefined && { asTask }) };
    }
    case 'prompt': {
      const name = reader.text(kind);
      return name === undefined ? undefined : { kind, name, arguments: args };
    }
    case 'read': {
      const uri = reader.text(kind);
      return uri === undefined ? undefined : { kind, uri };
    }
    case 'complete':
      return readComplete(reader, args);
    case 'list': {
      const list = reader.text(kind);
      const found = listKinds.find((one) => one === list);
      if (!found) reader.problem(`"list" must be one of: ${listKinds.join(', ')}.`, kind);
      return found && { kind, list: found };
    }
  }
}

function readTask(reader: FieldReader): AsTask | undefined {
  const task = reader.value('task');
  if (task === undefined || task === false) return task;
  const ttl = isJsonObject(task) ? (task['ttl'] ?? 0) : undefined;
  if (typeof ttl === 'number' && Number.isInteger(ttl) && ttl >= 0 && ttl <= longestTtl) return ttl;
  reader.problem(
    `"task" must be false, or an object whose "ttl" is a whole number up to ${longestTtl}.`,
    'task',
  );
  return undefined;
}

function readComplete(reader: FieldReader, context: JsonObject): StepRequest | undefined {
  const reference = reader.inside('complete');
  reference?.allow('prompt', 'resource');
  const prompt = reference?.text('prompt');
  const resource = reference?.text('resource');
  const argument = reader.text('argument');
  if (argument === undefined || (prompt === undefined) === (resource === undefined)) {
    reader.problem('"complete" needs a "prompt" or a "resource", and the "argument" beside it.');
    return undefined;
  }
  const value = reader.text('value') ?? '';
  const of = prompt === undefined ? { resource: resource ?? '' } : { prompt };
  return { kind: 'complete', reference: of, argument, value, context };
}

function readExpectation(reader: FieldReader, request: StepRequest): Expectation {
  const fields = ['isError', 'error', 'text', 'json', 'result', 'paths', 'schema', 'snapshot'];
  reader.allow(...fields, 'asked', 'maxMs');
  const text = reader.inside('text');
  const error = reader.inside('error');
  error?.allow('code', 'contains');
  const schema = reader.flag('schema');
  if (schema && request.kind !== 'call')
    reader.problem('Only a call has an output schema to be checked with.', 'schema');
  return defined({
    isError: reader.flag('isError'),
    error: error && defined({ code: error.number('code'), contains: error.text('contains') }),
    text: text && readText(text),
    json: reader.value('json'),
    result: reader.value('result'),
    paths: reader.object('paths'),
    schema,
    snapshot: readSnapshot(reader),
    asked: reader.values('asked'),
    maxMs: reader.number('maxMs'),
  });
}

function readText(reader: FieldReader): TextExpectation {
  reader.allow('equals', 'contains', 'matches');
  return defined({
    equals: reader.text('equals'),
    contains: reader.text('contains'),
    matches: reader.text('matches'),
  });
}

function readSnapshot(reader: FieldReader): string | undefined {
  const path = reader.text('snapshot');
  if (path === undefined || isSnapshotPath(path)) return path;
  reader.problem(`"snapshot" ${snapshotRule}.`, 'snapshot');
  return undefined;
}

function readAnswers(
  reader: FieldReader,
  known: readonly (keyof GivenAnswers)[],
): GivenAnswers | undefined {
  const given = reader.inside('answers');
  given?.allow(...known);
  if (!given) return undefined;
  const read = (kind: keyof GivenAnswers) => {
    const list = given.values(kind);
    const { isUsable, rule } = answerKinds[kind];
    const wrong = list?.findIndex((value) => !isUsable(value)) ?? -1;
    if (wrong >= 0) given.problem(`Entry ${wrong + 1} of "${kind}" ${rule}.`, kind);
    if (list && list.length > maxGivenAnswers)
      given.problem(`"${kind}" has more than ${maxGivenAnswers} entries.`, kind);
    return list;
  };
  return defined(Object.fromEntries(known.map((kind) => [kind, read(kind)])));
}

function readSave(reader: FieldReader): Readonly<Record<string, string>> {
  const entries = Object.entries(reader.object('save') ?? {}).filter(
    (entry): entry is [string, string] => {
      const [name, path] = entry;
      const isUsable = typeof path === 'string' && /^[\w-]+$/.test(name);
      if (!isUsable) reader.problem('"save" must map names to JSON paths.', 'save');
      return isUsable;
    },
  );
  return Object.fromEntries(entries);
}

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Returns the fields that are not `undefined`. */
function defined<T extends Readonly<Record<string, Json | object | undefined>>>(
  fields: T,
): Partial<Given<T>> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Given<T>>;
}

/** What was read from a text: the calls that can be used, and the problems with the rest. */
export interface ParsedCalls {
  /** `undefined` if the text is not an object or does not name a usable server. */
  readonly file: CallsFile | undefined;
  /** Present even if no usable server is named, for an editor to show. */
  readonly steps: readonly CallStep[];
  readonly problems: readonly CallsProblem[];
}

/**
 * Reads a file of saved calls; steps that cannot be used are skipped and reported. `passed` are the values that a run
 * gives variables.
 */
export function parseCalls(text: string, passed: JsonObject = {}): ParsedCalls {
  const { root, rangeOf, problem } = readJsonc(text);
  if (problem) return { file: undefined, steps: [], problems: [problem] };
  if (root?.type !== 'object') {
    const range = rangeOf(root ?? { offset: 0, length: 0 });
    return {
      file: undefined,
      steps: [],
      problems: [{ message: 'The file must be an object.', range }],
    };
  }
  const reader = new FieldReader(root, rangeOf);
  reader.allow('$schema', 'from', 'session', 'variables', 'answers', 'steps');
  const server = readServer(reader);
  const given = reader.text('session') ?? 'file';
  const session = sessionKinds.find((kind) => kind === given);
  if (!session) reader.problem('"session" must be "file", "step" or "running".', 'session');
  const answers = readAnswers(reader, ['sampling', 'elicitation', 'roots']);
  const steps = readSteps(reader);
  const answering = [{ answers }, ...steps].some((one) => one.answers !== undefined);
  if (answering && session === 'running')
    reader.problem('With "answers", the server cannot be the "running" one.', 'session');
  if (!answering && steps.some(({ expect }) => expect.asked !== undefined))
    reader.problem('Only with "answers" in the file or a step is known what was "asked".', 'steps');
  const variables = reader.object('variables') ?? {};
  if (answers) checkVariables(reader, { answers, steps }, { ...variables, ...passed });
  const file = server && {
    server,
    session: session ?? 'file',
    variables,
    ...(answers && { answers }),
    steps,
  };
  return { file, steps, problems: reader.problems };
}

/** Reports variables in the answers of the file that have no value, or not the one that the user agrees to. */
function checkVariables(
  reader: FieldReader,
  { answers, steps }: { readonly answers: GivenAnswers; readonly steps: readonly CallStep[] },
  variables: JsonObject,
): void {
  const saved = new Set(steps.flatMap(({ save }) => Object.keys(save)));
  const used = new Set<string>();
  fillAnswers(answers, (value) => {
    for (const name of variablesOf(value)) used.add(name);
    return value;
  });
  for (const name of used)
    if (saved.has(name))
      reader.problem(
        `A step saves \${${name}}: only the "answers" of later steps can use it, not those of the file.`,
        'answers',
      );
    else if (!Object.hasOwn(variables, name))
      reader.problem(`The variable \${${name}} in "answers" has no value.`, 'answers');
}

function readServer(reader: FieldReader): CallsServer | undefined {
  const from = reader.value('from');
  if (typeof from === 'string' && from !== '') return { kind: 'named', name: from };
  if (from === undefined || typeof from === 'string') {
    reader.problem('"from" must name a server, or say how to launch one.', 'from');
    return undefined;
  }
  const parsed = parseServerConfig(from);
  if ('config' in parsed)
    return { kind: 'own', config: parsed.config, limits: readServerLimits(from) };
  reader.problem(parsed.problem, 'from');
  return undefined;
}

function readSteps(reader: FieldReader): readonly CallStep[] {
  const readers = reader.list('steps');
  if (!reader.has('steps')) reader.problem('"steps" is missing.');
  if (readers.length > maxCallSteps)
    reader.problem(`Only the first ${maxCallSteps} of ${readers.length} steps are used.`, 'steps');
  const names = new Set<string>();
  const unnamed = new Map<string, number>();
  return readers.slice(0, maxCallSteps).flatMap((one, index) => {
    const step = readStep(one, index);
    if (!step) return [];
    if (names.has(step.name) && one.has('name')) {
      one.problem(`A step before this one is called "${step.name}" too.`, 'name');
      return [];
    }
    let { name } = step;
    for (let count = unnamed.get(name) ?? 2; names.has(name); count += 1) {
      name = `${step.name} (${count})`;
      unnamed.set(step.name, count + 1);
    }
    names.add(name);
    return [{ ...step, name }];
  });
}
