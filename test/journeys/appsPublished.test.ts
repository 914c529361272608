import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { appFrame, appPage, configureApps, type publishedApps } from '../support/workbench/apps';
import { useWorkbench, type Workbench } from '../support/workbench/journeys';

type Name = keyof typeof publishedApps;
type Question = { readonly title: string; readonly answer: 'Deny' | 'Allow for This Session' };

/** Apps by other authors, each with what a user does with it. */
const apps: Readonly<
  Record<
    Name,
    {
      readonly tool: string;
      readonly title: string;
      readonly use: (app: FrameLocator, answer: (question: Question) => Promise<void>) => unknown;
    }
  >
> = {
  vanilla: { tool: 'get-time', title: 'Get Time', use: askForTime('vanilla › Get Time') },
  react: { tool: 'get-time', title: 'Get Time', use: askForTime('react › Get Time') },
  budget: {
    tool: 'get-budget-data',
    title: 'Get Budget Data',
    use: async (app) => {
      await app.getByRole('combobox').first().selectOption('$250,000');
      await app.getByText('Allocated: $250,000 / $250,000').waitFor();
    },
  },
  cohort: {
    tool: 'get-cohort-data',
    title: 'Get Cohort Retention Data',
    use: async (app, answer) => {
      const title = 'cohort › Get Cohort Retention Data';
      await answer({ title, answer: 'Deny' });
      await app.getByText('Failed to load data').waitFor();
      await app.getByRole('combobox').first().selectOption('Revenue Retention');
      await answer({ title, answer: 'Allow for This Session' });
      await app.getByText('100%').first().waitFor();
    },
  },
  scenario: {
    tool: 'get-scenario-data',
    title: 'Get Scenario Data',
    use: async (app) => {
      await app.getByRole('combobox').first().selectOption({ index: 1 });
      await app.getByRole('heading', { name: /^vs\. / }).waitFor();
    },
  },
  monitor: {
    tool: 'get-system-info',
    title: 'Get System Info',
    use: async (app, answer) => {
      const title = 'monitor › Poll System Stats';
      // The app calls its tool right away.
      await answer({ title, answer: 'Deny' });
      await answer({ title, answer: 'Allow for This Session' });
      await app.locator('#memory-percent').filter({ hasText: /\d%/ }).waitFor();
      await app.getByRole('button', { name: 'Stop' }).click();
    },
  },
};
const names = Object.keys(apps) as readonly Name[];

function askForTime(title: string) {
  return async (app: FrameLocator, answer: (question: Question) => Promise<void>) => {
    // The tool's result is only shown when the app's layout is complete.
    await app.getByText(/^\d{4}-\d\d-\d\dT/).waitFor();
    await app.getByRole('button', { name: 'Get Server Time' }).click();
    await answer({ title, answer: 'Deny' });
    await app.getByText('[ERROR]').waitFor();
    await app.getByRole('button', { name: 'Get Server Time' }).click();
    await answer({ title, answer: 'Allow for This Session' });
    await app.getByText(/^\d{4}-\d\d-\d\dT/).waitFor();
  };
}

for (const theme of ['light', 'dark'] as const)
  describe(`published servers with apps in a ${theme} theme`, function () {
    this.timeout(120_000);
    const workbench = useWorkbench({
      theme,
      prepare: (workspace) => configureApps(workspace, names),
      settings: { 'mcpWorkbench.apps.open': 'always' },
      trusted: names,
      size: { width: 1280, height: 900 },
    });

    for (const name of names) {
      const { tool, title, use } = apps[name];
      it(`${name} opens its app for a call in the chat, and its calls are asked about`, async () => {
        const { quickPick, chat } = workbench();
        await chat.send(`@mcp call ${name}__${tool} {}`);
        await quickPick.waitForTitle(`${name} › ${title}`);
        await quickPick.pick('Allow Once');
        await quickPick.waitForTitle(`App of ${name}`);
        await quickPick.pick('Open App');
        await appPage(workbench()).locator('header').getByText(`App of ${name}`).waitFor();
        await use(appFrame(workbench()), (question) => answerTo(workbench(), question));
        assert.match(await chat.completed(), /The tool \S+ says:/);
        await workbench().screenshot(`apps-${name}-${theme}`);
      });
    }
  });

async function answerTo({ quickPick }: Workbench, { title, answer }: Question): Promise<void> {
  await quickPick.waitForTitle(title);
  await quickPick.item('An app of this server wants to run it').waitFor();
  await quickPick.pick(answer);
}
