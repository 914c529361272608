// What the tests know about the appearance of the question of whether a server may run.
import { poll } from '../poll';
import { clickWithin, within } from './pageElement';
import type { Workbench } from './workbench';

const answerMs = 60_000;
const takenMs = 2000;

const titles = {
  first: (server: string) => `Start "${server}"?`,
  changed: (server: string) => `${server}'s command changed.`,
};

/**
 * Waits for the question of whether a server may run, asked for the first time or because its configuration changed.
 */
export async function untilTrustAsked(
  { quickPick }: Workbench,
  server: string,
  kind: keyof typeof titles = 'first',
): Promise<void> {
  await quickPick.waitForTitle(titles[kind](server));
}

/** Answers yes to the question that is open. */
export async function trustAndStart(workbench: Workbench): Promise<void> {
  const { quickPick } = workbench;
  // The tooltip of a row whose button was clicked reaches over the question.
  await workbench.leaveHover();
  const answer = quickPick.widget.getByText('Trust and Start');
  await answer.waitFor();
  // A click is lost on a row that is just being redrawn.
  await poll('the click on Trust and Start', answerMs, async () => {
    if (!(await answer.isVisible())) return true;
    await within(clickWithin(answer, takenMs));
    return (await within(answer.waitFor({ state: 'hidden', timeout: takenMs }))) || undefined;
  });
}
