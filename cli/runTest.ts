import { UserError } from '../src/base/errors';
import { dotReport } from '../src/calls/report/dot';
import { jsonReport } from '../src/calls/report/json';
import { junitReport } from '../src/calls/report/junit';
import { type FileReport, exitCodeOf } from '../src/calls/report/report';
import { summaryReport } from '../src/calls/report/summary';
import { SchemaThread } from '../src/mcp/node/schema/schemaThread';
import { createSchemaCheck } from '../src/mcp/schema/jsonSchema';
import type { Options } from './options';
import { writeOutput } from './outputs';
import { runCheck } from './runCheck';
import { runFile } from './runFile';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { callsExtension } from '../src/calls/format/calls';

/** Folders of dependencies and of build output. */
const skipped = new Set(['node_modules', 'dist', 'out', 'build']);

/** Finds all files of saved calls below a folder, sorted by path. */
async function findFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile()) return entry.name.endsWith(callsExtension) ? [path] : [];
      const isSearched = entry.isDirectory() && !entry.name.startsWith('.');
      return isSearched && !skipped.has(entry.name) ? findFiles(path) : [];
    }),
  );
  return found.flat().toSorted();
}

const reports = { dot: dotReport, json: jsonReport, junit: junitReport };

/**
 * Runs or checks the files that are asked for and writes the reports; resolves with the exit code, and
 * rejects with a `UserError` if there are no files.
 */
export async function runTest(options: Options, signal: AbortSignal): Promise<number> {
  const namesServers = options.check && options.servers.size > 0;
  const paths = options.files.length > 0 ? options.files : await findFiles('.');
  if (paths.length === 0 && !namesServers)
    throw new UserError('No saved calls found: their names end in .mcp-calls.jsonc.');
  const thread = new SchemaThread();
  const schemas = createSchemaCheck(thread.run);
  const showsDots = options.reporter === 'dot' || options.output !== undefined;
  const print = (text: string) => {
    if (showsDots) process.stdout.write(text);
  };
  const files: FileReport[] = [];
  try {
    if (options.check) files.push(...(await runCheck(paths, options, schemas, signal)));
    for (const path of options.check ? [] : paths) {
      if (signal.aborted) break;
      files.push(await runFile(path, { options, schemas, print, signal }));
    }
  } finally {
    thread.dispose();
  }
  await writeReports(files, options, print);
  return signal.aborted ? 2 : exitCodeOf(files);
}

/** Writes the report of a run where it is asked for, and a summary. */
export async function writeReports(
  files: readonly FileReport[],
  { reporter, output, summary }: Pick<Options, 'reporter' | 'output' | 'summary'>,
  print: (text: string) => void,
): Promise<void> {
  print('\n');
  const report = reports[reporter](files);
  const text = report.endsWith('\n') ? report : `${report}\n`;
  if (output === undefined) process.stdout.write(text);
  else {
    await writeOutput(output, text, 'replace');
    print(`${dotReport(files)}\n`);
  }
  if (summary !== undefined) await writeOutput(summary, `${summaryReport(files)}\n`, 'append');
}
