// Shared by tests inside the extension host; only those may import it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseCalls } from '../../../src/calls/format/parseCalls';
import { runRequest, type CallsRunDeps } from '../../../src/testing/callsRuns';
import type { UserAction } from '../../../src/ui/questions/question';
import { stepId } from '../../../src/testing/callsTests';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';

/** What a test specifies about runs of its file. */
interface TestedFile {
  readonly steps: readonly { readonly name: string }[];
  readonly session?: 'file' | 'step' | 'running';
  readonly variables?: Readonly<Record<string, string>>;
  readonly allows?: CallsRunDeps['consent']['allows'];
  readonly asked?: UserAction;
  readonly mayBeOfModel?: boolean;
  /** Whether the tool says that it changes nothing. */
  readonly onlyReads?: boolean;
  /** Called with the name of each tool that is called. */
  readonly onCall?: (name: string, signal: AbortSignal) => Promise<unknown>;
}

/** Creates a file of saved calls with its items in a Test Explorer of its own; a run returns how each item ended. */
export function testedFile({
  steps,
  session,
  variables,
  allows,
  asked,
  mayBeOfModel,
  onlyReads,
  onCall,
}: TestedFile) {
  const annotations = onlyReads === undefined ? {} : { annotations: { readOnlyHint: onlyReads } };
  const server = fakeServer({ tools: [tool({ name: 'called', ...annotations })] });
  const calls = parseCalls(JSON.stringify({ from: server.name, session, variables, steps }));
  assert.deepEqual(calls.problems, []);
  const controller = vscode.tests.createTestController('tested', 'tested');
  const uri = vscode.Uri.file('/tested.mcp-calls.jsonc');
  const file = controller.createTestItem(String(uri), 'tested', uri);
  controller.items.add(file);
  const children = () =>
    steps.map(({ name }) => controller.createTestItem(stepId(uri, name), name, uri));
  file.children.replace(children());
  const told: string[] = [];
  const tell = (what: string) => (item: vscode.TestItem) => void told.push(`${item.label} ${what}`);
  const run = {
    enqueued: () => {},
    started: () => {},
    passed: tell('passed'),
    failed: tell('failed'),
    errored: tell('errored'),
    skipped: tell('skipped'),
    appendOutput: () => {},
    end: () => {},
  };
  const outcome = { kind: 'result', result: { content: [], isError: false }, problems: [] };
  const deps = {
    servers: fakeServers(server),
    starts: {
      start: () => Promise.resolve([]),
      startBeside: () => Promise.resolve({ server, end: () => Promise.resolve() }),
    },
    consent: { allows: allows ?? (() => Promise.resolve(true)) },
    asked,
    mayBeOfModel,
    gate: {
      run: async (call: { tool: { name: string } }, { signal }: { signal: AbortSignal }) => {
        await onCall?.(call.tool.name, signal);
        return outcome;
      },
    },
    tests: {
      ready: Promise.resolve(),
      // Reading a file replaces the items of its steps.
      read: () => {
        file.children.replace(children());
        return Promise.resolve({ item: file, calls });
      },
      controller: { items: controller.items, createTestRun: () => run },
    },
  } as unknown as CallsRunDeps;
  return {
    server,
    file,
    item: (name: string) => {
      const found = file.children.get(stepId(uri, name));
      assert.ok(found);
      return found;
    },
    run: async (
      { include, exclude }: Pick<Partial<vscode.TestRunRequest>, 'include' | 'exclude'>,
      signal: AbortSignal,
    ) => {
      told.length = 0;
      await runRequest(new vscode.TestRunRequest(include, exclude), signal, deps);
      return [...told];
    },
    dispose: () => controller.dispose(),
  };
}
