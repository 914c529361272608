import { readJsonc } from '../../base/text/jsonc';
import { parseServerConfig } from '../../mcp/launch/parseServerConfig';
import { readServerLimits } from '../../mcp/serverLimits';
import {
  maxCallSteps,
  type CallsFile,
  type CallsProblem,
  type CallsServer,
  type CallStep,
} from './calls';
import { FieldReader } from './reader';
import { readStep } from './readStep';

/** What was read from a text: the calls that can be used, and the problems with the rest. */
export interface ParsedCalls {
  /** `undefined` if the text is not an object or does not name a usable server. */
  readonly file: CallsFile | undefined;
  /** Present even if no usable server is named, for an editor to show. */
  readonly steps: readonly CallStep[];
  readonly problems: readonly CallsProblem[];
}

/** Reads a file of saved calls; steps that cannot be used are skipped and reported. */
export function parseCalls(text: string): ParsedCalls {
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
  reader.allow('$schema', 'from', 'session', 'variables', 'steps');
  const server = readServer(reader);
  const session = reader.text('session') ?? 'file';
  if (session !== 'file' && session !== 'step')
    reader.problem('"session" must be "file" or "step".', 'session');
  const steps = readSteps(reader);
  const variables = reader.object('variables') ?? {};
  const file = server && {
    server,
    session: session === 'step' ? ('step' as const) : ('file' as const),
    variables,
    steps,
  };
  return { file, steps, problems: reader.problems };
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
