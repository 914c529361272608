import assert from 'node:assert/strict';
import { useWorkbench } from '../support/workbench/journeys';

describe('in Chinese', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({ language: 'zh-cn' });

  it('a server is started once its command line was read', async () => {
    const { tree, quickPick } = workbench();
    await workbench().openView('MCP Workbench');
    await tree.click('demo', '启动服务器');
    await quickPick.waitForTitle('启动“demo”？');
    await quickPick.widget.getByText('命令行').waitFor();
    await workbench().screenshot('chinese-trust');
    const answer = quickPick.widget.getByText('信任并启动');
    await answer.click();
    await answer.waitFor({ state: 'hidden' });
    await tree.item('demo', '工具');
    await workbench().screenshot('chinese-tree');
  });

  it('a prompt asks its arguments, shows its messages and is answered', async () => {
    const { quickPick, chat, page } = workbench();
    await workbench().runCommand('MCP Workbench: 运行 MCP 提示词…');
    await quickPick.type('explain-code');
    await quickPick.pick('explain-code');
    await quickPick.waitForTitle('explain-code（demo）：code (1/2)');
    await quickPick.type('print("hi")');
    await quickPick.accept();
    await quickPick.waitForTitle('language (2/2)');
    await workbench().screenshot('chinese-argument');
    await quickPick.accept();
    await workbench().editorText('explain-code');
    await page.getByText('在聊天中作为草稿打开').waitFor();
    await workbench().screenshot('chinese-preview');
    await workbench().answerDocument('explain-code.mcp-prompt');
    await chat.waitFor(/You wrote: .*print/);
  });

  it('a resource is found and opened', async () => {
    const { quickPick } = workbench();
    await workbench().runCommand('MCP Workbench: 打开 MCP 资源…');
    await quickPick.type('notes.txt');
    await workbench().screenshot('chinese-resources');
    await quickPick.accept();
    assert.ok((await workbench().editorText('notes.txt')).length > 0);
  });

  it('a call of the model is confirmed and answered with', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":2,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    await workbench().screenshot('chinese-confirm');
    await quickPick.pick('允许一次');
    assert.match(await chat.completed(), /5\.00/);
    await workbench().screenshot('chinese-answer');
  });
});
