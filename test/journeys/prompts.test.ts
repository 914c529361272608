import assert from 'node:assert/strict';
import { useWorkbench } from '../support/journeys';

describe('prompts', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({ theme: 'dark' });

  before('start the servers', async () => {
    const { tree } = workbench();
    await workbench().openView('MCP Workbench');
    await (await tree.item('demo', 'Start Server')).click();
    await tree.item('demo', 'Prompts');
  });

  it('a prompt is picked, its argument asked, and the chat answers', async () => {
    const { quickPick, chat } = workbench();
    await workbench().runCommand('MCP Workbench: Run Prompt…');
    await quickPick.type('explain-code');
    await workbench().screenshot('prompts-pick');
    await quickPick.pick('explain-code');
    await quickPick.waitForTitle('explain-code (demo): code (1/2)');
    await quickPick.type('print("hi")');
    await quickPick.accept();
    await quickPick.waitForTitle('language (2/2)');
    await quickPick.accept();
    await workbench().editorText('explain-code');
    await workbench().page.getByText('Open in Chat as Draft').waitFor();
    await workbench().screenshot('prompts-preview');
    await workbench().page.keyboard.press('ControlOrMeta+Enter');
    await chat.waitFor(/Demo model heard .*print/);
    await workbench().screenshot('prompts-chat');
  });

  it('a prompt has an entry of its own in the palette, completes arguments and shows its messages', async () => {
    const { quickPick, chat } = workbench();
    await workbench().runCommand('MCP Workbench: Add Prompts to Command Palette');
    await workbench().runCommand('demo: Completing Arguments');
    await quickPick.waitForTitle('language (1/5)');
    await quickPick.type('py');
    await quickPick.item('go').waitFor({ state: 'hidden' });
    await quickPick.pick('python');
    await quickPick.waitForTitle('framework (2/5)');
    await quickPick.item('django').waitFor();
    await workbench().screenshot('prompts-completion');
    const offered = (await quickPick.items()).map(({ label }) => label);
    assert.deepEqual(offered, ['Leave out', 'django', 'fastapi', 'flask']);
    await quickPick.pick('django');
    await quickPick.waitForTitle('item (3/5)');
    await quickPick.widget.locator('.codicon-quick-input-back').click();
    await quickPick.waitForTitle('framework (2/5)');
    assert.equal(await quickPick.input.inputValue(), 'django');
    await quickPick.accept();
    for (const step of ['item (3/5)', 'flaky (4/5)', 'racing (5/5)']) {
      await quickPick.waitForTitle(step);
      await quickPick.pick('Leave out');
    }
    const preview = await workbench().editorText('Completing Arguments');
    assert.match(preview, /^Completing Arguments — demo\nArguments\n {2}language = python\n/);
    await workbench().page.keyboard.press('ControlOrMeta+Enter');
    await chat.waitFor(/"language\\*":\\*"python\\*",\\*"framework\\*":\\*"django/);
  });
});
