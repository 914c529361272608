import * as vscode from 'vscode';
import { neverAborted } from '../base/async';
import { UserError } from '../base/errors';
import type { CallStep } from '../calls/format/calls';
import type { StepResult } from '../calls/runCalls';
import { updateExpectation } from '../calls/writeStep';
import { readCalls, readCallsText, snapshotsBeside } from './callsDocuments';
import { type CallsDeps, runWorkspaceCalls } from './callsRuns';

/** Runs a step again and writes what comes back as its expectation; throws a `UserError` if it cannot be run. */
export async function updateStep(uri: vscode.Uri, name: string, deps: CallsDeps): Promise<void> {
  const { file, problems } = await readCalls(uri);
  const [problem] = problems;
  if (problem || !file) throw new UserError(problem?.message ?? '');
  const wanted = (step: CallStep) => step.name === name;
  const options = { wanted, update: true, signal: neverAborted() };
  const results = await runWorkspaceCalls(uri, file, options, deps);
  const result = results.find(({ step }: StepResult) => step.name === name);
  if (!result?.answer || !result.expect)
    throw new UserError(
      result?.failures[0]?.message ?? vscode.l10n.t('The step {0} no longer exists.', name),
    );
  const { step, answer, expect } = result;
  const { schemas, writer } = deps;
  const tools = { schemas, snapshots: snapshotsBeside(uri, writer), update: false };
  const before = await readCallsText(uri);
  const text = await updateExpectation(before, { step, answer, expect }, tools);
  // A snapshot alone leaves the file as it is.
  if (text !== before) await writer.replaceText(uri, () => text);
}
