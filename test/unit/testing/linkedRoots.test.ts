import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseCalls } from '../../../src/calls/format/parseCalls';
import { runWorkspaceCalls, type CallsDeps } from '../../../src/testing/callsRuns';
import { FakeServer, FakeServers } from '../../support/fakes/fakeServer';

const links: Readonly<Record<string, string>> = {
  '/w/calls/out': '/home/eve',
  '/w/calls/out/below': '/home/eve/below',
  '/w/calls/moved': '/home/eve/w/calls/moved',
};

/** Runs a file with this root where links are as given; returns what the user was asked about, and what the server was told. */
async function rootsOf(uri: string, real: Readonly<Record<string, string>>) {
  const text = JSON.stringify({
    from: 'a',
    variables: { name: 'out' },
    answers: { roots: [{ uri, name: 'here' }] },
    steps: [{ list: 'tools' }],
  });
  const { file, problems } = parseCalls(text);
  assert.deepEqual(problems, []);
  assert.ok(file);
  const server = new FakeServer({ id: 'a', name: 'a' });
  const found: { asked?: unknown; told?: unknown } = {};
  const signal = new AbortController().signal;
  const deps = {
    servers: new FakeServers(server),
    platform: { programs: { realPath: (path: string) => Promise.resolve(real[path] ?? path) } },
    startBeside: async (
      _id: string,
      { watch }: { watch?: { requests: Record<'listRoots', () => Promise<unknown>> } },
    ) => {
      found.told = await watch?.requests.listRoots();
      return { server, end: async () => {} };
    },
    consent: {
      allows: ({ file: asked }: { file: typeof file }) => {
        found.asked = asked.answers?.roots;
        return Promise.resolve(false);
      },
    },
  } as unknown as CallsDeps;
  const calls = vscode.Uri.file('/w/calls/a.mcp-calls.jsonc');
  await assert.rejects(
    Promise.resolve(runWorkspaceCalls(calls, file, { update: false, signal }, deps)),
  );
  return found;
}

describe('roots of saved calls', () => {
  const { isTrusted } = vscode.workspace;
  before(() => Object.assign(vscode.workspace, { isTrusted: true }));
  after(() => Object.assign(vscode.workspace, { isTrusted }));

  for (const [what, uri] of [
    ['a link beside the file', 'out'],
    ['a link that a variable names', '${name}'],
    ['a link by its whole address', 'file:///w/calls/out'],
  ] as const)
    it(`are asked about, and told, where links lead: ${what}`, async () => {
      const { asked, told } = await rootsOf(uri, links);
      assert.deepEqual(asked, [{ uri: 'file:///home/eve', name: 'here' }]);
      assert.deepEqual(told, asked);
    });

  for (const [what, uri, real] of [
    ['there is none', 'sample/', {}],
    [
      'the link is on the way to the folder',
      'moved',
      { '/w/calls/': '/home/eve/w/calls', ...links },
    ],
    ['it is no file', 'https://${name}.example/x', links],
    ['its path is longer than any', `out/${'a/'.repeat(3000)}`, links],
  ] as const)
    it(`are told as they are written where no link of the workspace leads elsewhere: ${what}`, async () => {
      const { asked, told } = await rootsOf(uri, real);
      const written = new URL(uri.replace('${name}', 'out'), 'file:///w/calls/').href;
      assert.ok(JSON.stringify(asked) === JSON.stringify([{ uri, name: 'here' }]));
      assert.ok(JSON.stringify(told) === JSON.stringify([{ name: 'here', uri: written }]));
    });
});
