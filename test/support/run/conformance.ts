// A program of its own: runs the official conformance suite against the client core and prints a table.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Counts } from './counts';
import { installEditor } from '../editor/editor';
import { execute } from './execute';
import { runAsPart } from './forkPart';
import { built, cacheDirectory } from '../paths';
import { nameOfBuild } from '../build/shipped';

const revisions = ['2025-11-25', '2026-07-28'];
const suite = join(
  dirname(require.resolve('@modelcontextprotocol/conformance/package.json')),
  join('dist', 'index.js'),
);
const results = join(cacheDirectory, 'conformance');

interface Scenario {
  name: string;
  /** Demanded of every client by the revision; the others are run for information. */
  required: boolean;
}

interface Verdict extends Scenario {
  checks: number;
  /** Why it did not pass, one line each. */
  problems: string[];
}

interface Check {
  id: string;
  status: string;
  description?: string;
  errorMessage?: string;
}

/** The suite wants a newer Node than this project does. */
async function chooseNode(): Promise<string> {
  const own = Number.parseInt(process.versions.node, 10) >= 22;
  return own ? process.execPath : (await installEditor()).node;
}

async function listScenarios(node: string, revision: string): Promise<Scenario[]> {
  const { output } = await execute(node, [suite, 'list', '--requirements', revision]);
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

/** Runs scenarios and leaves a folder of results for each in `directory`. */
function run(node: string, directory: string, options: readonly string[]): Promise<unknown> {
  const client = `"${process.execPath}" "${built('headless', 'conformance.js')}"`;
  const common = ['--command', client, '--output-dir', directory, '--timeout', '60000'];
  return execute(node, [suite, 'client', ...common, ...options]);
}

function readVerdict(directory: string, scenario: Scenario): Verdict {
  const parent = join(directory, dirname(scenario.name));
  // The suite appends the time to the name.
  const named = new RegExp(`^${basename(scenario.name)}-\\d{4}-\\d\\d-\\d\\dT`);
  const folder = existsSync(parent) && readdirSync(parent).find((name) => named.test(name));
  if (!folder) return { ...scenario, checks: 0, problems: ['there is no result'] };
  const read = (file: string) => readFileSync(join(parent, folder, file), 'utf8');
  const checks = JSON.parse(read('checks.json')) as Check[];
  const problems = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map((check) => `${check.id}: ${check.errorMessage ?? check.description}`);
  const succeeded = checks.filter(({ status }) => status === 'SUCCESS').length;
  if (problems.length === 0 && succeeded === 0) problems.push('nothing was checked');
  // With several scenarios at once the suite does not look at how the clients ended.
  if (problems.length === 0 && read('stdout.txt').trim() !== 'ended as expected')
    problems.push(`the client: ${read('stderr.txt').slice(-500)}`);
  return { ...scenario, checks: succeeded, problems };
}

async function runRevision(node: string, revision: string): Promise<Verdict[]> {
  const together = join(results, revision);
  await run(node, together, ['--requirements', revision]);
  const verdicts: Verdict[] = [];
  for (const scenario of await listScenarios(node, revision)) {
    let verdict = readVerdict(together, scenario);
    // All at once they starve one another on a small machine; by itself a scenario has the last word.
    if (verdict.required && verdict.problems.length > 0) {
      const alone = join(results, `${revision}-alone`);
      const version = ['--spec-version', revision, '--force'];
      await run(node, alone, ['--scenario', scenario.name, ...version]);
      verdict = readVerdict(alone, scenario);
    }
    verdicts.push(verdict);
  }
  return verdicts;
}

function print(revision: string, verdicts: readonly Verdict[]): void {
  const required = verdicts.filter((verdict) => verdict.required);
  const passed = required.filter(({ problems }) => problems.length === 0);
  console.log(`\n${revision}: ${passed.length} of ${required.length} required scenarios passed`);
  for (const { name, required: isRequired, checks, problems } of verdicts) {
    const mark = problems.length === 0 ? '✓' : isRequired ? '✗' : '-';
    const note = isRequired ? '' : '  (not required)';
    console.log(`  ${mark} ${name.padEnd(45)} ${String(checks).padStart(3)} checks${note}`);
    for (const problem of isRequired ? problems : []) console.log(`      ${problem}`);
  }
}

/** Runs what both revisions list; a scenario that is not required and does not pass is skipped. */
export async function runConformance(): Promise<Counts> {
  const node = await chooseNode();
  console.log(await nameOfBuild());
  await rm(results, { recursive: true, force: true });
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const revision of revisions) {
    const verdicts = await runRevision(node, revision);
    print(revision, verdicts);
    for (const { required, problems } of verdicts) {
      counts[problems.length === 0 ? 'passed' : required ? 'failed' : 'skipped'] += 1;
    }
  }
  return counts;
}

runAsPart(runConformance);
