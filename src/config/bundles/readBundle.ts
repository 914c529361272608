import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { formatBytes, plainLabel } from '../../base/text/text';
import type { Platform } from '../../mcp/platform';
import { askLine } from '../../ui/steps/askLine';
import type { StepFrame } from '../../ui/steps/stepFrame';
import type { ImportedServer } from '../add/importedServer';
import type { BundleFolders } from './bundleFolders';
import { listsOf, serverOfBundle, type BundlePlace } from './bundleServer';
import { maxManifestBytes, readManifest, type BundleManifest } from './manifest';
import { listZip, maxBundleBytes, readZipEntry } from './zip';

/**
 * Reads the bundle at a path or a `file:` URL, which is unpacked only when its server is written; `undefined` if the
 * user dismissed a question. Rejects with a `UserError` if it cannot be used.
 */
export async function readBundle(
  path: string,
  { programs }: Pick<Platform, 'programs'>,
  folders: BundleFolders,
  frame: StepFrame,
): Promise<ImportedServer | undefined> {
  const { t } = vscode.l10n;
  if (!programs) throw new UserError(t('This window cannot start processes.'));
  const bytes = await readFile(path, programs.home);
  const entries = orThrow(listZip(bytes, t));
  const entry = entries.find((one) => one.path === 'manifest.json');
  const text = entry && entry.size <= maxManifestBytes && (await readZipEntry(bytes, entry));
  if (!text) throw new UserError(t('The manifest of the bundle cannot be read.'));
  const manifest = orThrow(readManifest(new TextDecoder().decode(text), programs.system, t));
  const folder = folders.reserve(manifest.name);
  const place = { folder: folder.fsPath, home: programs.home, separator: programs.separator };
  const lists = await askLists(manifest, place, frame);
  if (!lists) return undefined;
  const server = serverOfBundle(manifest, place, lists);
  if (!server)
    throw new UserError(t('The manifest of the bundle lacks a command that can be run.'));
  return { ...server, unpack: (to) => folders.unpack(folder, bytes, entries, to) };
}

function orThrow<T extends object>(read: T | { readonly problem: string }): T {
  if ('problem' in read) throw new UserError(read.problem);
  return read;
}

async function readFile(path: string, home: string): Promise<Uint8Array> {
  const { t } = vscode.l10n;
  const uri = path.startsWith('file:')
    ? vscode.Uri.parse(path)
    : vscode.Uri.file(path.replace(/^~(?=[\\/])/, () => home));
  const shown = plainLabel(uri.fsPath, 100);
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBundleBytes)
      throw new UserError(t('The bundle is larger than {0}.', formatBytes(maxBundleBytes)));
    return await vscode.workspace.fs.readFile(uri);
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(t('{0} cannot be read.', shown), { cause });
  }
}

/** Asks for the values that are lists; `undefined` if the user dismissed a question. */
async function askLists(
  manifest: BundleManifest,
  place: BundlePlace,
  frame: StepFrame,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const given = new Map<string, readonly string[]>();
  for (const { key, title, description, initial } of listsOf(manifest, place)) {
    const what = plainLabel([title, description].filter(Boolean).join(': '), 300);
    const text = await askLine({
      frame,
      prompt: vscode.l10n.t('{0} (separate several with semicolons)', what),
      value: initial.join(';'),
    });
    if (text === undefined) return undefined;
    const values = text.split(';').map((one) => one.trim());
    given.set(key, values.filter(Boolean));
  }
  return given;
}
