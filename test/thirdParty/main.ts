// A standalone program: tries the client with third-party servers and prints a table.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLimiter } from '../../src/base/async';
import { installThirdParty } from './install';
import { thirdPartyServers } from './servers';
import { tryServer, type Trial } from './tryServer';
import { nameOfBuild } from '../../tools/build/shipped';
import type { Counts } from '../support/run/counts';
import { runAsPart } from '../support/run/forkPart';

/** More at a time would only wait for the processor. */
const atOnce = 3;

const widths = [-47, -11, -10, 16, 8, 7];
const heading = ['server', 'version', 'revision', 'tools/pr/res/tmp', 'start', 'stop'];

function row(cells: readonly (string | number)[]): string {
  const padded = cells.map((cell, index) => {
    const width = widths[index] ?? 0;
    return width < 0 ? String(cell).padEnd(-width) : String(cell).padStart(width);
  });
  return padded.join('  ');
}

function report(name: string, version: string, trial: Trial): string {
  const { revision, lists, startMs, stopMs, asked, problems } = trial;
  const line = row([name, version, revision, lists.join('/'), startMs, stopMs]);
  return [
    `${line}  ${problems.length > 0 ? 'FAILED' : asked}`,
    ...problems.map((one) => `    ${one}`),
  ].join('\n');
}

/** Runs all servers; skips them all if they cannot be downloaded. */
export async function runThirdParty(): Promise<Counts> {
  let modules: string;
  try {
    modules = await installThirdParty();
  } catch (error) {
    console.log(
      `The servers could not be fetched: ${error instanceof Error ? error.message : String(error)}`,
    );
    return { passed: 0, failed: 0, skipped: thirdPartyServers.length };
  }
  const home = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-third-party-')));
  console.log(await nameOfBuild());
  console.log(row(heading));
  const limiter = createLimiter(atOnce);
  const runs = thirdPartyServers.flatMap((server) => [
    { server, era: 'legacy' as const },
    ...(server.isModern ? [{ server, era: 'modern' as const }] : []),
  ]);
  const trials = await Promise.all(
    runs.map(({ server, era }) =>
      limiter(async () => {
        const trial = await tryServer(server, era, { modules, home });
        console.log(report(server.package, server.version, trial));
        return trial;
      }),
    ),
  );
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const failed = trials.filter(({ problems }) => problems.length > 0).length;
  return { passed: trials.length - failed, failed, skipped: 0 };
}

runAsPart(runThirdParty);
