import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';
import { execute } from '../../support/run/execute';

/** Runs one of our rules, named `plugin/rule`, on pieces of code and returns those that it reports. */
export async function complainsOf(
  file: string,
  rule: string,
  pieces: readonly string[],
): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'lint-rule-'));
  try {
    const config = join(directory, 'config.json');
    const jsPlugins = [join(repositoryRoot, 'tools', 'lint', file)];
    await writeFile(
      config,
      JSON.stringify({ jsPlugins, categories: {}, rules: { [rule]: 'error' } }),
    );
    await Promise.all(
      pieces.map((code, index) => writeFile(join(directory, `piece${index}.ts`), `${code}\n`)),
    );
    const cli = join(repositoryRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');
    // It prints its findings whatever its exit code.
    const args = ['-f', 'unix', '-c', config, directory];
    const { output } = await execute(process.execPath, [cli, ...args]);
    const name = rule.slice(rule.indexOf('/') + 1);
    const found = new Set(
      output
        .split('\n')
        .filter((line) => line.includes(name))
        .map((line) => /piece(\d+)\.ts:/.exec(line)?.[1]),
    );
    return pieces.filter((_, index) => found.has(String(index)));
  } finally {
    await rm(directory, { recursive: true });
  }
}
