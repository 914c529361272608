import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  appFrame,
  appPage,
  appSays,
  configureApps,
  runFromRow,
  tabOf,
} from '../support/workbench/apps';
import { exactly } from '../support/workbench/pageElement';
import { poll } from '../support/poll';
import { useWorkbench } from '../support/workbench/journeys';
import { startFromRow } from '../support/workbench/serverSteps';

describe('apps of servers', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({ prepare: (workspace) => configureApps(workspace) });
  const press = (button: string) =>
    appFrame(workbench()).getByRole('button', { name: button, exact: true }).click();

  /** Checks that an app that imitates the extension cannot cover the line above it, which says whose app it is. */
  const asksInVain = async (mode: string) => {
    const [app, page] = [appFrame(workbench()), appPage(workbench())];
    await appSays(app, 'mode', mode);
    await press('Dialog');
    await app.getByRole('heading', { name: 'MCP Workbench: Trust and Start?' }).waitFor();
    await appSays(app, 'said', 'asked as the extension, with nothing else');
    const webview = workbench().page.locator('iframe.webview.ready:visible').last();
    const [tab, shown] = [await boxOf(webview.locator('..')), await boxOf(webview)];
    assert.deepEqual([shown.x, shown.y], [tab.x, tab.y]);
    const line = page.locator('header');
    const [above, below] = [await boxOf(line), await boxOf(page.locator('iframe'))];
    assert.deepEqual([above.x, above.y, above.width], [tab.x, tab.y, tab.width]);
    assert.ok(above.height > 10 && below.y >= above.y + above.height, JSON.stringify(above));
    assert.ok(below.y + below.height <= tab.y + tab.height, JSON.stringify([tab, below]));
    // A trial click fails if something covers the line, in whichever frame that is.
    await line.getByText('App of apps').click({ trial: true });
    await workbench().screenshot(`apps-dialog-${mode}`);
    await app.getByRole('button', { name: 'Cancel' }).click();
  };

  before('start the server', () => startFromRow(workbench(), 'apps', 'Tools', 'probe'));

  it('a tool run from its row opens its app once the user allows it, with what it can reach', async () => {
    const { quickPick } = workbench();
    await runFromRow(workbench(), 'apps', 'probe');
    await quickPick.waitForTitle('apps › probe');
    await quickPick.pick('Run');
    await quickPick.waitForTitle('App of apps');
    await workbench().screenshot('apps-question');
    const rows = await quickPick.items();
    const labels = rows.map(({ label }) => label);
    const site = rows.find(({ label }) => label === 'https://api.example.com');
    assert.equal(site?.description, 'example.com');
    assert.ok(labels.includes("'self' ; script-src *"), labels.join('\n'));
    assert.ok(labels.includes('Camera: not allowed'), labels.join('\n'));
    await quickPick.pick('Open App');
    const app = appFrame(workbench());
    await appSays(app, 'input', '{}');
    await appSays(app, 'result', 'probe {}');
    await appSays(app, 'theme', 'light');
    await appSays(app, 'mode', 'inline');
    await appPage(workbench()).locator('header').getByText('App of apps').waitFor();
    assert.equal(await appPage(workbench()).locator('iframe').getAttribute('title'), 'App of apps');
  });

  it('an app reaches nothing outside of its tab', async () => {
    const app = appFrame(workbench());
    await app.locator('#probes[data-done]').waitFor();
    await workbench().screenshot('apps-probe');
    const probes = await app.locator('#probes li').allInnerTexts();
    assert.equal(probes.length, 62, probes.join('\n'));
    assert.deepEqual(
      probes.filter((text) => !/: blocked/.test(text)),
      [],
    );
    assert.match(workbench().page.url(), /^http:\/\/127\.0\.0\.1/);
  });

  it('an app that asks as the extension does stays below the line that says whose it is', () =>
    asksInVain('inline'));

  it('a call of an app is asked about as its own, and a denial is told to the app', async () => {
    const { quickPick } = workbench();
    await press('Count');
    await quickPick.waitForTitle('apps › count');
    await workbench().screenshot('apps-call');
    const labels = (await quickPick.items()).map(({ label }) => label);
    assert.ok(labels.includes('An app of this server wants to run it'), labels.join('\n'));
    await quickPick.pick('Deny');
    await appSays(appFrame(workbench()), 'said', 'error -32000: The user denied the call.');
    await press('Count');
    await quickPick.waitForTitle('apps › count');
    await quickPick.pick('Allow for This Session');
    await appSays(appFrame(workbench()), 'said', '"count 1"');
    await press('Count');
    await appSays(appFrame(workbench()), 'said', '"count 2"');
  });

  it('an app may call neither what is for models nor what its server does not have', async () => {
    const app = appFrame(workbench());
    await press('For Models');
    await appSays(app, 'said', 'error -32000: The tool "for_models" is not for apps.');
    await press('Unknown Tool');
    await appSays(app, 'said', 'error -32000: The server has no tool "calculate".');
  });

  it('an app reads resources of its server, and forges nothing', async () => {
    const app = appFrame(workbench());
    await press('Read');
    await appSays(app, 'said', '"data of the server"');
    await press('Forge');
    await appSays(app, 'said', '{}');
    await appSays(app, 'input', '{}');
  });

  it('an app has no call without an answer, and so many in a minute', async () => {
    const { quickPick } = workbench();
    await press('Many Calls');
    await quickPick.waitForTitle(/apps › quick/);
    await quickPick.pick('Always Allow');
    // That answer also covers the calls that were waiting.
    const said = appFrame(workbench()).locator('#said');
    await said.filter({ hasText: /^refused/ }).waitFor();
    assert.match(
      await said.innerText(),
      /^refused \d+: (Too many requests wait|More than 30 calls a minute)/,
    );
  });

  it('a page that an app names is opened by the user or not at all', async () => {
    const { quickPick } = workbench();
    const app = appFrame(workbench());
    await press('Link');
    await quickPick.waitForTitle(/apps asks/);
    await workbench().screenshot('apps-link');
    await quickPick.pick('Decline');
    await appSays(app, 'said', 'error -32000: The user did not open the page.');
    await press('Bad Link');
    await appSays(app, 'said', 'error -32000: The address is not an https: URL.');
  });

  it('a message of an app becomes a draft, without commands and mentions', async () => {
    const { quickPick, chat, chatEditor, page } = workbench();
    await chat.focus();
    await page.keyboard.insertText('half a thought');
    await press('Message');
    await quickPick.waitForTitle('An app of apps wrote a message');
    await workbench().screenshot('apps-message');
    await quickPick.pick('Put in Chat');
    await poll(
      'the draft',
      20_000,
      async () =>
        /^Say hello to @ workspace and \/\s+clear it$/.test(await chatEditor.draft()) || undefined,
    );
    assert.equal(await chat.draft(), 'half a thought');
    await workbench().screenshot('apps-draft');
    const tab = page.locator('.part.editor .tab[aria-label^="Chat"]');
    await tab.locator('.tab-actions .action-label').click();
    await tab.waitFor({ state: 'hidden' });
    await appSays(appFrame(workbench()), 'said', '{}');
  });

  it('an app leaves the keyboard to who types beside it, whatever it asks for', async () => {
    const { page, quickPick } = workbench();
    const app = appFrame(workbench());
    await workbench().runCommand('File: New Untitled Text File');
    await workbench().runCommand('View: Move Editor into Next Group');
    const lines = page.locator('.editor-group-container.active .editor-instance .view-lines');
    await lines.click();
    let typed = '';
    const type = async (text: string) => {
      for (const letter of text) await page.keyboard.press(letter);
      typed += text;
      await lines.filter({ hasText: exactly(typed) }).waitFor();
    };
    const attached = page
      .locator('.interactive-input-part .chat-attached-context-attachment')
      .filter({ hasText: 'apps app.txt' });
    for (const button of ['Context', 'Message', 'Link']) {
      await type('word');
      // An event that no pointer causes leaves the keyboard where it is.
      await app.getByRole('button', { name: button, exact: true }).dispatchEvent('click');
      await type('inthemiddle');
      assert.equal(await attached.count(), 0);
      assert.equal(await quickPick.widget.isVisible(), false);
    }
    await workbench().screenshot('apps-typed');
    // All of it comes up in the next pause.
    await quickPick.waitForTitle('An app of apps wrote a message');
    await quickPick.pick('Decline');
    await quickPick.waitForTitle(/apps asks/);
    await quickPick.pick('Decline');
    await attached.waitFor();
    await lines.filter({ hasText: exactly(typed) }).waitFor();
    await workbench().runCommand('View: Revert and Close Editor');
  });

  it('what an app wants models to know is attached, and says whose words it is', async () => {
    const { chat, page } = workbench();
    const app = appFrame(workbench());
    const attached = page
      .locator('.interactive-input-part .chat-attached-context-attachment')
      .filter({ hasText: 'apps app.txt' });
    await press('Context');
    await attached.waitFor();
    await appSays(app, 'said', 'slider 8');
    // Attaching has moved the focus to the chat, where the next key would go.
    await app.locator('button:focus').filter({ hasText: 'Context' }).waitFor();
    await workbench().screenshot('apps-context');
    await chat.send('@mcp what is attached?');
    const words = 'Written by the app ui://probe/view';
    assert.equal((await chat.completed()).split(words).length, 2);
    await attached.waitFor();
    assert.equal(await chat.isFocused(), true);
    await press('Context');
    await appSays(app, 'said', 'slider 9');
    await chat.send('@mcp what is attached now?');
    const answer = await chat.completed();
    assert.equal(answer.split(words).length, 2);
    assert.match(answer, /the slider is at 9/);
    await attached.waitFor();
    await attached.press('Delete');
    await attached.waitFor({ state: 'hidden' });
    await press('Context');
    await appSays(app, 'said', 'slider 10');
    assert.equal(await attached.count(), 0);
  });

  it('an app follows the theme, and fills the tab where it asks to', async () => {
    const app = appFrame(workbench());
    await press('Fullscreen');
    await appSays(app, 'said', '{"mode":"fullscreen"}');
    await appSays(app, 'mode', 'fullscreen');
    await asksInVain('fullscreen');
    await appSays(app, 'prefers', 'light');
    await workbench().runCommand('Preferences: Toggle between Light/Dark Themes');
    await appSays(app, 'theme', 'dark');
    await appSays(app, 'prefers', 'dark');
    await workbench().screenshot('apps-dark');
    await workbench().runCommand('Preferences: Toggle between Light/Dark Themes');
    await appSays(app, 'theme', 'light');
    await appSays(app, 'prefers', 'light');
  });

  it('the keyboard goes into an app with Tab, and out with Tab and Escape', async () => {
    const { keyboard } = workbench().page;
    const [app, page] = [appFrame(workbench()), appPage(workbench())];
    await app.getByText('A Probe of the Sandbox').click();
    await keyboard.press('Escape');
    await page.locator('header:focus').waitFor();
    await page.getByText('Tab enters the app, Escape leaves it').waitFor();
    await workbench().screenshot('apps-keyboard');
    await keyboard.press('Tab');
    await app.locator('#count:focus').waitFor();
    await keyboard.press('Shift+Tab');
    await page.locator('header:focus').waitFor();
    await keyboard.press('Shift+Tab');
    await page.locator('header:not(:focus)').waitFor();
    await keyboard.press('Tab');
    await page.locator('header:focus').waitFor();
    await app.getByRole('button', { name: 'Close' }).focus();
    await keyboard.press('Tab');
    await app.locator('body:not(:has(button:focus))').waitFor();
  });

  for (const from of ['the app', 'its line'])
    it(`F6 leads out of ${from} to the status bar, and around to the app's line`, async () => {
      const { page } = workbench();
      await appFrame(workbench()).getByRole('button', { name: 'Count' }).focus();
      if (from === 'its line') {
        await page.keyboard.press('Escape');
        await appPage(workbench()).locator('header:focus').waitFor();
      }
      for (const part of ['statusbar', 'activitybar', 'sidebar']) {
        await page.keyboard.press('F6');
        await page.locator(`.part.${part}:focus, .part.${part} :focus`).waitFor();
      }
      await page.keyboard.press('F6');
      await appPage(workbench()).locator('header:focus').waitFor();
    });

  for (const [what, button, notice] of [
    ['floods', 'Flood', 'The app was stopped: it sent too many messages.'],
    ['sends a form', 'Form', 'The app was stopped: it tried to leave its tab.'],
    ['leaves its tab', 'Leave', 'The app was stopped: it tried to leave its tab.'],
  ] as const)
    it(`an app that ${what} is stopped, and can be reloaded for the same call`, async () => {
      await press(button);
      await appPage(workbench()).getByText(notice).waitFor();
      await workbench().runCommand('MCP Workbench: Reload App');
      await appSays(appFrame(workbench()), 'result', 'probe {}');
    });

  it('an app in an endless loop leaves the window usable, and can be stopped', async () => {
    // A real click would wait for the frame, which no longer responds.
    await appFrame(workbench())
      .getByRole('button', { name: 'Loop' })
      .evaluate((button: { click(): void }) => void setTimeout(() => button.click(), 100));
    await workbench().page.locator('.title .action-label[aria-label^="Stop App"]').click();
    await appPage(workbench()).getByText('The app is stopped.').waitFor();
    await workbench().screenshot('apps-stopped');
    await workbench().runCommand('MCP Workbench: Reload App');
    await appSays(appFrame(workbench()), 'result', 'probe {}');
  });

  it('an app that has changed is shown with its difference before it runs again', async () => {
    const { quickPick, page, tree } = workbench();
    await tree.click('apps', 'Tools', 'change');
    await quickPick.waitForTitle('apps › change');
    await quickPick.pick('Run');
    await workbench().editorText('change.txt');
    const reload = async () => {
      await tabOf(workbench(), 'probe (apps)').click();
      await page.locator('.title .action-label[aria-label^="Reload App"]').click();
      await quickPick.waitForTitle('App of apps');
      await quickPick.item('Changed since you allowed it').waitFor();
    };
    await reload();
    await quickPick.pick('Do Not Open');
    await appPage(workbench()).getByText('The app was not opened.').waitFor();
    await reload();
    await quickPick.pick('Show Changes');
    await page.locator('.monaco-diff-editor').getByText('<!-- changed -->').first().waitFor();
    await workbench().screenshot('apps-changed');
    await page.locator('.title .action-label[aria-label^="Back to the Question"]').click();
    await quickPick.waitForTitle('App of apps');
    await quickPick.pick('Camera: not allowed');
    await quickPick.pick('Open App');
    const camera = appFrame(workbench()).locator('#probes li').filter({ hasText: 'the camera' });
    await camera.filter({ hasText: 'allowed' }).waitFor();
  });

  it('the source of an app can be read, and its tools are those of the browser here', async () => {
    await workbench().runCommand('MCP Workbench: Show App Source');
    assert.match(await workbench().editorText('app.html'), /doctype html/);
    await tabOf(workbench(), 'probe (apps)').click();
    await appPage(workbench()).locator('header:focus').waitFor();
    await workbench().runCommand('MCP Workbench: Open Developer Tools');
    await workbench().notification(/This editor runs in a browser/);
    await workbench().hideNotifications();
  });

  it('an app of 50 MB is not shown, and its tool answers all the same', async () => {
    const { tree, quickPick } = workbench();
    await tree.click('apps', 'Tools', 'huge');
    await quickPick.waitForTitle('apps › huge');
    await quickPick.pick('Run');
    await workbench().notification(/is not shown: its HTML is 50 MB/);
    await workbench().hideNotifications();
    assert.match(await workbench().editorText('huge.txt'), /huge \{\}/);
  });

  it('a resource of the tree that is an app opens as one, without a call', async () => {
    const { tree, quickPick } = workbench();
    await tree.click('apps', 'Resources', 'probe');
    await tabOf(workbench(), 'ui://probe/view (apps)').waitFor();
    await appSays(appFrame(workbench()), 'mode', 'inline');
    await appSays(appFrame(workbench()), 'input', 'none');
    assert.equal(await quickPick.widget.isVisible(), false);
    await workbench().runCommand('View: Close Editor');
    await tabOf(workbench(), 'ui://probe/view (apps)').waitFor({ state: 'hidden' });
  });

  it('a tab with an app comes back with a reload of the window, its call with it', async () => {
    const { quickPick } = workbench();
    // A user would take longer, so that the editor has stored which tabs are open.
    await workbench().reload();
    await tabOf(workbench(), 'probe (apps)').click();
    // The restarted server is back at its first version, which is not the one that was allowed last.
    await quickPick.waitForTitle('App of apps');
    await quickPick.pick('Open App');
    await appSays(appFrame(workbench()), 'input', '{}');
    await appSays(appFrame(workbench()), 'result', 'probe {}');
  });
});

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  assert.ok(box, String(locator));
  const { x, y, width, height } = box;
  const [left, top] = [Math.round(x), Math.round(y)];
  return {
    x: left,
    y: top,
    width: Math.round(x + width) - left,
    height: Math.round(y + height) - top,
  };
}
