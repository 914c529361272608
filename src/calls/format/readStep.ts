import type { Json, JsonObject } from '../../mcp/protocol/types';
import { listKinds } from '../../mcp/lists/listSpecs';
import type { Expectation, CallStep, StepRequest, TextExpectation } from './calls';
import type { FieldReader } from './reader';
import { isSnapshotPath, snapshotRule } from './snapshotPath';

const kinds = ['call', 'prompt', 'read', 'complete', 'list'] as const;

/** Returns a name for a step that has none, made from its request. */
function describeRequest(request: StepRequest): string {
  switch (request.kind) {
    case 'call':
    case 'prompt':
      return request.name;
    case 'read':
      return request.uri;
    case 'complete':
      return `complete ${request.argument}`;
    case 'list':
      return `list ${request.list}`;
  }
}

/** Reads one entry of `steps`; `undefined` if it has no usable request. */
export function readStep(reader: FieldReader, index: number): CallStep | undefined {
  const request = readRequest(reader);
  reader.allow('name', ...kinds, 'arguments', 'argument', 'value', 'expect', 'save');
  if (!request) return undefined;
  const expect = reader.inside('expect');
  return {
    name: reader.text('name') ?? describeRequest(request),
    request,
    expect: expect ? readExpectation(expect, request) : {},
    save: readSave(reader),
    index,
    range: reader.range(),
    nameRange: reader.range(reader.has('name') ? 'name' : request.kind),
  };
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
    case 'call':
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
  reader.allow(...fields, 'maxMs');
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
