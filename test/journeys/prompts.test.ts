import assert from 'node:assert/strict';
import { useWorkbench } from '../support/workbench/journeys';
import { trustAndStart, untilTrustAsked } from '../support/workbench/trustQuestion';
import { gone } from './palette';

describe('prompts', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({ theme: 'dark', trusted: ['everything', 'filesystem'] });

  it('the list of prompts comes back with those of a server that was started from it and had to be trusted', async () => {
    const { quickPick } = workbench();
    await workbench().runCommand('MCP Workbench: Run MCP Prompt…');
    await quickPick.type('Start demo');
    await quickPick.pick('Start demo');
    await untilTrustAsked(workbench(), 'demo');
    await trustAndStart(workbench());
    await quickPick.waitForTitle('Run MCP Prompt');
    await quickPick.item('explain-code').waitFor();
    // Enter selects the first row, as in a newly opened list.
    await quickPick.waitForActive('greeting');
    await workbench().screenshot('prompts-back');
    await quickPick.dismiss();
  });

  it('prompts are offered to the palette when a server first has some', async () => {
    const { page } = workbench();
    await workbench().notification('Add the prompts of your servers to the Command Palette?');
    await workbench().screenshot('prompts-offer');
    await workbench().button('Add').click();
    await page.locator('.statusbar').getByText('Prompts are in the Command Palette').waitFor();
    await workbench().runCommand('demo: Show Media');
    await workbench().editorText('Show Media');
    await page.getByText('Open audio-3.wav').waitFor();
    await workbench().screenshot('prompts-media');
    await workbench().closeEditor();
  });

  it('the first entry of the palette for a prompt is ours, not the editor’s own', async () => {
    const { quickPick, page } = workbench();
    await page.keyboard.press('F1');
    await quickPick.type('>run mcp prompt');
    await quickPick.waitForActive('MCP Workbench: Run MCP Prompt…');
    await page.keyboard.press('Enter');
    await quickPick.waitForTitle('Run MCP Prompt');
    await quickPick.item('explain-code').waitFor();
    await quickPick.dismiss();
  });

  it('a prompt is picked, its argument asked, and the chat answers', async () => {
    const { quickPick, chat } = workbench();
    await workbench().runCommand('MCP Workbench: Run MCP Prompt…');
    await quickPick.type('explain-code');
    // Until then, the rows move.
    await quickPick.waitForActive('explain-code');
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
    await workbench().answerDocument('explain-code.mcp-prompt');
    await chat.waitFor(/You wrote: .*print/);
    await workbench().screenshot('prompts-chat');
  });

  it('a second run leaves a half-written message and its files where they are', async () => {
    const { chat, tree, page } = workbench();
    const files = '.chat-attached-context-attachment:not(.implicit)';
    const attached = page.locator('.part.auxiliarybar').locator(files);
    await workbench().openView('MCP Workbench');
    await tree.menu('Attach to Chat', 'demo', 'Resources', 'demo://', 'A Plain Text');
    await attached.waitFor();
    await chat.focus();
    await page.keyboard.insertText('half a thought');
    await workbench().runCommand('demo: greeting');
    await workbench().quickPick.waitForTitle('greeting (demo): name');
    await workbench().quickPick.type('Eve');
    await workbench().quickPick.accept();
    await workbench().editorText('greeting');
    const title = page.locator('.editor-actions');
    await title.getByRole('button', { name: /^Send to @mcp/ }).waitFor();
    await workbench().screenshot('prompts-half-written');
    await title.getByRole('button', { name: /^Send to @mcp/ }).click();
    await chat.waitFor(/I said: [^]*Eve/);
    assert.doesNotMatch(await chat.completed(), /What “/);
    assert.equal(await chat.draft(), '@mcp half a thought');
    assert.equal(await attached.count(), 1);
    await workbench().screenshot('prompts-draft-kept');

    // A draft does not include what is attached in the chat view either.
    await tree.click('everything', 'Prompts', 'Simple Prompt');
    await workbench().editorText('Simple Prompt');
    await page.getByText('Open in Chat as Draft').click();
    const draft = page.locator('.part.editor .interactive-input-editor');
    await draft.filter({ hasText: 'a simple prompt' }).waitFor();
    assert.equal(await page.locator('.part.editor').locator(files).count(), 0);
    assert.equal(await attached.count(), 1);
    assert.equal(await chat.draft(), '@mcp half a thought');
    await workbench().closeEditor();
    await chat.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
  });

  it('what the model cannot be given is named in the chat and opens from there', async () => {
    const { chat, page } = workbench();
    await workbench().runCommand('demo: Show Media');
    await workbench().editorText('Show Media');
    await workbench().answerDocument('Show Media.mcp-prompt');
    await chat.waitFor('Not sent to the model: audio (audio/wav, 844 B)');
    // The chat has scrolled to the end of the answer, so a real click could miss it.
    await chat.items.getByText('audio-3.wav').dispatchEvent('click');
    await page.locator('.part.editor .tab.active').getByText('audio-3.wav').waitFor();
    await workbench().screenshot('prompts-left-out');
    await workbench().closeEditor();
  });

  it('a prompt has an entry of its own in the palette, completes arguments and shows its messages', async () => {
    const { quickPick, chat } = workbench();
    await workbench().runCommand('demo: Completing Arguments');
    await quickPick.waitForTitle('language (1/5)');
    await quickPick.type('py');
    await quickPick.item('go').waitFor({ state: 'hidden' });
    await quickPick.pick('python');
    await quickPick.waitForTitle('framework (2/5)');
    await quickPick.item('django').waitFor();
    await workbench().screenshot('prompts-completion');
    const offered = (await quickPick.items()).map(({ label }) => label);
    const known = ['django', 'fastapi', 'flask'];
    assert.deepEqual(offered, ['Skip', 'Skip the Rest and Run', ...known]);
    await quickPick.pick('django');
    await quickPick.waitForTitle('item (3/5)');
    await quickPick.widget.locator('.codicon-quick-input-back').click();
    await quickPick.waitForTitle('framework (2/5)');
    assert.equal(await quickPick.input.inputValue(), 'django');
    await quickPick.accept();
    for (const step of ['item (3/5)', 'flaky (4/5)', 'racing (5/5)']) {
      await quickPick.waitForTitle(step);
      if (step.startsWith('flaky')) await quickPick.widget.getByText('No suggestions: ').waitFor();
      await quickPick.pick('Skip');
    }
    const preview = await workbench().editorText('Completing Arguments');
    assert.match(preview, /^Completing Arguments — demo\nArguments\n {2}language = python\n/);
    await workbench().answerDocument('Completing Arguments.mcp-prompt');
    await chat.waitFor(/"language\\*":\\*"python\\*",\\*"framework\\*":\\*"django/);
  });

  it('a prompt that the server adds appears in the palette without a reload, and goes with it', async () => {
    const { quickPick, chat } = workbench();
    await chat.send('@mcp call add_prompt {"name":"fresh","title":"Freshly Added"}');
    await quickPick.waitForTitle('demo › ');
    await quickPick.pick('Allow Once');
    await chat.completed();
    await workbench().runCommand('demo: Freshly Added');
    await workbench().editorText('Freshly Added');
    await workbench().screenshot('prompts-added');
    await workbench().answerDocument('Freshly Added.mcp-prompt');
    await chat.waitFor(/You wrote: [^]*This is the prompt fresh/);
    await chat.send('@mcp call remove_prompt {"name":"fresh"}');
    await quickPick.waitForTitle('demo › ');
    await quickPick.pick('Allow Once');
    await chat.completed();
    await gone(workbench(), 'demo: Freshly Added');
  });
});
