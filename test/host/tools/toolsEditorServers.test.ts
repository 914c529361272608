import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { editorServersId, registerEditorServers } from '../../../src/chat/editor/editorServers';
import { fakeServer, fakeServers } from '../../support/fakes/fakeServer';
import { setSetting } from '../../support/host/toolsSteps';

type Provider = vscode.McpServerDefinitionProvider;
const { registerMcpServerDefinitionProvider } = vscode.lm;

describe('tools’ servers for the editor’s own client', () => {
  let provider: Provider;
  let registration: vscode.Disposable;
  let refused: string | undefined;
  const server = fakeServer({ id: 'files', name: 'files', args: ['--root', '${workspaceFolder}'] });
  const namesake = fakeServer({ id: 'files@docs', name: 'files', args: ['--root', '/docs'] });
  const none = new vscode.CancellationTokenSource().token;

  beforeEach(() => {
    refused = undefined;
    vscode.lm.registerMcpServerDefinitionProvider = (id, given) => {
      assert.equal(id, editorServersId);
      provider = given;
      return new vscode.Disposable(() => {});
    };
    registration = registerEditorServers(fakeServers(server, namesake), {
      handOver: ({ id, config }) =>
        Promise.resolve(
          refused === undefined
            ? { config: { ...config, args: ['--root', id === 'files' ? '/project' : '/docs'] } }
            : { refused },
        ),
    });
  });
  afterEach(async () => {
    vscode.lm.registerMcpServerDefinitionProvider = registerMcpServerDefinitionProvider;
    registration.dispose();
    await setSetting('provideToEditor', false);
  });

  const offered = async () => (await provider.provideMcpServerDefinitions(none)) ?? [];

  it('are none unless the user set it', async () => {
    assert.deepEqual(await offered(), []);
  });

  it('are ours, with the values of variables only once they are trusted', async () => {
    await setSetting('provideToEditor', true);
    const [definition] = await offered();
    assert.ok(definition instanceof vscode.McpStdioServerDefinition);
    assert.deepEqual([definition.label, definition.args[1]], ['files', '${workspaceFolder}']);
    const resolved = await provider.resolveMcpServerDefinition?.(definition, none);
    assert.ok(resolved instanceof vscode.McpStdioServerDefinition);
    assert.deepEqual(resolved.args, ['--root', '/project']);
  });

  it('are told from a namesake in another folder', async () => {
    await setSetting('provideToEditor', true);
    const [, definition] = await offered();
    assert.ok(definition instanceof vscode.McpStdioServerDefinition);
    assert.equal(definition.label, 'files@docs');
    const resolved = await provider.resolveMcpServerDefinition?.(definition, none);
    assert.ok(resolved instanceof vscode.McpStdioServerDefinition);
    assert.deepEqual(resolved.args, ['--root', '/docs']);
  });

  it('are not started there where the user does not trust them', async () => {
    await setSetting('provideToEditor', true);
    const [definition] = await offered();
    assert.ok(definition);
    refused = 'You have not trusted this server.';
    await assert.rejects(
      async () => provider.resolveMcpServerDefinition?.(definition, none),
      /have not trusted/,
    );
  });
});
