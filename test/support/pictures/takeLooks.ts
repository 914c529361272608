// A program of its own, `npm run looks`: takes pictures of the window as those see it who need contrast, size or room, for
// somebody to look at. They are in the cache folder's `screenshots`.
import type { WorkbenchOptions } from '../workbench/openWorkbench';
import type { Workbench } from '../workbench/workbench';
import { openDemo, showAll } from './demoWindow';

const narrowSidebar = 200;

interface Look extends WorkbenchOptions {
  readonly isNarrow?: boolean;
}

/** A window at 200 % has half the room. */
const zoomed = { size: { width: 640, height: 400 }, zoom: 2 };

const looks: Readonly<Record<string, Look>> = {
  'contrast-dark': { theme: 'contrastDark' },
  'contrast-light': { theme: 'contrastLight' },
  zoomed: { theme: 'dark', ...zoomed },
  'zoomed-light': { theme: 'light', ...zoomed },
  narrow: { theme: 'light', isNarrow: true },
};

/** Draws the edge of the sidebar to where it is as narrow as some have it. */
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
