// A standalone program, `npm run check`: runs all checks at once and shows what the failed ones wrote.
import { spawn } from 'node:child_process';

const cache = 'node_modules/.cache';
const checks = {
  types: `tsc --noEmit --incremental --tsBuildInfoFile ${cache}/tsc.tsbuildinfo`,
  format: 'prettier --check --cache --log-level warn .',
  rules: 'oxlint --type-aware',
  spelling: `cspell lint --no-progress --no-summary --cache --cache-strategy content --cache-location ${cache}/cspell`,
  'unused code': 'knip',
};

/** Runs a check to its end, shows its output if it failed, and returns whether it passed. */
async function passes([name, command]) {
  const begin = performance.now();
  // `npm run` has put the programs of this repository on the search path.
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => ((output += error.message), resolve(undefined)));
    child.once('close', resolve);
  });
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(code === 0 ? `✔ ${name} (${seconds} s)` : `✗ ${name}: ${command}\n${output}`);
  return code === 0;
}

const results = await Promise.all(Object.entries(checks).map(passes));
process.exitCode = results.every(Boolean) ? 0 : 1;
