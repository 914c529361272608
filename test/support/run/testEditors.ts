// A standalone program, `node out/support/run/testEditors.js`: runs the host tests, and the journeys that use a prompt, a resource and
// a tool, in each version of the editor.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { editorVersions, type EditorVersion } from '../editor/editor';
import { built } from '../paths';
import { versionVariable } from '../windows/inWine';

/** What runs in each version: the arguments of `testAll.js`, by name. */
const runs = {
  host: ['host'],
  'prompt, resource, tool': ['three uses'],
};

/** Runs one part in one version, shows its output, and returns its last line, the total. */
async function runIn(version: EditorVersion, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [built('support', 'run', 'testAll.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, [versionVariable]: version },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    process.stdout.write(chunk);
    text += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) process.exitCode = 1;
  return text.trimEnd().split('\n').at(-1) ?? '';
}

async function main(): Promise<void> {
  const rows: string[] = [];
  for (const version of editorVersions) {
    for (const [name, args] of Object.entries(runs)) {
      console.log(`\nVS Code 1.${version.slice(2)}`);
      rows.push(`1.${version.slice(2)}  ${name.padEnd(24)}${await runIn(version, args)}`);
    }
  }
  console.log(`\n${rows.join('\n')}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
