import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { recordingText } from '../../../src/calls/recording/recording';
import { type ConfigSource, type Scope } from '../../../src/config/configLayer';
import { createConfiguration } from '../../../src/config/configuration';
import { createDemoSource } from '../../../src/config/demoSource';
import {
  createRecordingSource,
  maxServedRecordings,
  serveRecording,
} from '../../../src/config/recordingSource';
import { deferred } from '../../../src/base/async';
import { silentLogger } from '../../../src/base/log';
import { byUser } from '../../../src/ui/questions/question';
import type { Programs } from '../../../src/mcp/platform';
import { createMemento } from '../../support/fakes/memento';

const extension = vscode.Uri.file('/extension');
const programs = { runtime: { command: '/node', env: { A: '1' } } } as unknown as Programs;
const at = (path: string) => vscode.Uri.file(path).toString();

describe('the recordings that a workspace serves', () => {
  it('are places of their own, of the user, each with a server that runs our program alone', async () => {
    const source = createRecordingSource({ programs }, extension, createMemento());
    await source.add({ name: 'a (recording)', uri: at('/w/a.mcp-recording.jsonc') });
    const [layer, ...others] = await source.read([]);
    assert.deepEqual(others, []);
    assert.deepEqual(layer, {
      scope: 'user',
      label: 'Recording a.mcp-recording.jsonc',
      uri: at('/w/a.mcp-recording.jsonc'),
      unwritten: 'recording',
      entries: [
        {
          name: 'a (recording)',
          value: {
            command: '/node',
            env: { A: '1' },
            args: [
              vscode.Uri.joinPath(extension, 'dist', 'recordedServer.js').fsPath,
              vscode.Uri.file('/w/a.mcp-recording.jsonc').fsPath,
            ],
            inheritEnvironment: 'safe',
          },
        },
      ],
      inputs: undefined,
      problems: [],
    });
  });

  it('run, as the demo does, by paths whose drive is written as people write it', async () => {
    const [installed, uri] = [vscode.Uri.file('/c:/ours'), at('/d:/w/a.mcp-recording.jsonc')];
    const recordings = createRecordingSource({ programs }, installed, createMemento());
    await recordings.add({ name: 'a', uri });
    const demo = createDemoSource({ programs }, installed, createMemento());
    await demo.add();
    const paths = [...(await recordings.read([])), ...(await demo.read([]))].flatMap((layer) =>
      layer.entries.map(({ value }) => (value as { readonly args: readonly string[] }).args),
    );
    assert.deepEqual(
      paths.map((args) => args.map((path) => path.replaceAll('\\', '/'))),
      [
        ['C:/ours/dist/recordedServer.js', 'D:/w/a.mcp-recording.jsonc'],
        ['C:/ours/dist/demoServer.js'],
      ],
    );
  });

  it('are listed once for each file, and gone once they are removed', async () => {
    const source = createRecordingSource({ programs }, extension, createMemento());
    let changes = 0;
    source.onDidChange(() => (changes += 1));
    for (const name of ['a', 'b']) await source.add({ name, uri: at('/w/a.mcp-recording.jsonc') });
    assert.deepEqual(
      source.served.map(({ name }) => name),
      ['b'],
    );
    await source.remove(at('/w/a.mcp-recording.jsonc'));
    assert.deepEqual(await source.read([]), []);
    assert.equal(changes, 3);
  });

  it('are bounded in number: the latest stay', async () => {
    const source = createRecordingSource({ programs }, extension, createMemento());
    for (let one = 0; one <= maxServedRecordings; one += 1)
      await source.add({ name: `${one}`, uri: at(`/w/${one}.mcp-recording.jsonc`) });
    assert.equal(source.served.length, maxServedRecordings);
    assert.equal(source.served[0]?.name, '1');
  });

  it('are what is kept, as far as it can be read, and none in a window without processes', async () => {
    const kept = [1, {}, { name: 'a' }, { name: 'a', uri: at('/w/a.mcp-recording.jsonc') }];
    const state = createMemento({ 'recordings.served': kept });
    const read = async (of: Programs | undefined) =>
      (await createRecordingSource({ programs: of }, extension, state).read([])).length;
    assert.equal(await read(programs), 1);
    assert.equal(await read(undefined), 0);
  });
});

describe('serving a recording', () => {
  const { executeCommand } = vscode.commands;
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-served-'));
    Object.assign(vscode.commands, { executeCommand: () => Promise.resolve() });
  });
  afterEach(async () => {
    Object.assign(vscode.commands, { executeCommand });
    await rm(folder, { recursive: true, force: true });
  });

  for (const [what, known, elsewhere, name] of [
    ['has a name that says what it is', undefined, undefined, 'a (recording)'],
    ['leaves other places their names', undefined, 'a (recording)', 'a (recording)-2'],
    ['keeps its name', 'own', undefined, 'own'],
    ['keeps its name beside others', 'own', 'a (recording)', 'own'],
    ['gets another name where its own is taken by now', 'own', 'own', 'a (recording)'],
  ] as const)
    it(what, async () => {
      const file = vscode.Uri.file(join(folder, 'a.mcp-recording.jsonc'));
      const recording = { server: 'a', recorded: '', rules: [], messages: [] };
      await writeFile(file.fsPath, recordingText(recording));
      const kept = known === undefined ? [] : [{ name: known, uri: file.toString() }];
      const state = createMemento({ 'recordings.served': kept });
      const recordings = createRecordingSource({ programs }, extension, state);
      const read = deferred<void>();
      const others: ConfigSource = {
        read: async () => {
          await read.promise;
          const value = { command: 'other' };
          const entries = elsewhere === undefined ? [] : [{ name: elsewhere, value }];
          const scope: Scope = 'workspace';
          return [{ scope, label: 'others', entries, inputs: undefined, problems: [] }];
        },
        onDidChange: () => ({ dispose: () => {} }),
        dispose: () => {},
      };
      const switches = {
        states: () => () => undefined,
        onDidChange: () => ({ dispose: () => {} }),
      };
      const configuration = createConfiguration([recordings, others], switches, silentLogger);
      try {
        const serving = serveRecording(byUser(), file, {
          recordings,
          configuration,
          switches: { switchOn: () => Promise.resolve() },
          platform: { programs },
        });
        read.resolve();
        await serving;
        assert.deepEqual(recordings.served, [{ name, uri: file.toString() }]);
      } finally {
        configuration.dispose();
      }
    });
});
