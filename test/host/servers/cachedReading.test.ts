import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Setting } from '../../../src/ui/ids';
import { cachedReading, watchConfiguration } from '../../../src/ui/settings/readSetting';
import { readSetting } from '../../../src/ui/settings/readSetting';

const key = Setting.toolMaxCallsPerMinute;
const write = (value: number | undefined) =>
  vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);

describe('what is read of the configuration', () => {
  let watching: vscode.Disposable | undefined;
  afterEach(async () => {
    watching?.dispose();
    await write(undefined);
  });

  it('is read once until the configuration changes, and each time while nobody watches', async () => {
    const reads: string[] = [];
    const read = cachedReading((name: string) => {
      reads.push(name);
      return vscode.workspace.getConfiguration().get<unknown>(name);
    });
    read(key);
    read(key);
    assert.equal(reads.length, 2);
    watching = watchConfiguration();
    const before = read(key);
    assert.equal(read(key), before);
    assert.equal(read(Setting.toolMaxCallsPerAnswer), 50);
    assert.deepEqual(reads.slice(2), [key, Setting.toolMaxCallsPerAnswer]);
    await write(7);
    assert.equal(read(key), 7);
    watching.dispose();
    await write(8);
    assert.equal(read(key), 8);
  });

  it('is up to date for every listener of a change', async () => {
    watching = watchConfiguration();
    readSetting(key);
    const heard = new Promise((resolve) => {
      const listener = vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(key)) return;
        listener.dispose();
        resolve(readSetting(key));
      });
    });
    await write(9);
    assert.equal(await heard, 9);
  });
});
