import { built } from '../paths';
import { startFixture, startProgram } from '../processes/fixtureServer';
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

/**
 * The scenarios for servers that are nothing for the gate: a server that asks for something asks the user in the window,
 * whose log has what servers tell of themselves; tasks and headers of single tools are between the window and its servers;
 * schemas are given the form that models take; and nothing is kept for whoever reads a stream from its middle.
 */
const inTheWindow =
  /^(?:tools-call-(?:sampling|elicitation|with-logging)|elicitation-|logging-|input-required-result-|tasks-|http-custom-header-|json-schema-|server-sse-polling)/;

/** The same among the checks of a scenario: it has no tool that would ask for something. */
const checksInTheWindow: ReadonlySet<string> = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-sends-prompts-list-changed-on-subscription',
  'sep-2575-server-sends-tools-list-changed-on-subscription',
]);

/** Runs the scenarios for servers of a revision against the gate for agents, over HTTP, and returns the verdicts. */
export async function runGateScenarios(
  run: RunSuite,
  revision: string,
  results: string,
): Promise<Verdict[]> {
  const { output } = await run(['list', '--requirements', revision]);
  const [, required = ''] = output.split(/^(?:Server|Client) scenarios.*/m);
  const others = [...output.matchAll(/^ {4}- (\S+) \[server\]$/gm)].map(([, name = '']) => name);
  const names = [...required.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => name);
  if (names.length === 0) throw new Error(`No scenarios for ${revision}:\n${output}`);
  await using gate = await startProgram(built('headless', 'agentGate.js'));
  await run(['server', '--url', gate.url, '--requirements', revision, '-o', results]);
  return [...names, ...others]
    .filter((name) => !inTheWindow.test(name))
    .map((name) => {
      const scenario = { name, required: names.includes(name) };
      return readVerdict(findResults(results, name, 'server-'), scenario, checksInTheWindow);
    });
}
