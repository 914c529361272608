import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseCalls } from '../../../src/calls/format/parseCalls';
import { runRequest, type CallsRunDeps } from '../../../src/testing/callsRuns';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';

const { signal } = new AbortController();

describe('the coverage of a file of saved calls', function () {
  this.timeout(60_000);

  for (const session of ['file', 'step'] as const)
    it(`is told of once, with a session for each ${session}`, async () => {
      const server = fakeServer({ tools: [tool({ name: 'called' }), tool({ name: 'other' })] });
      const steps = [{ call: 'called' }, { name: 'again', call: 'called' }];
      const calls = parseCalls(JSON.stringify({ from: server.name, session, steps }));
      assert.deepEqual(calls.problems, []);
      const covered: vscode.TestCoverageCount[] = [];
      const said: string[] = [];
      const controller = vscode.tests.createTestController('coverage', 'coverage');
      const run = {
        addCoverage: ({ statementCoverage }: vscode.FileCoverage) =>
          covered.push(statementCoverage),
        appendOutput: (text: string) => said.push(text),
        end: () => {},
      };
      const uri = vscode.Uri.file('/coverage.mcp-calls.jsonc');
      const item = controller.createTestItem(String(uri), 'coverage', uri);
      const outcome = { kind: 'result', result: { content: [], isError: false }, problems: [] };
      const deps = {
        servers: fakeServers(server),
        starts: {
          start: () => Promise.resolve([]),
          startBeside: () => Promise.resolve({ server, end: () => Promise.resolve() }),
        },
        consent: { allows: () => Promise.resolve(true) },
        gate: { run: () => Promise.resolve(outcome) },
        tests: {
          ready: Promise.resolve(),
          read: () => Promise.resolve({ item, calls }),
          controller: { createTestRun: () => run },
        },
      } as unknown as CallsRunDeps;
      const kind = vscode.TestRunProfileKind.Coverage;
      const profile = controller.createRunProfile('coverage', kind, () => {});
      try {
        const request = new vscode.TestRunRequest([item], undefined, profile);
        const results = await runRequest(request, signal, deps);
        assert.deepEqual(
          results.map(({ outcome: ended }) => ended),
          ['passed', 'passed'],
        );
        assert.deepEqual(covered, [new vscode.TestCoverageCount(1, 2)]);
        assert.deepEqual(said, ['Tools without a step: other\r\n']);
      } finally {
        controller.dispose();
      }
    });
});
