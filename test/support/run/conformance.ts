// A standalone program: runs the official conformance suite against the client core, our gate for agents and
// our server of extensions, and prints tables.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOfBuild } from '../../../tools/build/shipped';
import { built, cacheDirectory } from '../paths';
import { runGateScenarios, runServerScenarios } from './conformanceServers';
import {
  findResults,
  openSuite,
  print,
  readVerdict,
  type RunSuite,
  type Scenario,
  type Verdict,
} from './conformanceSuite';
import type { Counts } from './counts';
import { runAsPart } from './forkPart';

const revisions = ['2025-11-25', '2026-07-28'];
const results = join(cacheDirectory, 'conformance');

/** The suite's scenarios for extensions that no revision lists. */
const extensionScenarios: readonly Scenario[] = [
  'sep-2640-client-no-prefetch',
  'sep-2640-client-verify-digest',
  'sep-2640-client-verify-size',
  'sep-2640-client-verify-frontmatter',
].map((name) => ({ name, required: false }));

async function listScenarios(run: RunSuite, revision: string): Promise<Scenario[]> {
  const { output } = await run(['list', '--requirements', revision]);
  const [, required = '', others = ''] = output.split(/^(?:Client scenarios|Run and reported).*/m);
  const scenarios = [
    ...[...required.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => ({ name, required: true })),
    ...[...others.matchAll(/^ {4}- (\S+) \[client\]$/gm)].map(([, name = '']) => ({
      name,
      required: false,
    })),
  ];
  if (scenarios.length === 0) throw new Error(`No scenarios for ${revision}:\n${output}`);
  return scenarios;
}

/** Runs scenarios for clients and leaves a folder of results for each in `directory`. */
function runClient(run: RunSuite, directory: string, options: readonly string[]): Promise<unknown> {
  const program = `"${process.execPath}" "${built('headless', 'conformance.js')}"`;
  // The suite ends the shell that it runs this in once a scenario takes too long, which is the client itself by then.
  const client = process.platform === 'win32' ? program : `exec ${program}`;
  const common = ['--command', client, '--output-dir', directory, '--timeout', '60000'];
  return run(['client', ...common, ...options]);
}

function readClientVerdict(directory: string, scenario: Scenario): Verdict {
  const folder = findResults(directory, scenario.name);
  const verdict = readVerdict(folder, scenario);
  const read = (file: string) => readFileSync(join(folder ?? '', file), 'utf8');
  // If several scenarios run at once, the suite does not check how the clients ended.
  if (verdict.problems.length === 0 && read('stdout.txt').trim() !== 'ended as expected')
    verdict.problems.push(`the client: ${read('stderr.txt').slice(-500)}`);
  return verdict;
}

async function runRevision(run: RunSuite, revision: string): Promise<Verdict[]> {
  const together = join(results, revision);
  await runClient(run, together, ['--requirements', revision]);
  const verdicts: Verdict[] = [];
  for (const scenario of await listScenarios(run, revision)) {
    let verdict = readClientVerdict(together, scenario);
    // On a small machine, scenarios that run at once starve one another; the result of running one alone decides.
    if (verdict.problems.length > 0) {
      verdict = await runAlone(run, revision, scenario);
    }
    verdicts.push(verdict);
  }
  return verdicts;
}

async function runAlone(run: RunSuite, revision: string, scenario: Scenario): Promise<Verdict> {
  const alone = join(results, `${revision}-alone`);
  const version = ['--spec-version', revision, '--force'];
  await runClient(run, alone, ['--scenario', scenario.name, ...version]);
  return readClientVerdict(alone, scenario);
}

async function runExtensions(run: RunSuite, revision: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const scenario of extensionScenarios) verdicts.push(await runAlone(run, revision, scenario));
  return verdicts;
}

/**
 * Runs all scenarios that the two revisions list, required or not, those for extensions and for our own server, and those
 * for servers against our gate for agents; all of them must pass.
 */
export async function runConformance(): Promise<Counts> {
  const run = await openSuite();
  console.log(await nameOfBuild());
  await rm(results, { recursive: true, force: true });
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const add = (what: string, verdicts: readonly Verdict[]) => {
    print(what, verdicts);
    for (const { problems } of verdicts) counts[problems.length === 0 ? 'passed' : 'failed'] += 1;
  };
  for (const revision of revisions)
    add(revision, [
      ...(await runRevision(run, revision)),
      ...(revision === '2026-07-28' ? await runExtensions(run, revision) : []),
    ]);
  for (const revision of revisions) {
    const folder = join(results, `gate-${revision}`);
    add(`our gate for agents, ${revision}`, await runGateScenarios(run, revision, folder));
  }
  add('our server of extensions', await runServerScenarios(run, join(results, 'server')));
  return counts;
}

runAsPart(runConformance);
