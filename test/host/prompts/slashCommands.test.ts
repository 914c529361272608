import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { activateWorkbench, textOnDisk, until } from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import { set } from './promptRuns';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly unknown[];
    readonly chatSkills: readonly { readonly path: string }[];
  };
}

const companion = () => vscode.extensions.getExtension('mcp-workbench.mcp-workbench-prompts');

/** Returns the paths of the skills that the editor loaded from the generated extension. */
async function offered(): Promise<readonly string[]> {
  const files = await vscode.commands.executeCommand<
    readonly { readonly uri: { readonly path: string }; readonly type: string }[]
  >('_listExtensionPromptFiles');
  return files.flatMap(({ uri, type }) =>
    type === 'skill' && uri.path.includes('mcp-workbench-prompts') ? [uri.path] : [],
  );
}

async function invoke(input: object): Promise<string> {
  const options = { input, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool('mcpWorkbench_runPrompt', options);
  return content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
}

describe('a prompt as a slash command of other chats', function () {
  this.timeout(60_000);
  const { showInformationMessage } = vscode.window;
  let api: WorkbenchApi;
  let row: object;
  let told = '';

  before(async () => {
    api = await activateWorkbench();
    await api.startServer('*');
    await set('prompts.preview', 'never');
    const server = api.servers.find(({ name }) => name === 'everything');
    row = { parent: {}, server, prompt: { name: 'simple-prompt' } };
    vscode.window.showInformationMessage = (message: string) => {
      told = message;
      return Promise.resolve(undefined);
    };
  });

  after(async () => {
    vscode.window.showInformationMessage = showInformationMessage;
    await set('prompts.preview', undefined);
  });

  it('is not run before it was published', async () => {
    const text = await invoke({ server: 'everything', prompt: 'simple-prompt' });
    assert.match(text, /has not published this prompt/);
  });

  it('is a skill that the editor finds, which says what to call', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.publishPrompt', row);
    const installed = companion() ?? assert.fail();
    const { contributes } = installed.packageJSON as Manifest;
    assert.deepEqual(contributes.commands, []);
    assert.equal(contributes.chatSkills.length, 1);
    const [path = ''] = await poll('the skill in the editor', 20_000, async () => {
      const paths = await offered();
      return paths.length > 0 ? paths : undefined;
    });
    assert.match(path, /\/skills\/everything-simple-prompt-[0-9a-f]{6}\/SKILL\.md$/);
    assert.match(told, /^Type \/everything-simple-prompt-[0-9a-f]{6} in a chat/);
    const file = vscode.Uri.joinPath(installed.extensionUri, '..', path.split('/').at(-4) ?? '');
    const skill = vscode.Uri.joinPath(file, ...path.split('/').slice(-3));
    const text = await textOnDisk(skill);
    const [, json = ''] = /```json\n(.*)\n```/.exec(text) ?? [];
    assert.match(await invoke(JSON.parse(json) as object), /simple prompt/i);
  });

  it('is gone once it is withdrawn', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.withdrawPrompt', row);
    await until(vscode.extensions.onDidChange, () => companion() === undefined);
    await poll('the end of the skill', 20_000, async () =>
      (await offered()).length === 0 ? true : undefined,
    );
    const text = await invoke({ server: 'everything', prompt: 'simple-prompt' });
    assert.match(text, /has not published this prompt/);
  });
});
