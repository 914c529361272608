import * as vscode from 'vscode';
import { neverAborted } from '../base/abort';
import { UserError } from '../base/errors';
import { runCalls, type StepResult } from '../calls/run/runCalls';
import { updateExpectation } from '../calls/write/writeStep';
import { readCalls, readCallsText, snapshotsBeside, writeCallsText } from './callsDocuments';
import type { RunParts } from './callsRuns';
import { openCallsSession } from './sessions';

/** Asks again what a step asks, and writes what comes back as its expectation. */
export async function updateStep(uri: vscode.Uri, name: string, parts: RunParts): Promise<void> {
  const { file, problems } = await readCalls(uri);
  const [problem] = problems;
  if (problem || !file) throw new UserError(problem?.message ?? '');
  const results = await runCalls(file, {
    open: (_server, steps) => openCallsSession({ uri, file, steps }, parts),
    wanted: (step) => step.name === name,
    schemas: parts.schemas,
    snapshots: snapshotsBeside(uri),
    update: true,
    signal: neverAborted(),
    now: () => performance.now(),
  });
  const result = results.find(({ step }: StepResult) => step.name === name);
  if (!result?.answer)
    throw new UserError(
      result?.failures[0]?.message ?? vscode.l10n.t('The step {0} no longer exists.', name),
    );
  const text = await readCallsText(uri);
  await writeCallsText(uri, updateExpectation(text, result.step, result.answer));
}
