import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { delay } from '../../../src/base/async';
import { DisposableStore } from '../../../src/base/disposable';
import { silentLogger } from '../../../src/base/log';
import type { ConfigSource } from '../../../src/config/configSource';
import { createMcpJsonSource } from '../../../src/config/places/mcpJsonSource';
import { createNodePlatform } from '../../../src/mcp/node/nodePlatform';
import { folderNamed } from '../../support/host/hostApi';

/** How long a program takes to write a file that it has deleted. */
const writingMs = 200;

describe('a file of servers that a program deletes before it writes it', () => {
  const store = new DisposableStore();
  let source: ConfigSource;
  let file: vscode.Uri;
  const write = () =>
    vscode.workspace.fs.writeFile(
      file,
      Buffer.from(JSON.stringify({ mcpServers: { rewritten: { command: 'node' } } })),
    );
  const remove = () => vscode.workspace.fs.delete(file);
  const names = async () => {
    const read = await source.read();
    return read.flatMap(({ uri, entries }) =>
      uri === file.toString() ? entries.map(({ name }) => name) : [],
    );
  };

  before(() => {
    const nowhere = vscode.Uri.file('/nowhere');
    source = store.add(createMcpJsonSource(store.add(createNodePlatform(nowhere, silentLogger))));
    file = vscode.Uri.joinPath(folderNamed('app'), '.mcp.json');
  });
  beforeEach(async () => {
    await write();
    assert.deepEqual(await names(), ['rewritten']);
  });
  after(async () => {
    await remove();
    store.dispose();
  });

  it('keeps its servers', async () => {
    await remove();
    const read = names();
    await delay(writingMs);
    await write();
    assert.deepEqual(await read, ['rewritten']);
  });

  it('keeps them when it does so again while an earlier reading still waits for it', async () => {
    await remove();
    const overtaken = names();
    await write();
    assert.deepEqual(await names(), ['rewritten']);
    await remove();
    await overtaken;
    const read = names();
    await delay(writingMs);
    await write();
    assert.deepEqual(await read, ['rewritten']);
  });
});
