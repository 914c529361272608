import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { repositoryRoot } from '../../support/paths';
import { execute } from '../../support/run/execute';

/** Runs one of our rules, named `plugin/rule`, on pieces of code and returns those that it reports. */
export async function complainsOf(
  file: string,
  rule: string,
  pieces: readonly string[],
): Promise<readonly string[]> {
  const jsPlugins = [join(repositoryRoot, 'tools', 'lint', file)];
  const config = { jsPlugins, categories: {}, rules: { [rule]: 'error' } };
  const name = rule.slice(rule.indexOf('/') + 1);
  return findComplaints(pieces, config, [], (line) => line.includes(name));
}

/**
 * Runs the rules of TypeScript that hold in a folder of this repository on pieces of code, which know what `globals`
 * declares, and returns those that they report.
 */
export async function typedComplaintsOf(
  folder: 'src' | 'cli',
  pieces: readonly string[],
  globals: string,
): Promise<readonly string[]> {
  const text = await readFile(join(repositoryRoot, '.oxlintrc.json'), 'utf8');
  const { rules, overrides } = parse(text) as {
    readonly rules: object;
    readonly overrides: readonly { readonly files: readonly string[]; readonly rules: object }[];
  };
  const own = overrides.filter(({ files }) => files.includes(`${folder}/**`));
  const all = Object.entries(Object.assign({}, rules, ...own.map((one) => one.rules)) as object);
  const typed = Object.fromEntries(all.filter(([name]) => name.startsWith('typescript/')));
  const config = { plugins: ['typescript'], categories: {}, rules: typed };
  return findComplaints(
    pieces,
    config,
    ['--type-aware'],
    (line) => line.includes('[Error/'),
    globals,
  );
}

async function findComplaints(
  pieces: readonly string[],
  settings: object,
  options: readonly string[],
  isMeant: (line: string) => boolean,
  globals = '',
): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'lint-rule-'));
  try {
    const config = join(directory, 'config.json');
    await writeFile(config, JSON.stringify(settings));
    await writeFile(join(directory, 'globals.d.ts'), globals);
    await writeFile(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { strict: true, types: [] }, include: ['*.ts'] }),
    );
    await Promise.all(
      pieces.map((code, index) => writeFile(join(directory, `piece${index}.ts`), `${code}\n`)),
    );
    const cli = join(repositoryRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');
    // It prints its findings whatever its exit code.
    const args = ['-f', 'unix', ...options, '-c', config, directory];
    const { output } = await execute(process.execPath, [cli, ...args], { cwd: repositoryRoot });
    const found = new Set(
      output
        .split('\n')
        .filter(isMeant)
        .map((line) => /piece(\d+)\.ts:/.exec(line)?.[1]),
    );
    return pieces.filter((_, index) => found.has(String(index)));
  } finally {
    await rm(directory, { recursive: true });
  }
}
