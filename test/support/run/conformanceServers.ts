import { startFixture } from '../processes/fixtureServer';
import { findResults, readVerdict, type RunSuite, type Verdict } from './conformanceSuite';

/**
 * The suite's scenarios for servers with the extensions that our server has; so far, it checks no task notifications.
 */
const scenarios = [
  'sep-2640-skills-directory',
  'sep-2640-skills-enumeration',
  'sep-2640-skills-manifest',
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];

/** Runs these scenarios against the server of extensions that our tests use, and returns the verdicts. */
export async function runServerScenarios(run: RunSuite, results: string): Promise<Verdict[]> {
  await using server = await startFixture('extensionServer');
  const common = ['--url', server.url, '--spec-version', '2026-07-28', '--force', '-o', results];
  const verdicts: Verdict[] = [];
  for (const name of scenarios) {
    await run(['server', ...common, '--scenario', name]);
    const folder = findResults(results, name, 'server-');
    verdicts.push(readVerdict(folder, { name, required: false }));
  }
  return verdicts;
}
