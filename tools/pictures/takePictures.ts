// A standalone program, `npm run pictures`: takes the pictures for the README and the documentation in the editor, with
// the package that ships, the demo server and a published server with an app.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decode, encode, toRGBA8 } from 'upng-js';
import { repositoryRoot } from '../../test/support/paths';
import type { Workbench } from '../../test/support/workbench/workbench';
import { openAppWindow, showApp } from './appWindow';
import { openDemo, showAll } from './demoWindow';

/** The path of each picture; those of the README are not part of the package. */
const places: Readonly<Record<string, string>> = {
  tree: 'docs/pictures/tree.png',
  prompt: 'media/readme/prompt.png',
  resource: 'media/readme/resource.png',
  tool: 'media/readme/tool.png',
  chat: 'docs/pictures/chat.png',
  request: 'docs/pictures/request.png',
  app: 'media/readme/app.png',
  'app-call': 'media/readme/app-call.png',
};

/** A window has few colors: reduced to this many, a picture is a third as large and looks the same. */
const colors = 128;

function quantized(png: Buffer): Uint8Array {
  const image = decode(new Uint8Array(png).buffer);
  return new Uint8Array(encode(toRGBA8(image), image.width, image.height, colors));
}

const look = { theme: 'dark', size: { width: 1280, height: 800 } } as const;

/** Returns a function that takes and writes the picture with a name, if that has a path. */
function taker(workbench: Workbench): (name: string) => Promise<void> {
  return async (name) => {
    const place = places[name];
    if (place === undefined) return;
    await workbench.leaveHover();
    const path = join(repositoryRoot, place);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, quantized(await workbench.page.screenshot()));
    console.log(place);
  };
}

async function takeDemo(): Promise<void> {
  await using workbench = await openDemo(look);
  await showAll(workbench, taker(workbench));
}

async function takeApp(): Promise<void> {
  await using workbench = await openAppWindow(look);
  await showApp(workbench, taker(workbench));
}

async function main(): Promise<void> {
  await takeDemo();
  await takeApp();
}

void main();
