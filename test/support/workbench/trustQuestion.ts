// What the tests know of the looks of the question whether a server may run.
import type { Workbench } from './workbench';

const titles = {
  first: (server: string) => `Start "${server}"?`,
  changed: (server: string) => `${server}'s command changed.`,
};

/** Waits until it is asked whether a server may run, for the first time or because its configuration changed. */
export async function untilTrustAsked(
  { quickPick }: Workbench,
  server: string,
  kind: keyof typeof titles = 'first',
): Promise<void> {
  await quickPick.waitForTitle(titles[kind](server));
}

/** Says yes to the question that is open. */
export async function trustAndStart(workbench: Workbench): Promise<void> {
  const { quickPick } = workbench;
  // That of a row whose button was clicked reaches over the question.
  await workbench.leaveHover();
  const answer = quickPick.widget.getByText('Trust and Start');
  await answer.click();
  await answer.waitFor({ state: 'hidden' });
}
