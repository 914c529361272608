import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseCalls } from '../../../src/calls/format/parseCalls';
import { runWorkspaceCalls, type CallsDeps } from '../../../src/testing/callsRuns';
import { createCheckCommand, type CheckDeps } from '../../../src/testing/checkCommand';
import { CallsConsent } from '../../../src/testing/consent';
import type { DocumentInput } from '../../../src/ui/documents/documentInput';
import { byUser } from '../../../src/ui/questions/question';
import type { Questions } from '../../../src/ui/questions/questions';
import { createMemento } from '../../support/fakes/memento';
import { FakeServer, FakeServers } from '../../support/fakes/fakeServer';

const links: Readonly<Record<string, string>> = {
  '/w/calls/out': '/home/eve',
  '/w/calls/out/below': '/home/eve/below',
  '/w/calls/moved': '/home/eve/w/calls/moved',
};

interface Watched {
  readonly watch?: { readonly requests?: Record<'listRoots', () => Promise<unknown>> };
}

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
    starts: {
      startBeside: async (_id: string, { watch }: Watched) => {
        found.told = await watch?.requests?.listRoots();
        return { server, end: async () => {} };
      },
    },
    consent: {
      knowsRoots: () => Promise.resolve(true),
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

/** A user, whose runs of a file are asked about by questions that they answer so; one who agreed is asked no more. */
function userWho(answer: 'own' | false) {
  const questions = { ask: () => Promise.resolve({ kind: 'answered', answer }) };
  const asked = questions as unknown as Questions;
  const consent = new CallsConsent(createMemento(), asked, {} as DocumentInput);
  const server = new FakeServer({ id: 'a', name: 'a' });
  /** Runs a file; returns what each session that was started was told of roots as it started, and later. */
  const run = async (
    { session = 'file', root = 'sample/' }: { session?: string; root?: string | undefined },
    looksAtStart = true,
  ): Promise<unknown> => {
    const answers = { roots: [{ uri: root }] };
    const steps = ['a', 'b'].map((name) => ({ name, list: 'tools' }));
    const { file } = parseCalls(JSON.stringify({ from: 'a', session, answers, steps }));
    assert.ok(file);
    const told: unknown[][] = [];
    let look = async () => {};
    const deps = {
      servers: new FakeServers(server),
      platform: {},
      starts: {
        startBeside: async (_id: string, { watch }: Watched) => {
          const heard: unknown[] = [];
          told.push(heard);
          look = async () => void heard.push(await watch?.requests?.listRoots());
          if (looksAtStart) await look();
          return { server, end: async () => {} };
        },
      },
      consent,
    } as unknown as CallsDeps;
    const uri = vscode.Uri.file('/w/calls/a.mcp-calls.jsonc');
    const { signal } = new AbortController();
    const onOpen = () => void look();
    await runWorkspaceCalls(uri, file, { update: false, signal, onOpen }, deps).catch(() => {});
    return told;
  };
  return { run };
}

describe('the roots of a file of saved calls', () => {
  const { isTrusted } = vscode.workspace;
  before(() => Object.assign(vscode.workspace, { isTrusted: true }));
  after(() => Object.assign(vscode.workspace, { isTrusted }));
  const roots = [{ uri: 'file:///w/calls/sample/' }];

  for (const session of ['file', 'step'])
    it(`are told to nobody before the user agreed, and after that from the start of a session: one for each ${session}`, async () => {
      assert.deepEqual(await userWho(false).run({ session }), [[[]]]);
      const { run } = userWho('own');
      const later = session === 'step' ? [[roots]] : [];
      assert.deepEqual(await run({ session }), [[[]], [roots, roots], ...later]);
      assert.deepEqual(await run({ session }), [[roots, roots], ...later]);
      const others = [{ uri: 'file:///' }];
      const again = session === 'step' ? [[others]] : [];
      assert.deepEqual(await run({ session, root: '/' }), [[[]], [others, others], ...again]);
    });

  it('are told in a session that did not ask for them before', async () => {
    assert.deepEqual(await userWho('own').run({}, false), [[roots]]);
  });

  it('are the only ones that a session is told beside those that all are told: a check has none', async () => {
    const server = new FakeServer({ id: 'a', name: 'a' });
    const watched: unknown[] = [];
    const startBeside = (_id: string, { watch }: Watched) => {
      watched.push(watch?.requests);
      return Promise.reject(new Error('enough'));
    };
    const deps = { servers: new FakeServers(server), starts: { startBeside }, logs: {}, files: {} };
    const check = createCheckCommand(deps as unknown as CheckDeps);
    await assert.rejects(check(byUser(), 'a'), /enough/);
    assert.deepEqual(watched, [undefined]);
  });
});
