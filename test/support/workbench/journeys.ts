import { hasFailed } from '../run/runMocha';
import { openMs, openWorkbench, type WorkbenchOptions } from './openWorkbench';
import { startServer } from './serverSteps';
import { lastClosed, type Workbench } from './workbench';

export { openWindow, openWorkbench } from './openWorkbench';
export { hostKilled, type Workbench } from './workbench';

afterEach('say what a window of a failed test was last seen with', function () {
  if (hasFailed(this.currentTest) && lastClosed()) console.log(lastClosed());
});

/**
 * Opens one window for the tests of a `describe` and starts the `trusted` servers in it, trusting them when asked; a
 * failing test leaves a screenshot and the log.
 */
export function useWorkbench({
  trusted = [],
  ...options
}: WorkbenchOptions & { trusted?: readonly string[] } = {}): () => Workbench {
  let workbench: Workbench | undefined;
  before('open the editor', async function () {
    this.timeout(openMs * 2);
    workbench = await openWorkbench(options);
    try {
      for (const name of trusted) await startServer(workbench, name);
    } catch (error) {
      // No test follows that would show what went wrong.
      await keepLooks(workbench, this.test?.fullTitle() ?? '');
      throw error;
    }
  });
  afterEach('keep what a failure looked like', async function () {
    const { currentTest } = this;
    if (!workbench || !hasFailed(currentTest)) return;
    await keepLooks(workbench, currentTest.fullTitle());
    // What the failed test left open would fail the next one too.
    const { quickPick } = workbench;
    if (await quickPick.widget.isVisible()) {
      // The failure may be that something else has the keyboard.
      await quickPick.input.focus();
      await quickPick.dismiss();
    }
    await workbench.chat.cancel();
  });
  after('close the editor', async () => workbench?.dispose());
  return () => {
    if (!workbench) throw new Error('The editor is not open.');
    return workbench;
  };
}

async function keepLooks(workbench: Workbench, test: string): Promise<void> {
  const name = `failed-${test}`;
  console.log(await workbench.lastSeen());
  console.log(`  ${await workbench.savePicture(name)}\n  ${await workbench.saveLog(name)}`);
}
