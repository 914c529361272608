import { mkdtempSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, sep } from 'node:path';
import { createLimiter, type Limiter } from '../../../src/base/async';
import { editorVersions, type EditorChoice } from '../editor/editor';
import { runHostTests } from '../editor/hostRunner';
import { built } from '../paths';
import { changedFiles, readGraph, testsOfChange } from './changed';
import { sum, type Counts } from './counts';
import { forkPart } from './forkPart';
import { testFiles } from './runMocha';
import { onWindows, versionVariable } from '../windows/inWine';
import { installWindows, windowsPart } from '../windows/wine';

/** How a part is run: the pattern for titles, and when its output is shown, if it runs beside another part. */
export interface RunOptions {
  readonly grep?: string | undefined;
  readonly shownAfter?: Promise<void> | undefined;
}

/** Runs a part; one that runs beside others shows nothing until it is its turn. */
export type Run = (options: RunOptions) => Promise<Counts>;

/** How many processes compute at once. */
export const atOnce = Math.min(availableParallelism(), 4);
/** How many processes run tests at once: they wait for half of the time, for clocks and for processes of their own. */
const testsAtOnce = 2 * atOnce;
/** How many windows are open at once: one of host tests has a core to do for half of the time. */
const windowsAtOnce = atOnce + 1;

const withTests = createLimiter(testsAtOnce);
const computing = createLimiter(atOnce);
/** Programs with servers, which mostly wait for those to start. */
const withServers = createLimiter(2);
const withEditors = createLimiter(windowsAtOnce);

/** Runs a script when it is its turn; the turn ends with the script, even if its output still has to wait. */
async function runForked(
  script: string,
  args: readonly string[],
  turns: Limiter,
  shownAfter?: Promise<void>,
  { env, start = forkPart }: Pick<TestsOptions, 'env' | 'start'> = {},
): Promise<Counts> {
  const options = { isHeld: shownAfter !== undefined, env };
  const { counts, output } = await turns(() => start(script, args, options));
  await shownAfter;
  process.stdout.write(output);
  return counts;
}

/** How test files are run. */
interface TestsOptions {
  readonly timeoutMs: number;
  readonly kind: 'drawn' | 'plain';
  readonly turns: Limiter;
  readonly env?: NodeJS.ProcessEnv;
  /** What starts each process; a child of this one, if left out. */
  readonly start?: typeof forkPart;
}

/** Runs each group of files in a separate process, several at once, and shows their output one after another. */
async function runTests(
  groups: readonly (readonly string[])[],
  { timeoutMs, kind, turns, ...how }: TestsOptions,
  { grep, shownAfter }: RunOptions,
): Promise<Counts> {
  const options = [`--timeout=${timeoutMs}`, `--kind=${kind}`, ...(grep ? [`--grep=${grep}`] : [])];
  const counts: Promise<Counts>[] = [];
  let before = shownAfter;
  for (const files of groups) {
    const run = runForked('support/run/mochaPart', [...options, ...files], turns, before, how);
    before = run.then(() => undefined);
    counts.push(run);
  }
  return sum(await Promise.all(counts));
}

const plain = { timeoutMs: 30_000, kind: 'plain', turns: withTests } as const;
const drawn = { timeoutMs: 180_000, kind: 'drawn', turns: withEditors } as const;

/** Divides files into more groups than run at once: small ones end together, however long some files take. */
function grouped(files: readonly string[]): string[][] {
  const count = Math.min(4 * testsAtOnce, files.length);
  return Array.from({ length: count }, (_, group) =>
    files.filter((_file, index) => index % count === group),
  );
}

/** Runs the unit tests of some files. */
export function runUnit(
  files: readonly string[],
  options: RunOptions,
  how: Pick<TestsOptions, 'start'> = {},
): Promise<Counts> {
  return runTests(options.grep ? [files] : grouped(files), { ...plain, ...how }, options);
}

const runUnits =
  (isIncluded: (file: string) => boolean): Run =>
  (options) =>
    runUnit(testFiles(built('unit')).filter(isIncluded), options);

/** The folders of unit tests about what differs most between systems: paths, programs and how they start, files. */
const unlikeElsewhere = [
  'base/uri',
  'config/launch',
  'mcp/node/commands',
  'mcp/node/files',
  'mcp/node/processes',
];

/** Runs what needs Windows; where Wine is missing and cannot be installed, says so in a line and skips it. */
const inWine =
  (run: Run): Run =>
  async (options) => {
    try {
      await installWindows();
    } catch (error) {
      console.log(error instanceof Error ? error.message : String(error));
      return { passed: 0, failed: 0, skipped: 1 };
    }
    return run(options);
  };

/** Runs unit tests in Windows' Node; those of some folders in one process, as each takes seconds to start there. */
const runInWindows = (folders?: readonly string[]): Run =>
  inWine((options) => {
    const how = { ...plain, start: windowsPart };
    if (!folders) return runUnit(testFiles(built('unit')), options, how);
    return runTests([folders.flatMap((folder) => testFiles(built('unit', folder)))], how, options);
  });

/** The journeys that use a prompt, a resource and a tool as a user would. */
const isThreeUses = (file: string) => basename(file) === 'everything.test.js';

/** The other journeys that pass on Windows, in Wine, by the names of their files. */
const onWindowsToo: ReadonlySet<string> = new Set(
  ['config', 'development', 'fewSteps', 'firstMinute', 'killed', 'requests', 'traffic'].map(
    (name) => `${name}.test.js`,
  ),
);

/** Short files of journeys that take as long as the longest: their tests open several windows, or load one again. */
export const firstJourneys = ['appsPublished', 'promptsPalette', 'questions', 'reload'].map(
  (name) => built('journeys', `${name}.test.js`),
);

/** How long a file of journeys takes beside others, as far as that is seen without running it. */
const lengthOf = (file: string) =>
  firstJourneys.includes(file) ? Number.MAX_SAFE_INTEGER : statSync(file).size;

const runJourneys =
  (isIncluded: (file: string) => boolean, env?: NodeJS.ProcessEnv): Run =>
  (options) => {
    // The longest files begin first, so that no window is waited for at the end.
    const files = testFiles(built('journeys'))
      .filter(isIncluded)
      .toSorted((one, other) => lengthOf(other) - lengthOf(one));
    const groups = options.grep ? [files] : files.map((file) => [file]);
    return runTests(groups, { ...drawn, ...(env && { env }) }, options);
  };

/**
 * The folders and files of `unit` and `host` whose tests take longest: they flood a window, wait for pauses of somebody
 * who types, or start a server for each row of a table. `npm test` goes without them, to be over within eight minutes.
 */
export const longTests = [
  'unit/calls/checkServer.test.js',
  'unit/calls/command.test.js',
  'unit/calls/recording.test.js',
  'unit/hostile',
  'unit/mcp/lifeCycle.test.js',
  'unit/mcp/node/sandbox',
  'host/hostile',
  'host/questions',
  'host/requests/requestsSampling.test.js',
  'host/servers/debugging.test.js',
  'host/servers/development.test.js',
  'host/testing/savedCalls.test.js',
].map((path) => built(...path.split('/')));

/** True for a file of {@link longTests} or one below a folder of it. */
const isLong = (file: string) =>
  longTests.some((path) => file === path || file.startsWith(`${path}${sep}`));

/** Returns a function that prints lines, those before `turn` only then. */
function printAfter(turn: Promise<unknown>): (line: string) => void {
  let held: string[] | undefined = [];
  void turn.then(() => {
    for (const line of held ?? []) console.log(line);
    held = undefined;
  });
  return (line) => (held ? void held.push(line) : console.log(line));
}

/** Runs host tests in several windows at once, which share the files, and shows their output one after another. */
async function runInHosts(
  files: readonly string[],
  { grep, shownAfter }: RunOptions,
  editor?: EditorChoice,
): Promise<Counts> {
  // At once: whatever was waited for here would let the windows of the parts beside this one take all turns first.
  const claims = mkdtempSync(join(tmpdir(), 'mcp-workbench-claims-'));
  const runs: Promise<Counts>[] = [];
  const count = grep ? 1 : Math.min(windowsAtOnce, files.length);
  for (let number = 1; number <= count; number += 1) {
    const print = printAfter(Promise.allSettled([shownAfter, ...runs]));
    const window = { name: `host-${number}`, files, grep, print, ...(editor && { editor }) };
    runs.push(withEditors(() => runHostTests({ ...window, ...(count > 1 && { claims }) })));
  }
  try {
    return sum(await Promise.all(runs));
  } finally {
    await rm(claims, { recursive: true, force: true });
  }
}

const runHost =
  (isIncluded: (file: string) => boolean, editor?: EditorChoice): Run =>
  (options) =>
    runInHosts(testFiles(built('host')).filter(isIncluded), options, editor);

/** Runs the unit and host tests that import what differs from `main`. */
const runChanged: Run = async (options) => {
  const { unit, host, untested } = testsOfChange(await changedFiles(), await readGraph());
  for (const file of untested) console.log(`No unit or host test imports ${file}.`);
  const counts = [
    ...(unit.length > 0 ? [await runUnit(unit, options)] : []),
    ...(host.length > 0 ? [await runInHosts(host, options)] : []),
  ];
  return sum(counts);
};

const runScript =
  (script: string, args: readonly string[], turns: Limiter): Run =>
  ({ shownAfter }) =>
    runForked(script, args, turns, shownAfter);

// Each body is a separate request, which takes as long as many frames of a stream; other programs may be running.
const fuzzing = ['--frames', '20000', '--bodies', '1600', '--stall', '2000'];
// Half an hour to learn what is kept once, and another half in which nothing may be left behind.
const soaking = ['--hours', '0.5'];

/** A part of the tests. */
export interface Part {
  readonly run: Run;
  /** What runs it: `npm test`, or only `npm run test:all` and the CI; without it, it runs only by its name. */
  readonly group?: 'quick' | 'rest';
  /** The editor that it needs: the one that {@link versionVariable} names, the oldest, or that one on Windows. */
  readonly editor?: 'chosen' | 'oldest' | 'windows';
  /** The parts that start together with it, and are shown when it is their turn. */
  readonly besides?: readonly string[];
}

/** All parts, in the order in which they run; those of the two groups together run every test once. */
export const parts: Readonly<Record<string, Part>> = {
  'short unit tests': { run: runUnits((file) => !isLong(file)), group: 'quick' },
  'three uses': {
    run: runJourneys(isThreeUses),
    group: 'quick',
    editor: 'chosen',
    besides: ['short host tests'],
  },
  'short host tests': {
    run: runHost((file) => !isLong(file)),
    group: 'quick',
    editor: 'chosen',
  },
  'long unit tests': { run: runUnits(isLong), group: 'rest' },
  fuzz: {
    run: runScript('bench/fuzz/fuzz', fuzzing, computing),
    group: 'rest',
    besides: ['soak', 'third-party', 'conformance'],
  },
  soak: { run: runScript('bench/soak/soak', soaking, withServers), group: 'rest' },
  'third-party': { run: runScript('headless/thirdParty', [], withServers), group: 'rest' },
  conformance: { run: runScript('support/run/conformance', [], withServers), group: 'rest' },
  'long host tests': {
    run: runHost(isLong),
    group: 'rest',
    editor: 'chosen',
    besides: ['oldest editor', 'windows', 'windows journeys', 'other journeys'],
  },
  'other journeys': {
    run: runJourneys((file) => !isThreeUses(file)),
    group: 'rest',
    editor: 'chosen',
  },
  'oldest editor': {
    run: runJourneys(isThreeUses, { [versionVariable]: editorVersions[0] }),
    group: 'rest',
    editor: 'oldest',
  },
  windows: { run: runInWindows(unlikeElsewhere), group: 'rest', editor: 'windows' },
  'windows journeys': {
    run: inWine(runJourneys(isThreeUses, { [versionVariable]: onWindows })),
    group: 'rest',
    editor: 'windows',
  },
  'other windows journeys': {
    run: inWine(
      runJourneys((file) => onWindowsToo.has(basename(file)), { [versionVariable]: onWindows }),
    ),
    editor: 'windows',
  },
  'windows unit': { run: runInWindows(), editor: 'windows' },
  'windows host': {
    run: inWine(runHost((file) => !file.startsWith(built('host', 'hostile')), onWindows)),
    editor: 'windows',
  },
  changed: { run: runChanged },
  unit: { run: runUnits(() => true) },
  host: { run: runHost(() => true), editor: 'chosen' },
  journeys: { run: runJourneys(() => true), editor: 'chosen' },
};

/** Returns the parts that arguments of the command line name, `quick` and `rest` among them; all if there are none. */
export function namedParts(args: readonly string[]): string[] {
  const inGroup = (group: string | undefined) =>
    Object.keys(parts).filter((name) => parts[name]?.group === group);
  if (args.length === 0) return [...inGroup('quick'), ...inGroup('rest')];
  return args.flatMap((arg) => {
    if (arg === 'quick' || arg === 'rest') return inGroup(arg);
    if (Object.hasOwn(parts, arg)) return arg;
    const known = Object.keys(parts).join(', ');
    throw new Error(`No part is called ${arg}: there are quick, rest, ${known}.`);
  });
}
