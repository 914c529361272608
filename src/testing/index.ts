import * as vscode from 'vscode';
import { neverAborted, signalOf } from '../base/async';
import type { CallGate } from '../gate/toolGate';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { FindRecentCall } from '../contracts/toolCalls';
import type { Starts } from '../contracts/starts';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { Server, Servers } from '../mcp/server';
import { registerCommands } from '../ui/commands';
import { Command } from '../ui/ids';
import type { UserAction } from '../ui/questions/question';
import type { WorkbenchWindow } from '../ui/window';
import { CallsTests, createCallsLenses, stepId } from './callsTests';
import { runRequest, updateStep, type CallsRunDeps } from './callsRuns';
import { createCheckCommand } from './checkCommand';
import { CallsConsent } from './consent';
import { runContinuously } from './continuousRun';
import { saveAsTest } from './saveAsTest';

/** Registers saved calls in the Test Explorer, the commands above their steps, and the check of a server. */
export function register(
  deps: WorkbenchWindow & {
    readonly servers: Servers;
    readonly schemas: SchemaCheck;
    readonly starts: Pick<Starts, 'start' | 'startBeside'>;
    readonly gate: CallGate;
    readonly findRecentCall: FindRecentCall;
    readonly onDidStart: Event<Server>;
  },
): Disposable {
  const { logs, findRecentCall } = deps;
  const store = new DisposableStore();
  const controller = store.add(
    vscode.tests.createTestController('mcpWorkbench.calls', vscode.l10n.t('Saved MCP Calls')),
  );
  const tests = store.add(new CallsTests(controller));
  const consent = new CallsConsent(deps.context.workspaceState, deps.questions, deps.input);
  const runDeps: CallsRunDeps = { ...deps, tests, consent };
  /** For runs that an action of the user begins, unlike those that follow changes. */
  const own = (asked: UserAction): CallsRunDeps => ({ ...runDeps, asked });
  const runKind = vscode.TestRunProfileKind;
  const handler = async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
    if (request.continuous) runContinuously(request, token, runDeps, deps);
    else await runRequest(request, signalOf(token), { ...runDeps, mayBeOfModel: true });
  };
  controller.createRunProfile(vscode.l10n.t('Run'), runKind.Run, handler, true, undefined, true);
  controller.createRunProfile(vscode.l10n.t('Tools Covered'), runKind.Coverage, handler);
  const runSteps = async (action: UserAction, uri: vscode.Uri, name?: string) => {
    const { item: file } = await tests.read(uri);
    const item = name === undefined ? file : file.children.get(stepId(uri, name));
    if (!item) return [];
    const asked = new vscode.TestRunRequest([item]);
    const results = await runRequest(asked, neverAborted(), own(action));
    return results.map(({ step, outcome }) => ({ name: step.name, outcome }));
  };
  store.add(createCallsLenses());
  store.add(
    registerCommands(logs, {
      // Without a name, all steps of the file run.
      [Command.runSavedCall]: runSteps,
      [Command.updateExpectation]: async (action: UserAction, uri: vscode.Uri, name: string) => {
        await updateStep(uri, name, own(action));
        // At once, so that the step does not stay marked as it failed before.
        await runSteps(action, uri, name);
      },
      [Command.saveAsTest]: (action: UserAction, target: unknown) =>
        saveAsTest(action, target, findRecentCall, deps.writer),
      [Command.checkServer]: createCheckCommand({ ...deps, consent }),
    }),
  );
  return store;
}
