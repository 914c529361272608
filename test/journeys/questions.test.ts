import assert from 'node:assert/strict';
import type { AuditRecord } from '../../src/audit/auditLog';
import { built } from '../support/paths';
import { poll } from '../support/poll';
import { readCallLog } from '../support/editor/callLog';
import type { PageElement, PageEvent } from '../support/workbench/pageElement';
import { openWindow, useWorkbench, type Workbench } from '../support/workbench/journeys';
import {
  askForServer,
  configureServers,
  startServer,
  untilRow,
} from '../support/workbench/serverSteps';
import { trustAndStart, untilTrustAsked } from '../support/workbench/trustQuestion';

const demoProgram = built('fixtures', 'demoServer', 'main.js');
const logMs = 60_000;

/** Waits for the log's record of who decided on the call with this argument, and how. */
function decisionOn({ editor }: Workbench, n: number): Promise<AuditRecord> {
  return poll(`the decision on ${n} in the log`, logMs, async () =>
    (await readCallLog(editor.data)).find(
      (record) =>
        record.kind === 'callBegun' &&
        'value' in record.arguments &&
        JSON.stringify(record.arguments.value) === `{"n":${n}}`,
    ),
  );
}

/** Has our tree take the keyboard once, right after the box of the next quick input was given it. */
function takeKeyboard(body: PageElement): { taken: Promise<void> } {
  const tree = body.querySelector('[role="tree"][aria-label="MCP Workbench"]');
  const done = new AbortController();
  const taken = new Promise<void>((resolve) => {
    const take = () => resolve(tree?.focus());
    const follow = ({ target }: PageEvent) => {
      if (!target.closest('.quick-input-box')) return;
      done.abort();
      setTimeout(take);
    };
    body.addEventListener('focusin', follow, { capture: true, signal: done.signal });
  });
  return { taken };
}

describe('a question and its window', function () {
  this.timeout(180_000);
  const opened = useWorkbench({
    prepare: (workspace) =>
      configureServers(
        workspace,
        { keyed: { command: 'node', args: [demoProgram], env: { KEY: '${input:key}' } } },
        [{ id: 'key', type: 'promptString' }],
      ),
  });

  it('end together: it is taken back, and nobody has answered it', async () => {
    const workbench = opened();
    const { chat, quickPick } = workbench;
    await startServer(workbench, 'demo');
    await chat.send('@mcp call echo {"n":1}');
    await quickPick.waitForTitle('demo › echo');
    await workbench.reload();
    await workbench.openView('MCP Workbench');
    await untilRow(workbench, 'everything', /^Stopped/);
    const decided = await decisionOn(workbench, 1);
    assert.ok(decided.kind === 'callBegun');
    assert.equal(decided.decision, 'withdrawn');
    assert.deepEqual(decided.decidedBy, { kind: 'nobody', because: 'windowClosed' });

    // The user is asked about a launch again the next time it is needed, because no one said no.
    await askForServer(workbench, 'everything');
    await untilTrustAsked(workbench, 'everything');
    await workbench.reload();
    await workbench.openView('MCP Workbench');
    await untilRow(workbench, 'everything', /^Stopped/);
    await askForServer(workbench, 'everything');
    await untilTrustAsked(workbench, 'everything');
    await trustAndStart(workbench);
    await untilRow(workbench, 'everything', /^app\/\.vscode\/mcp\.json/);
  });

  it('end together, whatever is asked and however many wait', async () => {
    const workbench = opened();
    const { page, chat, quickPick } = workbench;
    await startServerAgain(workbench);
    const asking = ['ask_sampling', 'ask_elicitation', 'ask_url'];
    await chat.send(`@mcp ${asking.map((name) => `call ${name} {}`).join(' and ')}`);
    const calls = new Set(asking.map((name) => `demo › ${name}`));
    // The first call whose check is done is asked about first.
    while (calls.size > 0) {
      const title = await quickPick.titleAmong(calls);
      await quickPick.pick('Allow Once');
      calls.delete(title);
    }
    const status = page.locator('.statusbar');
    await quickPick.waitForTitle(/^demo asks/);
    await status.getByText('2 questions wait for your answer').waitFor();
    await askForServer(workbench, 'keyed');
    await untilTrustAsked(workbench, 'keyed');
    await trustAndStart(workbench);
    await quickPick.waitForTitle('keyed needs a value: key');
    // This form, which the user started, covers the question.
    await workbench.runCommand('MCP Workbench: Run MCP Tool…');
    await quickPick.waitForTitle('Run MCP Tool');
    await quickPick.type('calculate');
    await quickPick.pick('calculate');
    await quickPick.waitForTitle('calculate (demo): operation');
    await workbench.reload();
    await workbench.openView('MCP Workbench');
    await untilRow(workbench, 'keyed', /^Stopped/);

    const asked = await poll('what became of three requests', logMs, async () => {
      const records = (await readCallLog(workbench.editor.data)).flatMap((record) =>
        record.kind === 'requestAnswered' ? [record] : [],
      );
      return records.length === 3 ? records : undefined;
    });
    assert.deepEqual(new Set(asked.map(({ method }) => method)).size, 2);
    for (const { action, decidedBy } of asked)
      assert.deepEqual(
        [action, decidedBy],
        ['withdrawn', { kind: 'nobody', because: 'windowClosed' }],
      );
    await status.getByText('for your answer').waitFor({ state: 'hidden' });
    const begun = new Set(
      (await readCallLog(workbench.editor.data)).flatMap((record) =>
        record.kind === 'callBegun' ? [record.tool] : [],
      ),
    );
    assert.deepEqual(
      asking.filter((name) => !begun.has(name)),
      [],
    );

    // The launch was decided, but the value was not.
    await askForServer(workbench, 'keyed');
    await quickPick.waitForTitle('keyed needs a value: key');

    // Typed text continues what was typed before something else covered the question.
    await quickPick.type('ke');
    await workbench.runCommand('MCP Workbench: Show Waiting Questions');
    await quickPick.waitForTitle('keyed needs a value: key');
    await quickPick.waitForKeyboard();
    await page.keyboard.type('y');
    assert.equal(await quickPick.input.inputValue(), 'key');
    await quickPick.dismiss();
  });

  it('keep the keyboard, although the tree takes it as it is redrawn at that moment', async () => {
    const workbench = opened();
    const { page, quickPick } = workbench;
    await untilRow(workbench, 'filesystem', /^Stopped/);
    await workbench.runCommand('MCP Workbench: Start Server');
    await quickPick.waitForTitle('Start Server');
    const taking = await page.locator('body').evaluateHandle(takeKeyboard);
    await quickPick.pick('filesystem');
    await taking.evaluate(({ taken }) => taken);
    await untilTrustAsked(workbench, 'filesystem');
    await quickPick.waitForKeyboard();
    await quickPick.pressUntilGone('Enter');
    await untilRow(workbench, 'filesystem', /^Stopped/);
  });
});

describe('questions of two windows on one workspace', function () {
  this.timeout(180_000);
  const opened = useWorkbench({ trusted: ['demo'] });
  let other: Workbench | undefined;
  const windows = () => {
    assert.ok(other);
    return { first: opened(), second: other };
  };

  before('open the other window', async () => {
    other = await openWindow(opened());
    await other.page.bringToFront();
    await startServerAgain(other);
  });

  it('are not asked in another window of the workspace that allows the call already', async () => {
    const { first, second } = windows();
    await first.page.bringToFront();
    await first.chat.send('@mcp call calculate {"operation":"add","x":1,"y":1}');
    await first.quickPick.waitForTitle('demo › calculate');
    await first.quickPick.pick('Allow in This Workspace');
    assert.match(await first.chat.completed(), /2\.00/);

    // A browser takes a few seconds to tell its other windows about what was stored.
    await second.page.bringToFront();
    await poll('a call that is allowed in the other window', logMs, async () => {
      await second.chat.send('@mcp call calculate {"operation":"add","x":1,"y":2}');
      const asked = second.quickPick.waitForTitle('demo › calculate').then(() => true);
      if (await Promise.race([asked, second.chat.completed().then(() => false)])) {
        await second.quickPick.pick('Deny');
        await second.chat.completed();
        return undefined;
      }
      return true;
    });
  });

  it('are apart from other windows of the same workspace', async () => {
    const { first, second } = windows();
    await first.page.bringToFront();
    await first.chat.send('@mcp call echo {"n":1}');
    await first.quickPick.waitForTitle('demo › echo');

    await second.page.bringToFront();
    await second.chat.send('@mcp call echo {"n":2}');
    await second.quickPick.waitForTitle('demo › echo');
    assert.ok(await second.quickPick.item('n: 2').isVisible());
    await second.quickPick.pick('Allow Once');
    assert.match(await second.chat.completed(), /\{"n":2\}/);

    await first.page.bringToFront();
    await first.quickPick.waitForTitle('demo › echo');
    assert.ok(await first.quickPick.item('n: 1').isVisible());
    await second.page.close();
    await first.quickPick.pick('Deny');
    assert.match(await first.chat.completed(), /was not called \(denied by/);
    const [one, two] = [await decisionOn(first, 1), await decisionOn(first, 2)];
    assert.ok(one.kind === 'callBegun' && two.kind === 'callBegun');
    assert.deepEqual([one.decision, two.decision], ['denied', 'allowed']);
    assert.notEqual(one.session, two.session);
  });
});

/** Starts the server, which is already trusted and so not asked about again. */
async function startServerAgain(workbench: Workbench): Promise<void> {
  await workbench.openView('MCP Workbench');
  await untilRow(workbench, 'demo', /^Stopped/);
  await askForServer(workbench, 'demo');
  await untilRow(workbench, 'demo', /^app\/\.vscode\/mcp\.json/);
}
