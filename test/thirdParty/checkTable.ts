// A standalone program, `node out/headless/checkTable.js`: checks third-party servers and writes docs/checked-servers.md.
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTimeouts, checkServer } from '../../src/calls/check/checkServer';
import { definitionTokens } from '../../src/calls/check/checkDefinitions';
import type { CheckResult } from '../../src/calls/check/checkResult';
import { inEnglish } from '../../src/base/translate';
import { rules, type RuleId } from '../../src/calls/check/rules';
import { openServer } from '../../cli/launch';
import { SecretMask } from '../../src/base/secretMask';
import { TrafficRecorder } from '../../src/mcp/traffic/trafficRecorder';
import { defaultLimits } from '../../src/mcp/serverConfig';
import { repositoryRoot } from '../support/paths';
import { schemaCheck } from '../support/schemaChecks';
import { installThirdParty } from './install';
import { thirdPartyServers, type ThirdPartyServer } from './servers';

const marks = { passed: '✓', failed: '✗', advice: '!', untried: '–' } as const;
const ids = Object.keys(rules) as readonly RuleId[];

interface Row {
  readonly name: string;
  readonly tokens: number;
  readonly results: readonly CheckResult[];
}

async function check(
  { package: name, script, args = [], env = {} }: ThirdPartyServer,
  modules: string,
  home: string,
): Promise<Row> {
  const { signal } = new AbortController();
  const traffic = new TrafficRecorder((text) => text);
  const session = await openServer(
    {
      name,
      config: {
        type: 'stdio',
        command: process.execPath,
        args: [join(modules, name, script), ...args],
        env: { ...env, HOME: home, USERPROFILE: home },
        cwd: home,
      },
      limits: defaultLimits,
    },
    {
      verbose: false,
      secrets: new SecretMask(),
      signal,
      watch: { traffic, afterEndMs: checkTimeouts.endMs },
    },
  );
  const tokens = definitionTokens(session.server.tools.items);
  const results = await checkServer(
    { ...session, traffic },
    { schemas: schemaCheck(), signal, allowCalls: () => Promise.resolve(false) },
  );
  return { name, tokens, results };
}

function table(rows: readonly (Row & { readonly version: string })[]): string {
  const head = ['Server', 'Tokens', ...ids.map((_, index) => String(index + 1))];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const mark = (results: readonly CheckResult[], id: string) =>
    marks[results.find((one) => one.id === id)?.outcome ?? 'untried'];
  return [
    line(head),
    line(head.map(() => '---')),
    ...rows.map(({ name, version, tokens, results }) =>
      line([`${name} ${version}`, String(tokens), ...ids.map((id) => mark(results, id))]),
    ),
  ].join('\n');
}

function page(rows: readonly (Row & { readonly version: string })[]): string {
  const seen = rows.flatMap(({ name, results }) =>
    results
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ rule, seen: [first = ''] }) => `- **${name}**: ${rule} ${first}`),
  );
  return [
    '# Servers of other makers, checked',
    '',
    'What _Check Server Against the Specification_ finds in the servers that the test suite runs. `node out/headless/checkTable.js` writes this page. ✓ holds, ✗ does not,',
    '! worth improving, – not tried. Tokens are those of all tool definitions, at four bytes each.',
    '',
    table(rows),
    '',
    ...ids.map(
      (id, index) => `${index + 1}. [${rules[id].words(inEnglish).rule}](${rules[id].clause})`,
    ),
    '',
    '## What does not hold',
    '',
    ...seen,
    '',
  ].join('\n');
}

async function main(): Promise<void> {
  const modules = await installThirdParty();
  const home = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-checks-')));
  const rows: (Row & { readonly version: string })[] = [];
  for (const server of thirdPartyServers) {
    try {
      rows.push({ ...(await check(server, modules, home)), version: server.version });
      console.log(`checked ${server.package}`);
    } catch (error) {
      console.log(`${server.package}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  await writeFile(join(repositoryRoot, 'docs', 'checked-servers.md'), page(rows));
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
