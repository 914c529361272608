import assert from 'node:assert/strict';
import { useWorkbench } from '../support/workbench/journeys';
import { poll } from '../support/poll';
import { within } from '../support/workbench/pageElement';
import { startFromRow } from '../support/workbench/serverSteps';

describe('arguments of prompts', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({
    // Inserted text must stay as it is, without closing brackets.
    settings: {
      'mcpWorkbench.palette': 'off',
      'mcpWorkbench.prompts.preview': 'always',
      'editor.autoClosingBrackets': 'never',
    },
  });

  before('start a server and open a file', async () => {
    const { page } = workbench();
    await startFromRow(workbench(), 'demo', 'Prompts');
    await workbench().openFile('hello.py');
    await workbench().waitForEditorKeyboard();
    await page.keyboard.press('ControlOrMeta+A');
  });

  const runPrompt = async (name: string) => {
    const { quickPick } = workbench();
    await workbench().runCommand('MCP Workbench: Run MCP Prompt…');
    await quickPick.type(name);
    await quickPick.pick(name);
  };

  const replaceText = async (text: string) => {
    const { keyboard } = workbench().page;
    await keyboard.press('ControlOrMeta+A');
    await keyboard.press('Delete');
    await keyboard.insertText(text);
  };

  const untilKeyboardInPick = () =>
    poll('the keyboard in the question', 20_000, async () =>
      (await workbench().quickPick.widget.locator(':focus').count()) > 0 ? true : undefined,
    );

  const untilDraft = (text: string) =>
    poll(`the draft ${text}`, 20_000, async () =>
      (await workbench().chatEditor.draft()) === text ? true : undefined,
    );

  it('a selection of several lines is taken whole, and edited in an editor', async () => {
    const { quickPick, page } = workbench();
    await runPrompt('explain-code');
    await quickPick.waitForTitle('code (1/2)');
    const insert = quickPick.widget.locator('.action-label[aria-label="Insert Selection"]');
    const inserted = quickPick.widget.getByText('lines,');
    await poll('the selection in the box', 60_000, async () => {
      // A click would leave the focus on the button; a box that has just come up may take it away.
      await insert.focus();
      await page.keyboard.press('Enter');
      return (await within(inserted.waitFor({ timeout: 2000 }))) || undefined;
    });
    await workbench().screenshot('prompts-selection');
    await quickPick.waitForKeyboard();
    await quickPick.button('Edit in an Editor');
    assert.match(await workbench().editorText('code.txt'), /def |print/);
    // The question closes and leaves the focus to the editor.
    await quickPick.widget.waitFor({ state: 'hidden' });
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('# the end');
    await page.getByText('Use This Text').first().waitFor();
    await workbench().screenshot('prompts-editor');
    await workbench().answerDocument('code.txt');
    await quickPick.waitForTitle('code (1/2)');
    await quickPick.button('Edit in an Editor');
    assert.match(await workbench().editorText('code.txt'), /# the end/);
    await quickPick.widget.waitFor({ state: 'hidden' });
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText(', and more');
    await page.getByText(', and more').first().waitFor();
    // This editor saves automatically after a while, but what is closed before that is lost.
    await page.keyboard.press('ControlOrMeta+S');
    await page.locator('.part.editor .tab.active.dirty').waitFor({ state: 'hidden' });
    await workbench().closeEditor();
    await quickPick.waitForTitle('code (1/2)');
    await untilKeyboardInPick();
    await page.keyboard.press('Enter');
    await quickPick.waitForTitle('language (2/2)');
    await page.keyboard.press('Enter');
    const preview = await workbench().editorText('explain-code');
    assert.match(preview, /\n {2}# the end, and more/);
    await workbench().closeEditor();
  });

  it('all arguments are given in one document with completion from the schema', async () => {
    const { quickPick, page } = workbench();
    await runPrompt('analyze-project');
    await quickPick.waitForTitle('timeframe (1/2)');
    await quickPick.type('1h');
    await quickPick.button('Edit All Arguments as JSON');
    const given = await workbench().editorText('analyze-project.json');
    assert.match(given, /"timeframe": "1h"/);
    const [schema] = given.match(/"\$schema": "[^"]+"/) ?? [];
    await replaceText(`{ ${schema}, "timeframe": 3 }`);
    await page.locator('.squiggly-warning, .squiggly-error').first().waitFor();
    await workbench().screenshot('prompts-document');
    await workbench().answerInVain('must be a string in quotes');
    await workbench().notification('must be a string in quotes');
    await workbench().hideNotifications();
    await workbench().editorText('analyze-project.json');
    await page.locator('.editor-instance .native-edit-context').first().focus();
    await replaceText('{ "timeframe": "7d", "fileUri": "file:///path/to/code.py" }');
    await workbench().answerDocument('analyze-project.json');
    assert.match(await workbench().editorText('analyze-project.mcp-prompt'), /timeframe = 7d/);
    await workbench().closeEditor();
  });

  it('what was typed is still there after a step back and after going away', async () => {
    const { quickPick } = workbench();
    await runPrompt('explain-code');
    await quickPick.waitForTitle('code (1/2)');
    await quickPick.item('Skip').waitFor({ state: 'hidden' });
    await quickPick.type('x = 1');
    await quickPick.accept();
    await quickPick.waitForTitle('language (2/2)');
    await quickPick.type('pyth');
    await quickPick.dismiss();
    await runPrompt('explain-code');
    await quickPick.waitForTitle('code (1/2)');
    assert.equal(await quickPick.input.inputValue(), 'x = 1');
    await quickPick.accept();
    await quickPick.waitForTitle('language (2/2)');
    assert.equal(await quickPick.input.inputValue(), 'pyth');
    await quickPick.dismiss();
  });

  it('are asked for once, with the keyboard, however the row is clicked', async () => {
    const { quickPick, tree } = workbench();
    await workbench().openView('MCP Workbench');
    const row = await tree.item('demo', 'Prompts', 'greeting');
    for (const delay of [0, 60, 120]) {
      await row.dblclick({ delay });
      await quickPick.waitForTitle('greeting (demo): name');
      await untilKeyboardInPick();
      await quickPick.type('An');
      for (const clickCount of [2, 1]) {
        await row.click({ clickCount, delay });
        await untilKeyboardInPick();
        assert.equal(await quickPick.input.inputValue(), 'An');
      }
      // Any other waiting question would be shown next.
      await quickPick.dismiss();
      await workbench().runCommand('MCP Workbench: Show Waiting Questions');
      await workbench().notification('No question waits for you.');
      await workbench().hideNotifications();
    }
  });

  const waysBack: readonly (readonly [string, () => Promise<unknown>, string])[] = [
    [
      'an editor whose text is used',
      async () => {
        await workbench().quickPick.button('Edit in an Editor');
        await workbench().editorText('name.txt');
        await workbench().quickPick.widget.waitFor({ state: 'hidden' });
        await workbench().page.keyboard.press('ControlOrMeta+End');
        await workbench().page.keyboard.insertText('n');
        await workbench().answerDocument('name.txt');
      },
      'Anna',
    ],
    [
      'an editor that is closed',
      async () => {
        await workbench().quickPick.button('Edit in an Editor');
        await workbench().editorText('name.txt');
        await workbench().closeEditor();
      },
      'Ana',
    ],
    [
      'a list of files that is left',
      async () => {
        const { quickPick } = workbench();
        await quickPick.button('Insert a File…');
        await quickPick.waitForTitle('Insert a File');
        await quickPick.items();
        await workbench().page.keyboard.press('Escape');
      },
      'Ana',
    ],
    [
      'the clipboard',
      async () => {
        await workbench().page.evaluate(`navigator.clipboard.writeText('ton')`);
        await workbench().quickPick.button('Paste from Clipboard');
        await workbench().quickPick.item('Anton').waitFor();
      },
      'Antona',
    ],
    [
      'something else that took its place',
      () => workbench().runCommand('MCP Workbench: Show Waiting Questions'),
      'Ana',
    ],
  ];
  for (const [where, goAndComeBack, expected] of waysBack)
    it(`what is typed stands behind what was there before, back from ${where}`, async () => {
      const { quickPick, page } = workbench();
      await runPrompt('greeting');
      await quickPick.waitForTitle('greeting (demo): name');
      await quickPick.type('An');
      await quickPick.item('An').waitFor();
      await goAndComeBack();
      await quickPick.waitForTitle('greeting (demo): name');
      await quickPick.waitForKeyboard();
      await page.keyboard.type('a');
      await quickPick.item(expected).waitFor();
      assert.equal(await quickPick.input.inputValue(), expected);
      await quickPick.dismiss();
    });

  it('the title of the messages says where they go, the next time what was chosen before', async () => {
    const { page, quickPick } = workbench();
    const inTitle = (label: string) =>
      page.locator('.editor-actions').getByRole('button', { name: new RegExp(`^${label}`) });
    const copied = page.locator('.statusbar').getByText('Copied ');
    const greet = async (name: string) => {
      await runPrompt('greeting');
      await quickPick.waitForTitle('greeting (demo): name');
      await quickPick.type(name);
      await quickPick.accept();
      await workbench().editorText('greeting');
    };
    await greet('Ann');
    await inTitle('Send to @mcp').waitFor();
    await page
      .locator('.codelens-decoration a')
      .filter({ hasText: /^Copy$/ })
      .click();
    await copied.waitFor();
    await copied.waitFor({ state: 'hidden' });
    await greet('Bob');
    await inTitle('Copy Messages').waitFor();
    assert.equal(await inTitle('Send to @mcp').count(), 0);
    await workbench().screenshot('prompts-title-copies');
    await inTitle('Copy Messages').click();
    await copied.waitFor();
  });

  it('a draft for the editor\u2019s own agent comes with what was said before, and leaves what is half-written', async () => {
    const { chat, chatEditor, page } = workbench();
    await chat.focus();
    await replaceText('half a thought');
    await runPrompt('Conversation with a Picture');
    await workbench().editorText('Conversation with a Picture');
    await workbench().screenshot('prompts-conversation');
    await page.getByText('Open in Chat as Draft').click();
    await chatEditor.waitFor('I see it.');
    await chatEditor.waitFor('What shall I look at?');
    await untilDraft('What colour is it?');
    assert.equal(await chat.draft(), 'half a thought');
    // This window's extensions run on a different machine than its chat.
    await workbench().notification('so these are not attached: image-2.png');
    await workbench().screenshot('prompts-draft-turns');
    await workbench().hideNotifications();
  });

  it('a draft for the editor\u2019s own agent has the text to send and the files', async () => {
    const { page } = workbench();
    await runPrompt('Show Media');
    await workbench().editorText('Show Media');
    await page.getByText('Open in Chat as Draft').click();
    await untilDraft('Describe the picture and the sound.');
    for (const name of ['audio-3.wav', 'readme.md'])
      await page.locator('.chat-attached-context').getByText(name).waitFor();
    assert.equal(await workbench().chat.draft(), 'half a thought');
    await workbench().screenshot('prompts-draft');
  });
});
