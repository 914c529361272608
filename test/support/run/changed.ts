import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { built, repositoryRoot } from '../paths';
import { execute } from './execute';

/** What each source file imports, as the bundler wrote it down; paths begin at the repository's root. */
export type ImportGraph = Readonly<Record<string, readonly string[]>>;

/** Reads the imports of the last build. */
export async function readGraph(): Promise<ImportGraph> {
  return JSON.parse(await readFile(built('imports.json'), 'utf8')) as ImportGraph;
}

/** Returns the files of unit and host tests that import one of these files, over any number of others, in order. */
export function testsThatImport(files: Iterable<string>, graph: ImportGraph): string[] {
  const importers = new Map<string, string[]>();
  for (const [file, imports] of Object.entries(graph))
    for (const one of imports) importers.set(one, [...(importers.get(one) ?? []), file]);
  const reached = new Set(files);
  // A set that grows is walked to its end.
  for (const file of reached)
    for (const importer of importers.get(file) ?? []) reached.add(importer);
  return [...reached]
    .filter((file) => /^test\/(?:unit|host)\/.*\.test\.ts$/.test(file) && file in graph)
    .toSorted();
}

async function git(...args: string[]): Promise<string[]> {
  const { code, output } = await execute('git', args, { cwd: repositoryRoot });
  if (code !== 0) throw new Error(`git ${args.join(' ')} failed: ${output.trim()}`);
  return output.split('\n').filter((line) => line !== '');
}

/** Returns the files that differ from those of the branch `main`, committed or not. */
export async function changedFiles(): Promise<string[]> {
  const [base = 'HEAD'] = await git('merge-base', 'HEAD', 'main').catch(() => []);
  return [
    ...(await git('diff', '--name-only', base)),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ];
}

/** The tests to run after a change, by where they run, and the changed files that none of them imports. */
export interface ChangedTests {
  readonly unit: readonly string[];
  readonly host: readonly string[];
  readonly untested: readonly string[];
}

/** Finds the tests to run after these files changed: those that import one, and for what is no code, the manifest's. */
export function testsOfChange(changed: readonly string[], graph: ImportGraph): ChangedTests {
  const tests = new Set(testsThatImport(changed, graph));
  const others = changed.filter((file) => !(file in graph));
  if (others.length > 0)
    for (const file of Object.keys(graph))
      if (/^test\/unit\/manifest\/.*\.test\.ts$/.test(file)) tests.add(file);
  const inFolder = (folder: string) =>
    [...tests].filter((file) => file.startsWith(`test/${folder}/`)).map(compiled);
  const untested = changed.filter(
    (file) => /\.[cm]?ts$/.test(file) && testsThatImport([file], graph).length === 0,
  );
  return { unit: inFolder('unit'), host: inFolder('host'), untested };
}

function compiled(test: string): string {
  return built(test.replace(/^test\//, '').replace(/\.ts$/, '.js'));
}

/** Calls `onChange` with the source files that were saved, once no other is saved for a moment. */
export function watchSources(onChange: (files: string[]) => Promise<void>): void {
  const saved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  const flush = () => {
    const files = [...saved];
    saved.clear();
    work = work.then(() => onChange(files));
  };
  for (const folder of ['src', 'cli', 'demo', 'test'])
    watch(join(repositoryRoot, folder), { recursive: true }, (_event, name) => {
      if (!name || !/\.(?:ts|json)$/.test(name)) return;
      saved.add(`${folder}/${name.replaceAll('\\', '/')}`);
      clearTimeout(timer);
      timer = setTimeout(flush, 200);
    });
}
