import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { execute } from '../run/execute';
import { withLock } from '../run/lock';
import { built, repositoryRoot } from '../paths';
import { packageName } from './shipped';

const folders = ['dist', 'l10n', 'media'];
const files = ['CHANGELOG.md', 'LICENSE'];

/** Pictures that only the repository's page shows: the editor shows none that are in a package. */
const pictures = 'media/readme';

/** The template for translators; the editor does not load it, because the English texts are in the code. */
const untranslated = 'l10n/bundle.l10n.json';

/** The fields of the manifest that are needed only to develop the extension. */
const development = new Set([
  'private',
  'scripts',
  'devDependencies',
  'knip',
  'prettier',
  'cspell',
]);

/** Returns the manifest as it ships. */
function shippedManifest(text: string): string {
  const manifest = JSON.parse(text) as Record<string, unknown> & { engines: { vscode: string } };
  const fields = Object.entries(manifest).filter(([name]) => !development.has(name));
  return JSON.stringify({
    ...Object.fromEntries(fields),
    engines: { vscode: manifest.engines.vscode },
  });
}

/** Returns the README as it ships: without the paragraphs that contain a picture. */
function shippedReadme(text: string): string {
  const paragraphs = text.split(/\n{2,}/);
  return paragraphs.filter((paragraph) => !paragraph.includes(`](${pictures}/`)).join('\n\n');
}

async function copyContents(to: string): Promise<void> {
  const from = (name: string) => join(repositoryRoot, name);
  const names = await readdir(repositoryRoot);
  const left = [pictures, untranslated].map(from);
  const translations = names.filter((name) => /^package\.nls(\..+)?\.json$/.test(name));
  for (const name of [...folders, ...files, ...translations])
    await cp(from(name), join(to, name), {
      recursive: true,
      filter: (path) => !path.endsWith('.map') && !left.includes(path),
    });
  const write = async (name: string, change: (text: string) => string) =>
    writeFile(join(to, name), change(await readFile(from(name), 'utf8')));
  await write('package.json', shippedManifest);
  await write('README.md', shippedReadme);
  // Everything here is meant to ship; without an ignore file, the packer would question that.
  await writeFile(join(to, '.vscodeignore'), '');
}

async function pack(path: string): Promise<string> {
  const contents = built('package');
  await rm(contents, { recursive: true, force: true });
  await mkdir(contents, { recursive: true });
  await copyContents(contents);
  const vsce = join(
    dirname(createRequire(__filename).resolve('@vscode/vsce/package.json')),
    'vsce',
  );
  // No dependencies are installed there, and links can be rewritten only for a repository that the packer knows.
  const options = ['--no-dependencies', '--no-rewrite-relative-links'];
  const { code, output } = await execute(
    process.execPath,
    [vsce, 'package', ...options, '--out', path],
    { cwd: contents },
  );
  if (code !== 0) throw new Error(`${basename(path)} could not be packed:\n${output}`);
  return output;
}

/** Packs the built extension, once for each build, and returns the path; only the call that packs it calls `report`. */
export async function packExtension(report?: (listing: string) => void): Promise<string> {
  const path = built(packageName);
  await withLock(`${path}.lock`, async () => {
    if (existsSync(path)) return;
    const listing = await pack(path);
    report?.(listing);
  });
  return path;
}
