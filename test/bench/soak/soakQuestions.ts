// `node out/bench/soak/soakQuestions.js --minutes 60 --seed 1`: a user works in the editor while a model constantly calls tools.
import { parseArgs } from 'node:util';
import { openWorkbench } from '../../support/workbench/openWorkbench';
import type { Workbench } from '../../support/workbench/workbench';
import { startServer } from '../../support/workbench/serverSteps';
import { createRandom } from '../fuzz/fuzzFrames';
import { readCallLog } from '../../support/editor/callLog';
import { accountFor } from './soakLog';
import { SoakUser } from './soakUser';

/** How many rounds of calls a message asks for, and the most calls in each. */
const size = { rounds: 5, calls: 2 };
/** The probability that the user answers a waiting question after an action. */
const answerShare = 0.4;
const tellMs = 5 * 60_000;
const stepMs = 20_000;

/** Returns a message that makes the demo model call `echo` in rounds, with the next number each time. */
function nextMessage(called: number, random: () => number): { text: string; called: number } {
  let last = called;
  const rounds = Array.from({ length: size.rounds }, () => {
    const count = 1 + Math.floor(random() * size.calls);
    return Array.from({ length: count }, () => `call echo {"n":${(last += 1)}}`).join(' and ');
  });
  return { text: `@mcp ${rounds.join(' then ')}`, called: last };
}

/** True if the chat accepts another question; the visible answer may be an older one that a search scrolled to. */
async function isAnswered({ chat }: Workbench): Promise<boolean> {
  if (!(await chat.submit.isVisible())) return false;
  return chat.answer.locator('.chat-footer-details[aria-label^="Completed"]').isVisible();
}

async function soak(workbench: Workbench, minutes: number, random: () => number): Promise<number> {
  const { chat, page } = workbench;
  const user = new SoakUser(workbench, random);
  await startServer(workbench, 'demo');
  for (const name of ['hello.py', 'index.md']) {
    await page.keyboard.press('ControlOrMeta+P');
    await workbench.quickPick.type(name);
    await workbench.quickPick.item(name).click();
    await page.locator('.part.editor .tab').filter({ hasText: name }).dblclick();
  }
  const begin = Date.now();
  const end = begin + minutes * 60_000;
  page.setDefaultTimeout(stepMs);
  let called = 0;
  let messages = 0;
  let told = begin;
  /** Prints how it has gone so far, and returns the number of problems. */
  const tell = async (): Promise<number> => {
    const records = await readCallLog(workbench.editor.data);
    const { problems, counts } = accountFor(records, user.deeds, called);
    const passed = Math.round((Date.now() - begin) / 60_000);
    const account = { minutes: passed, messages, calls: called, log: counts, done: user.counts };
    console.log(JSON.stringify(account));
    for (const problem of problems) console.log(problem);
    told = Date.now();
    return problems.length;
  };
  for (;;) {
    if (messages === 0 || (await isAnswered(workbench))) {
      if (Date.now() > end) return tell();
      if (Date.now() - told > tellMs) await tell();
      if (await workbench.quickPick.widget.isVisible()) await workbench.quickPick.dismiss();
      const message = nextMessage(called, random);
      await chat.send(message.text);
      called = message.called;
      messages += 1;
    }
    if (Date.now() < end) await user.act();
    if (Date.now() > end || random() < answerShare) await user.answer();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
    },
  });
  await using workbench = await openWorkbench({
    settings: { 'editor.autoClosingBrackets': 'never', 'files.autoSave': 'off' },
  });
  const random = createRandom(Number(values.seed));
  try {
    process.exitCode = (await soak(workbench, Number(values.minutes), random)) > 0 ? 1 : 0;
  } catch (error) {
    console.log(await workbench.screenshot('soak-questions'));
    console.log(await workbench.saveLog('soak-questions'));
    throw error;
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
