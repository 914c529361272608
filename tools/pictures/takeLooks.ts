// A standalone program, `node out/tools/pictures/takeLooks.js`: takes pictures of the window as it looks to users who need contrast, large
// text or a narrow sidebar, for somebody to check. They are saved in the cache folder's `screenshots`.
import type { WorkbenchOptions } from '../../test/support/workbench/openWorkbench';
import type { Workbench } from '../../test/support/workbench/workbench';
import { openDemo, showAll } from './demoWindow';

const narrowSidebar = 200;

interface Look extends WorkbenchOptions {
  readonly isNarrow?: boolean;
}

/** At 200%, a window has half the room. */
const zoomed = { size: { width: 640, height: 400 }, zoom: 2 };

const looks: Readonly<Record<string, Look>> = {
  'contrast-dark': { theme: 'contrastDark' },
  'contrast-light': { theme: 'contrastLight' },
  zoomed: { theme: 'dark', ...zoomed },
  'zoomed-light': { theme: 'light', ...zoomed },
  narrow: { theme: 'light', isNarrow: true },
};

/** Drags the edge of the sidebar until it is as narrow as some users keep it. */
async function narrow({ page }: Workbench): Promise<void> {
  const sidebar = page.locator('.part.sidebar');
  const box = await sidebar.boundingBox();
  if (!box) throw new Error('The sidebar is not shown.');
  const { mouse } = page;
  await mouse.move(box.x + box.width, box.y + box.height / 2);
  await mouse.down();
  await mouse.move(box.x + narrowSidebar, box.y + box.height / 2, { steps: 5 });
  await mouse.up();
}

async function take(look: string, { isNarrow = false, ...options }: Look): Promise<void> {
  await using workbench = await openDemo(options);
  if (isNarrow) await narrow(workbench);
  await showAll(workbench, (name) => workbench.screenshot(`look-${look}-${name}`));
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  for (const [look, options] of Object.entries(looks))
    if (wanted.length === 0 || wanted.includes(look)) await take(look, options);
}

void main();
