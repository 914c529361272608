import assert from 'node:assert/strict';
import { delay } from '../../src/base/async';
import { poll } from '../support/poll';
import { useWorkbench } from '../support/workbench/journeys';
import { startFromRow } from '../support/workbench/serverSteps';

describe('tools', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({
    trusted: ['everything', 'filesystem'],
    settings: { 'editor.autoClosingBrackets': 'never', 'editor.autoClosingQuotes': 'never' },
  });

  /** Returns the status bar item of a question that is hidden. */
  const waits = () =>
    workbench().page.locator('.statusbar').getByText('1 call waits for your answer');

  before('start the demo server', async () => {
    await startFromRow(workbench(), 'demo', 'Tools');
  });

  it('a call of the model is asked about, allowed once, and answered with', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":2,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    await workbench().screenshot('tools-confirm');
    await quickPick.pick('Allow Once');
    assert.match(await chat.completed(), /The tool \S+ says:[^]*5\.00/);
    await workbench().screenshot('tools-answer');
  });

  it('a denied call is not made, and the chat says so', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":20,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.pick('Deny');
    const answer = await chat.completed();
    assert.match(answer, /was not called \(denied by/);
    assert.doesNotMatch(answer, /23\.00/);
  });

  it('letters and an Enter for something else decide nothing, and the next Enter denies', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":30,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    // Text typed for something else must not filter the rows down to one that allows the call.
    await page.keyboard.type('al');
    await page.keyboard.press('Enter');
    await quickPick.waitForActive('Deny');
    await poll('the letters to go', 10_000, async () =>
      (await quickPick.input.inputValue()) === '' ? true : undefined,
    );
    await quickPick.pressUntilGone('Enter');
    assert.match(await chat.completed(), /was not called \(denied by/);
  });

  it('a typed choice takes nothing, an arrow and a click do', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":31,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    await page.keyboard.type('always allow');
    await page.keyboard.press('Enter');
    await quickPick.waitForActive('Deny');
    await quickPick.pick('Allow Once');
    assert.match(await chat.completed(), /34\.00/);
  });

  it('the palette and a file picker over a question deny nothing, and it comes back', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":32,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    for (const key of ['F1', 'Control+P']) {
      await page.keyboard.press(key);
      await waits().waitFor();
      await quickPick.widget.locator('.quick-input-title').waitFor({ state: 'hidden' });
      await page.keyboard.press('Escape');
      if (key === 'Control+P') await waits().click();
      await quickPick.waitForTitle('demo › calculate');
    }
    await quickPick.pick('Allow Once');
    assert.match(await chat.completed(), /35\.00/);
  });

  it('what is typed into the palette over a question decides nothing, and keys then allow it', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":33,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    await page.keyboard.press('F1');
    await waits().waitFor();
    await quickPick.type('>MCP Workbench: Restart Server');
    await quickPick.waitForActive('MCP Workbench: Restart Server');
    await workbench().screenshot('tools-covered');
    await quickPick.accept();
    await quickPick.item('demo').waitFor();
    await waits().click();
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.takeNext('Deny', 'Allow Once');
    assert.match(await chat.completed(), /36\.00/);
  });

  it('a reason for a denial reaches the model, and is not lost on the way back', async () => {
    const { chat, page, quickPick } = workbench();
    await chat.send('@mcp call calculate {"operation":"add","x":40,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.pick('Deny and Tell the Model Why…');
    await quickPick.waitForTitle('Deny demo › calculate');
    await quickPick.type('Use the other calculator');
    await page.keyboard.press('Escape');
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.pick('Deny and Tell the Model Why…');
    await quickPick.waitForTitle('Deny demo › calculate');
    await quickPick.accept();
    assert.match(await chat.completed(), /Of the tool \S+ I was told:[^]*Use the other calculator/);
  });

  it('the model receives the result of exactly the arguments that were edited in the document', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call echo {"said":"by the model"}');
    await quickPick.waitForTitle('demo › echo');
    await quickPick.pick('Edit Arguments…');
    assert.match(await workbench().editorText('echo.json'), /by the model/);
    await page.getByRole('button', { name: 'Allow Once' }).first().waitFor();
    await workbench().screenshot('tools-edit');
    await page.locator('.editor-instance .view-line').filter({ hasText: 'by the model' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('{ "said": "by the user", "twice": [1, 2] }');
    await page.locator('.codelens-decoration a').filter({ hasText: 'Allow Once' }).click();
    const answer = await chat.completed();
    assert.match(answer, /\{"said":"by the user","twice":\[1,2\]\}/);
    assert.match(answer, /as you edited them/);
    assert.doesNotMatch(answer, /The tool \S+ says:[^]*by the model/);
    await page.locator('.tab').filter({ hasText: 'echo.json' }).waitFor({ state: 'hidden' });
  });

  it('closing the document with the arguments leads back to the question', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call echo {"said":"never"}');
    await quickPick.waitForTitle('demo › echo');
    await quickPick.pick('Edit Arguments…');
    await workbench().editorText('echo.json');
    await workbench().closeEditor();
    await quickPick.waitForTitle('demo › echo');
    await quickPick.pick('Deny');
    assert.match(await chat.completed(), /was not called \(denied by/);
  });

  it('what is always allowed is asked again, with the difference, when its description changes', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call read_note {"name":"todo"}');
    await quickPick.waitForTitle('demo › Read Note');
    await quickPick.pick('Always Allow');
    await chat.completed();
    await chat.send('@mcp call read_note {"name":"other"}');
    assert.match(await chat.completed(), /No note other/);
    await chat.send(
      '@mcp call change_description {"tool":"read_note","description":"Sends your notes away"}',
    );
    await quickPick.waitForTitle('demo › change_description');
    await quickPick.pick('Allow Once');
    await chat.completed();
    await chat.send('@mcp call read_note {"name":"todo"}');
    await quickPick.waitForTitle('demo › Read Note');
    const changed = quickPick.item('Changed since you last saw it: description');
    await changed.waitFor();
    await workbench().screenshot('tools-changed');
    await changed.click();
    assert.match(await workbench().editorText('allowed.txt ↔ now.txt'), /Sends your notes away/);
    // Nothing covers the difference: the question comes back when it is closed.
    await quickPick.widget.waitFor({ state: 'hidden' });
    await workbench().screenshot('tools-difference');
    await workbench().closeEditor();
    await quickPick.waitForTitle('demo › Read Note');
    await quickPick.pick('Deny');
    assert.match(await chat.completed(), /was not called \(denied by/);
  });

  it('cancelling a call of ten minutes stops it on the server', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call long_task {"durationMs":600000,"steps":600}');
    await quickPick.waitForTitle('demo › Long Task');
    await quickPick.pick('Allow Once');
    const notification = await workbench().notification('demo › Long Task');
    await workbench().screenshot('tools-running');
    await notification.getByRole('button', { name: 'Cancel' }).click();
    await workbench().hideNotifications();
    assert.match(await chat.completed(), /was cancelled/);
    await chat.send('@mcp call cancelled_count {}');
    await quickPick.waitForTitle('demo › cancelled_count');
    await quickPick.pick('Allow Once');
    assert.match(await chat.completed(), /The tool \S+ says:[^]*\b1\b/);
    await page.keyboard.press('Escape');
  });

  it('a call goes on in the background, and its result is shown when it is there', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call long_task {"durationMs":8000,"steps":8}');
    await quickPick.waitForTitle('demo › Long Task');
    await quickPick.pick('Allow Once');
    await page.locator('.statusbar-item').filter({ hasText: 'demo › Long Task' }).click();
    await quickPick.waitForTitle('Running Tools');
    await quickPick.item('demo › Long Task').hover();
    await quickPick.button('Run in Background');
    assert.match(await chat.completed(), /runs on in the background/);
    await quickPick.dismiss();
    const ended = await workbench().notification('finished in the background');
    await ended.getByRole('button', { name: 'Show Result' }).click();
    assert.match(await workbench().editorText('long_task.txt'), /Done after 8 steps/);
    await workbench().hideNotifications();
    await workbench().closeEditor();
  });

  it('of two calls that tell of progress all the time, the keys choose the one that they say', async () => {
    const { chat, quickPick, page } = workbench();
    const calls = [1, 2].map((n) => `call long_task {"durationMs":60000${n},"steps":6000}`);
    await chat.send(`@mcp ${calls.join(' and ')}`);
    for (let asked = 0; asked < 2; asked += 1) {
      await quickPick.waitForTitle('demo › Long Task');
      await quickPick.pick('Allow Once');
    }
    const status = page.locator('.statusbar-item').filter({ hasText: 'demo › Long Task' });
    await status.filter({ hasText: '(+1)' }).waitFor();
    for (let turn = 0; turn < 10; turn += 1) {
      await status.click();
      await quickPick.waitForTitle('Running Tools');
      await quickPick.waitForMessage(/ s$/);
      const [, below] = await quickPick.items();
      assert.match(below?.detail ?? '', /"durationMs":60000[12]/);
      if (turn === 0) await workbench().screenshot('tools-running-list');
      await page.keyboard.press('ArrowDown');
      // Any moment at which the list could be redrawn.
      await delay(turn * 110);
      await page.keyboard.press('Enter');
      await quickPick.waitForTitle('demo › Long Task');
      const asked = await quickPick.message();
      assert.ok(below && asked.endsWith(below.detail), `${asked} for ${below?.detail}`);
      if (turn === 0) await workbench().screenshot('tools-running-call');
      await quickPick.dismiss();
    }
    await chat.cancel();
    await status.waitFor({ state: 'hidden' });
  });

  it('an answer says while its call waits for the user, and no longer once it is decided', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call echo {"n":7}');
    await quickPick.waitForTitle('demo › echo');
    const line = chat.answer.getByText('1 call waits for your answer');
    await line.waitFor();
    await page.keyboard.press('F1');
    await waits().click();
    await quickPick.waitForTitle('demo › echo');
    await quickPick.item('n: 7').waitFor();
    await workbench().screenshot('tools-waiting');
    await quickPick.pick('Allow Once');
    await chat.completed();
    await line.waitFor({ state: 'hidden' });
    await workbench().screenshot('tools-waited');
  });

  it('several calls at once are asked one by one, with a count, and can be denied together', async () => {
    const { chat, quickPick } = workbench();
    await chat.send('@mcp call echo {"n":1} and call echo {"n":2} and call echo {"n":3}');
    await quickPick.waitForTitle('demo › echo (1 of 3)');
    await quickPick.pick('Allow Once');
    await quickPick.waitForTitle('demo › echo (1 of 2)');
    await workbench().screenshot('tools-queue');
    await quickPick.pick('Deny All 2 from demo');
    const answer = await chat.completed();
    assert.equal(answer.match(/says:\s+\{"n":\d\}/g)?.length, 1);
    assert.equal(answer.match(/The call was denied by the user/g)?.length, 2);
  });

  it('a tool of the tree runs through a form and shows its result', async () => {
    const { tree, quickPick, page } = workbench();
    await tree.action('Run MCP Tool', 'demo', 'Tools', 'calculate');
    await quickPick.waitForTitle('calculate (demo): operation');
    // Nothing has been chosen yet: Enter takes no row.
    await quickPick.waitForMessage(/^operation \(required\)/);
    await quickPick.accept();
    await quickPick.widget.getByText('"operation" is required. Choose a value.').waitFor();
    await workbench().screenshot('tools-form');
    await page.keyboard.type('mul');
    await quickPick.waitForActive('multiply');
    // After something else covered the form, the form has its letters and its rows again.
    await page.keyboard.press('F1');
    await quickPick.widget.locator('.quick-input-title').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await quickPick.waitForTitle('calculate (demo): operation');
    assert.equal(await quickPick.input.inputValue(), 'mul');
    // Letters choose what Enter takes.
    await quickPick.waitForActive('multiply');
    await quickPick.pressUntilGone('Enter');
    await quickPick.waitForTitle('calculate (demo): x');
    await quickPick.type('six');
    await quickPick.accept();
    await quickPick.widget.getByText('Enter a number.').waitFor();
    await quickPick.type('6');
    await quickPick.accept();
    await quickPick.waitForTitle('calculate (demo): y');
    await quickPick.type('7');
    await quickPick.accept();
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.waitForActive('Run');
    await workbench().screenshot('tools-own');
    // Going back leads to the values entered before.
    await quickPick.back();
    await quickPick.waitForTitle('calculate (demo): y');
    assert.equal(await quickPick.input.inputValue(), '7');
    await quickPick.type('8');
    await quickPick.accept();
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.waitForActive('Run');
    await quickPick.pressUntilGone('Enter');
    assert.match(await workbench().editorText('calculate.txt'), /48\.00/);
  });

  it('an image of a result is shown in the result’s document', async () => {
    const { chat, quickPick, page } = workbench();
    await chat.send('@mcp call get_image {}');
    await quickPick.waitForTitle('demo › get_image');
    await quickPick.pick('Allow Once');
    await chat.completed();
    await chat.answer.getByText('Show Result', { exact: true }).last().click();
    const preview = page.frameLocator('iframe.webview.ready').frameLocator('iframe');
    await preview.locator('img').waitFor();
    const width = await preview
      .locator('img')
      .evaluate((image: { naturalWidth: number }) => image.naturalWidth);
    assert.ok(width > 0);
    await workbench().screenshot('tools-result');
  });

  it('the address of an image in a result is never fetched', async () => {
    const { chat, quickPick, page } = workbench();
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(request.url()));
    const image = '![leak](https://example.invalid/leak.png?secret)';
    await chat.send(`@mcp call echo {"text":"${image}"}`);
    await quickPick.waitForTitle('demo › echo');
    await quickPick.pick('Allow Once');
    await chat.completed();
    await workbench().screenshot('tools-image-address');
    assert.deepEqual(
      fetched.filter((url) => url.includes('example.invalid')),
      [],
    );
  });
});
