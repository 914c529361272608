import type { Workbench } from '../support/workbench/journeys';
import { poll } from '../support/poll';

const goneMs = 30_000;
const drawnMs = 2000;

/** Waits until the palette has no entry with this title. */
export async function gone({ page, quickPick }: Workbench, title: string): Promise<void> {
  const entry = quickPick.item(title);
  await poll(`the palette without ${title}`, goneMs, async () => {
    await page.keyboard.press('F1');
    await quickPick.type(`>${title}`);
    const offered = await entry.waitFor({ timeout: drawnMs }).then(
      () => true,
      () => false,
    );
    await quickPick.dismiss();
    return offered ? undefined : true;
  });
}
