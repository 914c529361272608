import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { delay } from '../../../src/base/async';
import { DisposableStore } from '../../../src/base/disposable';
import { Emitter, once } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/log';
import {
  createConfiguration,
  type Configuration,
  type CurrentConfiguration,
} from '../../../src/config/configuration';
import { createMcpJsonSource } from '../../../src/config/places/mcpJsonSource';
import { createNodePlatform } from '../../../src/mcp/node/nodePlatform';
import { folderNamed } from '../../support/host/hostApi';

/** How long a program takes to write a file that it has deleted. */
const writingMs = 200;

describe('a file of servers that a program deletes before it writes it', () => {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  const begun = store.add(new Emitter<{ readonly found: Promise<unknown> }>());
  let configuration: Configuration;
  let file: vscode.Uri;
  const write = () =>
    vscode.workspace.fs.writeFile(
      file,
      Buffer.from(JSON.stringify({ mcpServers: { rewritten: { command: 'node' } } })),
    );
  const remove = () => vscode.workspace.fs.delete(file);
  /** Has all files read again; resolves once that has begun. */
  const read = async () => {
    const used = once(configuration.onDidChange);
    const beginning = once(begun.event);
    changed.fire();
    return { used, ...(await beginning) };
  };
  const names = ({ servers }: CurrentConfiguration) =>
    servers.map(({ definition }) => definition.name).filter((name) => name === 'rewritten');

  before(() => {
    const nowhere = vscode.Uri.file('/nowhere');
    const files = createMcpJsonSource(store.add(createNodePlatform(nowhere, silentLogger)));
    // What the editor reports of files comes at any time: here, only the test has them read.
    const source = {
      onDidChange: changed.event,
      dispose: () => files.dispose(),
      read: (...last: Parameters<typeof files.read>) => {
        const found = files.read(...last);
        begun.fire({ found });
        return found;
      },
    };
    const switches = { states: () => () => undefined, onDidChange: new Emitter<void>().event };
    configuration = store.add(createConfiguration([source], switches, silentLogger));
    file = vscode.Uri.joinPath(folderNamed('app'), '.mcp.json');
    return configuration.ready;
  });
  beforeEach(async () => {
    await write();
    const { used } = await read();
    assert.deepEqual(names(await used), ['rewritten']);
  });
  after(async () => {
    await remove();
    store.dispose();
  });

  it('keeps its servers', async () => {
    await remove();
    const { used } = await read();
    await delay(writingMs);
    await write();
    assert.deepEqual(names(await used), ['rewritten']);
  });

  it('keeps them when it does so again while an earlier reading still waits for it', async () => {
    await remove();
    const overtaken = await read();
    await write();
    const newer = await read();
    assert.deepEqual(names(await newer.used), ['rewritten']);
    await remove();
    await overtaken.found;
    const { used } = await read();
    await delay(writingMs);
    await write();
    assert.deepEqual(names(await used), ['rewritten']);
  });
});
