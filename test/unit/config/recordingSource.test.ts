import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createRecordingSource, maxServedRecordings } from '../../../src/config/recordingSource';
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

  it('are listed once for each file, and gone once they are removed', async () => {
    const source = createRecordingSource({ programs }, extension, createMemento());
    let changes = 0;
    source.onDidChange(() => (changes += 1));
    for (const name of ['a', 'b']) await source.add({ name, uri: at('/w/a.mcp-recording.jsonc') });
    assert.deepEqual(
      source.served.map(({ name }) => name),
      ['b'],
    );
    await source.remove('b');
    assert.deepEqual(await source.read([]), []);
    assert.equal(changes, 3);
  });

  it('are so many at most, the latest', async () => {
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
