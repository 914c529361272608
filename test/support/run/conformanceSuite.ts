import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { installEditor } from '../editor/editor';
import { execute, type Outcome } from './execute';

const suite = join(
  dirname(require.resolve('@modelcontextprotocol/conformance/package.json')),
  join('dist', 'index.js'),
);

/** One scenario of the official conformance suite. */
export interface Scenario {
  name: string;
  /** True if the revision requires it; the others belong to extensions, and must pass as well. */
  required: boolean;
}

/** The result of a scenario. */
export interface Verdict extends Scenario {
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

/** Runs the suite with these arguments. */
export type RunSuite = (args: readonly string[]) => Promise<Outcome>;

/** Returns a function that runs the suite, under a Node that is new enough for it. */
export async function openSuite(): Promise<RunSuite> {
  const isNew = Number.parseInt(process.versions.node, 10) >= 22;
  const node = isNew ? process.execPath : (await installEditor()).node;
  return (args) => execute(node, [suite, ...args]);
}

/**
 * Returns the folder where the suite left the results of a scenario, or `undefined`; `start` is what it puts before the
 * name.
 */
export function findResults(directory: string, name: string, start = ''): string | undefined {
  const parent = join(directory, dirname(name));
  // The suite appends the time to the name.
  const named = new RegExp(`^${start}${basename(name)}-\\d{4}-\\d\\d-\\d\\dT`);
  const folder = existsSync(parent) && readdirSync(parent).find((each) => named.test(each));
  return folder ? join(parent, folder) : undefined;
}

/** Reads the verdict on a scenario but for some checks; one without results, or that checked nothing, has not passed. */
export function readVerdict(
  folder: string | undefined,
  scenario: Scenario,
  without: ReadonlySet<string> = new Set(),
): Verdict {
  if (!folder) return { ...scenario, checks: 0, problems: ['there is no result'] };
  const checks = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8')) as Check[];
  const problems = checks
    .filter(({ id, status }) => /^(?:FAILURE|WARNING)$/.test(status) && !without.has(id))
    .map((check) => `${check.id}: ${check.errorMessage ?? check.description}`);
  const succeeded = checks.filter(({ status }) => status === 'SUCCESS').length;
  if (problems.length === 0 && succeeded === 0) problems.push('nothing was checked');
  return { ...scenario, checks: succeeded, problems };
}

/** Prints the verdicts as a table. */
export function print(what: string, verdicts: readonly Verdict[]): void {
  const passed = verdicts.filter(({ problems }) => problems.length === 0);
  console.log(`\n${what}: ${passed.length} of ${verdicts.length} scenarios passed`);
  for (const { name, required: isRequired, checks, problems } of verdicts) {
    const mark = problems.length === 0 ? '✓' : '✗';
    const note = isRequired ? '' : '  (optional in the protocol)';
    console.log(`  ${mark} ${name.padEnd(45)} ${String(checks).padStart(3)} checks${note}`);
    for (const problem of problems) console.log(`      ${problem}`);
  }
}
