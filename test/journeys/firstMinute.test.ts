import assert from 'node:assert/strict';
import { countInputs } from '../support/countInputs';
import { emptyFolder } from '../support/editor/workspace';
import { poll } from '../support/poll';
import { useWorkbench } from '../support/workbench/journeys';
import { untilRow } from '../support/workbench/serverSteps';

const server = 'MCP Workbench Demo';
const longestMs = 60_000;
const mostDecisions = 6;

/** What a new user reads, by language. */
const texts = {
  en: {
    ways: ['Find My Servers…', 'Add Server…', 'Try the Demo', 'Open Walkthrough'],
    trust: `Start "${server}"?`,
    start: 'Trust and Start',
    prompts: 'Prompts',
    resources: 'Resources',
    allow: 'Allow Once',
    walkthrough: 'Open Walkthrough',
    steps: ['Bring your servers', 'Decide what runs', 'Run a prompt'],
    send: 'Open in Chat as Draft',
    remove: 'Remove Demo Server',
    disable: 'Disable Server…',
    everywhere: 'In All Workspaces',
    disabled: /^Disabled/,
    removeDisabled: 'Remove Server…',
  },
  'zh-cn': {
    ways: ['查找我的服务器…', '添加服务器…', '试用演示', '打开演练'],
    trust: `启动“${server}”？`,
    start: '信任并启动',
    prompts: '提示词',
    resources: '资源',
    allow: '允许一次',
    walkthrough: '打开演练',
    steps: ['添加你的服务器', '决定运行什么', '运行提示词'],
    send: '在聊天中作为草稿打开',
    remove: '移除演示服务器',
    disable: '禁用服务器…',
    everywhere: '在所有工作区',
    disabled: /禁用/,
    removeDisabled: '移除服务器…',
  },
} as const;

for (const [language, theme] of [
  ['en', 'dark'],
  ['zh-cn', 'light'],
] as const)
  describe(`the first minute in ${language}`, function () {
    this.timeout(180_000);
    const text = texts[language];
    const workbench = useWorkbench({
      ...emptyFolder,
      theme,
      // Only a wide editor has room for the walkthrough's pictures beside its steps.
      size: { width: 1800, height: 900 },
      ...(language !== 'en' && { language }),
    });
    const welcome = (button: string) =>
      workbench().page.locator('.part.sidebar .welcome-view .monaco-button', { hasText: button });

    it('nothing opens by itself', async () => {
      assert.equal(await workbench().page.locator('.part.editor .tab').count(), 0);
      assert.equal(await workbench().quickPick.widget.isVisible(), false);
    });

    it('a stranger gets from an empty workspace to the answer of a prompt in six decisions', async () => {
      const { page, quickPick, tree, chat } = workbench();
      const begun = performance.now();
      const decisions = countInputs();
      const decide = decisions.give;
      await decide(() => workbench().openView('MCP Workbench'));
      for (const way of text.ways) await welcome(way).waitFor();
      await workbench().screenshot(`first-minute-welcome-${language}`);
      await decide(() => welcome(text.ways[2]).click());
      await quickPick.waitForTitle(text.trust);
      await workbench().screenshot(`first-minute-trust-${language}`);
      await workbench().leaveHover();
      await decide(() => quickPick.widget.getByText(text.start).click());
      await tree.item(server, text.prompts, 'Explain a Term');
      await workbench().screenshot(`first-minute-tree-${language}`);
      await decide(() => tree.click(server, text.prompts, 'Explain a Term'));
      await decide(() => quickPick.pick('tool'));
      await workbench().editorText('Explain a Term');
      await page.getByText(text.send).waitFor();
      await workbench().screenshot(`first-minute-prompt-${language}`);
      await decide(() => workbench().answerDocument('Explain a Term.mcp-prompt'));
      await chat.waitFor(/In the Model Context Protocol, a tool is an action/);
      const ms = performance.now() - begun;
      await workbench().screenshot(`first-minute-answer-${language}`);
      assert.ok(decisions.count <= mostDecisions, `${decisions.count} decisions`);
      assert.ok(ms <= longestMs, `${ms} ms`);
    });

    it('the demo does what its first page promises: a call that is asked for in words, and a document that follows', async () => {
      const { quickPick, tree, chat } = workbench();
      // After a prompt was sent, the next message goes to the same participant.
      await chat.focus();
      await workbench().page.keyboard.type('roll two dice');
      await poll('what was typed in the box', 20_000, async () =>
        (await chat.draft()) === '@mcp roll two dice' ? true : undefined,
      );
      await chat.press();
      await quickPick.waitForTitle(`${server} › Roll Dice`);
      await workbench().screenshot(`first-minute-call-${language}`);
      await quickPick.pick(text.allow);
      assert.match(await chat.completed(), /Rolled \d, \d: \d+ in total\./);
      await workbench().screenshot(`first-minute-rolled-${language}`);
      await tree.expand(server, text.resources);
      await tree.click(server, text.resources, 'Notebook');
      await workbench().editorText('notebook.md');
      await chat.send('@mcp add a note that the demo works');
      await quickPick.waitForTitle(`${server} › Add a Note`);
      await quickPick.pick(text.allow);
      assert.match(await chat.completed(), /The note was added\./);
      await workbench().page.locator('.view-line').getByText('the demo works').waitFor();
      await chat.send('@mcp what do the notes say?');
      assert.match(await chat.completed(), /I am the Demo Model, a stand-in/);
      await workbench().screenshot(`first-minute-noted-${language}`);
    });

    it('the walkthrough has done the steps that were taken', async () => {
      const { page } = workbench();
      await workbench().runCommand(`MCP Workbench: ${text.walkthrough}`);
      const steps = page.locator('.gettingStartedContainer .getting-started-step');
      for (const title of text.steps)
        await steps
          .filter({ hasText: title })
          .locator('.codicon-getting-started-step-checked.complete')
          .waitFor();
      await workbench().screenshot(`walkthrough-${language}`);
    });

    it('the demo goes as it came', async () => {
      const { tree, quickPick } = workbench();
      await tree.menu(text.remove, server);
      await welcome(text.ways[2]).waitFor();

      // This also enables it if it was disabled, because the user is trying it again.
      await welcome(text.ways[2]).click();
      await tree.item(server, text.prompts);
      await tree.menu(text.disable, server);
      await quickPick.pick(text.everywhere);
      await untilRow(workbench(), server, text.disabled);
      await tree.menu(text.removeDisabled, server);
      await welcome(text.ways[2]).click();
      await tree.item(server, text.prompts);
      await tree.menu(text.remove, server);
      await welcome(text.ways[2]).waitFor();
    });
  });
