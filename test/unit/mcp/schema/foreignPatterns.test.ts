import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServer } from '../../../../cli/launch';
import { SecretMask } from '../../../../src/base/secretMask';
import { silentLogger } from '../../../../src/base/log';
import { inEnglish } from '../../../../src/base/translate';
import { checkDefinitions } from '../../../../src/calls/check/checkDefinitions';
import { checkServer } from '../../../../src/calls/check/checkServer';
import type { StepAnswered } from '../../../../src/calls/expect/answer';
import { judge } from '../../../../src/calls/expect/judge';
import type { Expectation } from '../../../../src/calls/format/calls';
import { parseCalls } from '../../../../src/calls/format/parseCalls';
import { runCalls } from '../../../../src/calls/runCalls';
import { Approvals } from '../../../../src/gate/decide/approvals';
import { collectFacts, type FactSources } from '../../../../src/gate/decide/collectFacts';
import { follow } from '../../../../src/gate/toolGate';
import type { JsonObject, Tool } from '../../../../src/mcp/protocol/types';
import { createSchemaCheck, type SchemaCheck } from '../../../../src/mcp/schema/jsonSchema';
import { defaultLimits } from '../../../../src/mcp/serverConfig';
import { TrafficRecorder } from '../../../../src/mcp/traffic/trafficRecorder';
import type { DocumentInput } from '../../../../src/ui/documents/documentInput';
import { askForm } from '../../../../src/ui/steps/schemaForm';
import { fakeServer, fakeServers, tool } from '../../../support/fakes/fakeServer';
import { createMementoOf } from '../../../support/fakes/memento';
import { watchPicks } from '../../../support/host/shownPicks';
import { repositoryRoot } from '../../../support/paths';
import { schemaThread } from '../../../support/schemaChecks';

const slow = '^(a+)+$';
const endless = `${'a'.repeat(60)}!`;
const searching = `$.list[?search(@.t,'${slow}')]`;

/** So many names, each with the same value. */
const each = <T>(count: number, value: T) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]));
const schemaOf = (count: number) => ({
  type: 'object',
  properties: each(count, { type: 'string', pattern: slow }),
});
/** A schema of an object that takes as long without any of its properties: each reference has two more. */
const doubled = {
  type: 'object',
  $ref: '#/$defs/l0',
  $defs: Object.fromEntries(
    Array.from({ length: 27 }, (_, level) => {
      const next = { $ref: `#/$defs/l${level + 1}` };
      return [`l${level}`, level < 26 ? { anyOf: [next, next] } : { type: 'number' }];
    }),
  ),
};
const texts = (count: number): JsonObject => each(count, endless);

/** A place where patterns run that others wrote: of servers, of saved calls, of snapshots. */
interface Place {
  readonly what: string;
  /** Where it is in the code. */
  readonly file: string;
  /** Runs so many patterns; `stop` ends it where it can be stopped. */
  readonly run: (schemas: SchemaCheck, count: number, stop: AbortSignal) => Promise<unknown>;
  /** What is then said, or done: that nothing is known, not that it fits. */
  readonly told: RegExp;
  /** How many times the checker runs before the first pattern; absent where all patterns are in one schema. */
  readonly before?: number;
}

const structured = (content: object): StepAnswered => ({
  kind: 'result',
  result: { content: [], isError: false, structuredContent: content },
});
const snapshots = { read: async () => undefined, write: async () => {} };

const judged =
  (answer: (count: number) => StepAnswered, expect: (count: number) => Expectation): Place['run'] =>
  (schemas, count, signal) =>
    judge(answer(count), expect(count), { schemas, snapshots, update: false, signal });

/** The source of a server with one tool, which says that it only reads, and answers with what its schema is about. */
const serverText = `
const tools = [{ name: 'now', annotations: { readOnlyHint: true }, inputSchema: { type: 'object' }, outputSchema: ${JSON.stringify(schemaOf(1))} }];
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } }),
  'tools/list': () => ({ tools: Array.from({ length: COUNT }, (_, index) => ({ ...tools[0], name: 'now' + index })) }),
  'tools/call': () => ({ content: [], structuredContent: ${JSON.stringify(texts(1))} }),
  ping: () => ({}),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const error = { code: -32601, message: 'unknown' };
  const result = answers[method]?.(params ?? {});
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
});
`;

async function checked(schemas: SchemaCheck, count: number, signal: AbortSignal) {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-patterns-'));
  const file = join(folder, 'server.js');
  await writeFile(file, serverText.replace('COUNT', String(count)));
  const config = { type: 'stdio', command: process.execPath, args: [file], env: {} } as const;
  const traffic = new TrafficRecorder((text) => text);
  const launch = { name: 'a', config, limits: defaultLimits };
  const open = {
    verbose: false,
    secrets: new SecretMask(),
    signal,
    watch: { traffic, afterEndMs: 5000 },
  };
  const session = await openServer(launch, open);
  const timeouts = { quietMs: 1, answersMs: 5000, endMs: 5000 };
  const options = { schemas, signal, timeouts, allowCalls: async () => true };
  try {
    return await checkServer({ ...session, traffic }, options);
  } finally {
    await session.end();
    await rm(folder, { recursive: true });
  }
}

const places: readonly Place[] = [
  {
    what: 'the arguments of a call',
    file: 'src/gate/decide/collectFacts.ts',
    run: async (schemas, count) => {
      const server = fakeServer({ tools: [tool({ inputSchema: schemaOf(count) })] });
      const [one] = server.tools.items as readonly [Tool];
      const store = createMementoOf();
      const sources = {
        servers: fakeServers(server),
        approvals: new Approvals({ workspace: store, always: store }),
        policy: () => ({
          servers: {},
          deny: [],
          ask: [],
          trustReadOnlyHint: [],
          maxCalls: { minute: 1, answer: 1 },
          taint: 'off',
        }),
        configuration: { isOwn: () => true },
        schemas,
        log: silentLogger,
      } as unknown as FactSources;
      const origin = { kind: 'chat', conversation: 'a', answer: 'b' } as const;
      const call = { server, tool: one, arguments: texts(count), origin };
      return (await collectFacts(call, sources)).validation;
    },
    told: /"kind":"unchecked","reason":"time"/,
  },
  {
    what: 'the result of a call',
    file: 'src/gate/toolGate.ts',
    run: async (schemas, count, signal) => {
      const result = { content: [], isError: false, structuredContent: texts(count) };
      const server = fakeServer({ call: () => Promise.resolve(result) });
      const one = tool({ outputSchema: schemaOf(count) });
      const origin = { kind: 'chat', conversation: 'a', answer: 'b' } as const;
      const options = { signal, onBack: () => {} };
      const call = { server, tool: one, arguments: {}, origin };
      const sent = await follow(call, { id: 'a', startedAt: 0 }, schemas, options);
      assert.ok(sent.kind === 'result');
      return sent.problems.map((problem) => problem((text, ...args) => [text, ...args].join(' ')));
    },
    told: /was not checked.*took too long/,
  },
  {
    what: 'a value that is typed, and the whole form',
    file: 'src/ui/steps/fieldStep.ts',
    run: async (schemas, count) => {
      const picks = watchPicks();
      try {
        const schema = { type: 'object', properties: { it: { ...schemaOf(1).properties['p0'] } } };
        const more = { allOf: Array.from({ length: count }, () => schema) };
        const input = {} as DocumentInput;
        const form = { title: 'Tool', schema: { ...schema, ...more }, given: {}, input, schemas };
        const answered = askForm(form);
        const step = await picks.next(/: it$/);
        step.pick.value = endless;
        step.accept();
        return await answered;
      } finally {
        picks.dispose();
      }
    },
    // The call that it is for is asked about, with what could not be checked.
    told: /"done":true.*a!/,
  },
  {
    what: 'what is expected of a text',
    file: 'src/calls/expect/judge.ts',
    run: judged(
      () => ({ kind: 'result', result: { content: [{ type: 'text', text: endless }] } }),
      () => ({ text: { matches: slow } }),
    ),
    told: /was not checked: the check took too long/,
  },
  {
    what: 'what is expected of values',
    file: 'src/calls/expect/judge.ts',
    run: judged(
      (count) => structured(texts(count)),
      (count) => ({ json: each(count, { $matches: slow }) }),
    ),
    told: /was not checked: the check took too long/,
    before: 0,
  },
  {
    what: 'what is expected at paths',
    file: 'src/calls/expect/judge.ts',
    run: judged(
      () => structured({ list: [{ t: endless }] }),
      (count) => ({
        paths: Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`${searching}[${index}]`, 1]),
        ),
      }),
    ),
    told: /was not looked up: the check took too long/,
    before: 0,
  },
  {
    what: 'what is saved of a result',
    file: 'src/calls/expect/judge.ts',
    run: async (schemas, count, signal) => {
      const step = { name: 'a', call: 'a', save: each(count, searching) };
      const { file } = parseCalls(JSON.stringify({ from: 'demo', steps: [step] }));
      assert.ok(file);
      const answer = { content: [], isError: false, structuredContent: { list: [{ t: endless }] } };
      const call = () => Promise.resolve(answer);
      const open = () => Promise.resolve({ server: fakeServer(), call, end: async () => {} });
      const folder = 'file:///work/';
      return runCalls(file, {
        folder,
        schemas,
        signal,
        open,
        snapshots,
        update: false,
        now: () => 0,
      });
    },
    told: /was not looked up: the check took too long/,
    before: 0,
  },
  {
    what: 'the schemas of a server that is checked',
    file: 'src/calls/check/checkDefinitions.ts',
    run: async (schemas, count, signal) => {
      const items = Array.from({ length: count }, () => tool({ inputSchema: doubled }));
      const none = { items: [], problems: [] };
      const lists = {
        tools: { items, problems: [] },
        prompts: none,
        resources: none,
        resourceTemplates: none,
        skills: none,
      };
      const reading = { lists, failures: [], unread: [], unknown: [] };
      return checkDefinitions(fakeServer(), reading, { schemas, signal, t: inEnglish });
    },
    // What takes too long here is not said to be wrong.
    told: /"id":"schemas","seen":\[\]/,
    before: 0,
  },
  {
    what: 'the results of a server that is checked',
    file: 'src/calls/check/behaviorCheck.ts',
    run: checked,
    // It is neither said to fit nor to be wrong.
    told: /"id":"structured"/,
    // Both schemas of each of its two tools are looked at before, in two steps.
    before: 8,
  },
];

/** The files of the code that ask for a check, with how many times each does. */
function checkingFiles(): readonly string[] {
  return ['src', 'cli'].flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts'))
      .filter((path) =>
        /schemas\.(?:check|find)\(/.test(readFileSync(join(repositoryRoot, path), 'utf8')),
      ),
  );
}

describe('a pattern that others wrote', function () {
  this.timeout(60_000);

  it('runs nowhere but in the places of this test', () => {
    // Both are one form.
    const found = checkingFiles().filter((path) => path !== 'src/ui/steps/schemaForm.ts');
    assert.deepEqual(found.toSorted(), [...new Set(places.map(({ file }) => file))].toSorted());
  });

  for (const { what, run, told } of places)
    it(`never ends, and holds nothing up: ${what}`, async () => {
      const thread = schemaThread({ ms: 200, megabytes: 64 });
      let turns = 0;
      const turning = setInterval(() => (turns += 1), 10);
      try {
        const schemas = createSchemaCheck(thread.run);
        const outcome: unknown = await run(schemas, 1, new AbortController().signal).catch(String);
        assert.match(JSON.stringify(outcome), told);
        assert.ok(turns > 5, 'The thread of the caller is free meanwhile.');
      } finally {
        clearInterval(turning);
        thread.dispose();
      }
    });

  for (const { what, run, before } of places)
    it(`${before === undefined ? 'is one of many in one check' : 'ends with a stop, however many there are'}: ${what}`, async () => {
      const stop = new AbortController();
      let runs = 0;
      const schemas = createSchemaCheck(async (task) => {
        runs += 1;
        if (before !== undefined && runs > before) stop.abort();
        if ('path' in task) return { kind: 'found', values: [1] };
        return before !== undefined && runs <= before
          ? { kind: 'valid', notes: [] }
          : { kind: 'unchecked', reason: 'time' };
      });
      const running = run(schemas, before === 8 ? 2 : 50, stop.signal);
      if (before === undefined) await running;
      else await assert.rejects(running, { name: /^(?:AbortError|CancelledError)$/ });
      // A schema is checked twice, as is a form with its last value.
      assert.ok(runs <= (before ?? 0) + 2, String(runs));
    });
});
