import * as vscode from 'vscode';
import { sameBytes } from '../base/bytes';
import { jsonText } from '../base/text/jsonText';
import { type Skill, pathInSkill, skillDigest } from '../mcp/protocol/skills';
import type { Server } from '../mcp/server';
import { fileExists } from '../ui/documents/readTextFile';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { looksBinary } from '../base/mediaTypes';
import { revealHidden } from '../base/text/text';
import type { Translate } from '../base/translate';
import {
  type ReadFile,
  type SkillOrigin,
  originFile,
  readSkillOrigin,
  skillSteps,
  skillsPlace,
} from './skillFiles';

/** Longer files are cut when all files are shown together, in UTF-16 units. */
const longestShown = 100_000;

/** Formats files as one text, one after another; of files that are not text, only the size is shown. */
export function filesText(
  files: Iterable<readonly [path: string, bytes: Uint8Array]>,
  t: Translate,
): string {
  return [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, bytes]) => {
      const title = t('{0} ({1} bytes)', path, String(bytes.length));
      return `──── ${title}\n\n${shown(bytes, t)}\n`;
    })
    .join('\n');
}

function shown(bytes: Uint8Array, t: Translate): string {
  if (looksBinary(bytes)) return t('(not text)');
  const text = revealHidden(new TextDecoder().decode(bytes));
  if (text.length <= longestShown) return text;
  const more = t('{0} characters more', String(text.length - longestShown));
  return `${text.slice(0, longestShown)}\n… ${more}`;
}

/** The folder of a skill in a workspace, and what is in it. */
export interface WorkspaceSkill {
  readonly folder: vscode.Uri;
  readonly origin: SkillOrigin | undefined;
  readonly exists: boolean;
  /** The files that were saved, and those that saving would overwrite, as they are now, by their paths. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** Looks up a skill in a workspace folder; rejects with a `UserError` if a link leads out of it. */
export async function findWorkspaceSkill(
  root: vscode.Uri,
  skill: Skill,
  writer: WorkspaceWriter,
): Promise<WorkspaceSkill> {
  const { name } = skill.frontmatter;
  const folder = vscode.Uri.joinPath(root, ...skillsPlace, name);
  await writer.check(vscode.Uri.joinPath(folder, originFile), root);
  const origin = readSkillOrigin(await readText(vscode.Uri.joinPath(folder, originFile)));
  const found = new Map<string, Uint8Array<ArrayBuffer>>();
  const resources = skill.resources === 'dynamic' ? [] : skill.resources;
  const coming = resources.map(({ uri }) => pathInSkill(uri, skill) ?? uri);
  for (const path of new Set([...Object.keys(origin?.files ?? {}), ...coming])) {
    const uri = vscode.Uri.joinPath(folder, ...skillSteps(path));
    await writer.check(uri, root);
    const bytes = await readBytes(uri);
    if (bytes) found.set(path, Uint8Array.from(bytes));
  }
  return { folder, origin, exists: await fileExists(folder), files: found };
}

/** Returns the paths of files that were changed after they were saved, or created where new ones are to be saved. */
export async function changedByHand({ origin, files }: WorkspaceSkill): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [path, bytes] of files)
    if (origin?.files[path] !== (await skillDigest(bytes))) changed.push(path);
  return changed;
}

/**
 * Writes the files of a skill, removes those that it no longer has, and records where they came from. Files that
 * the user changed stay as they are or are copied beside their replacements; resolves with the paths of the
 * copies.
 */
export async function writeWorkspaceSkill(
  root: vscode.Uri,
  before: WorkspaceSkill,
  of: {
    readonly server: Server;
    readonly skill: Skill;
    readonly read: readonly ReadFile[];
    /** True if files that the user changed are not replaced. */
    readonly keepsChanges: boolean;
  },
  writer: WorkspaceWriter,
): Promise<readonly string[]> {
  const { server, skill, read, keepsChanges } = of;
  const base = [...skillsPlace, skill.frontmatter.name];
  const { folder } = before;
  const at = (path: string) => vscode.Uri.joinPath(folder, ...skillSteps(path));
  for (const { path } of read) await writer.check(at(path), root);
  const coming = new Set(read.map(({ path }) => path));
  const byHand = new Set(await changedByHand(before));
  const aside: string[] = [];
  for (const { path, bytes } of read) {
    const mine = before.files.get(path);
    const isChanged = mine !== undefined && byHand.has(path) && !sameBytes(mine, bytes);
    if (isChanged && keepsChanges) continue;
    if (isChanged) aside.push(await putAside(root, [...base, ...skillSteps(path)], mine, writer));
    await writer.write(at(path), bytes, root);
  }
  for (const path of before.files.keys())
    if (!coming.has(path) && !byHand.has(path)) await writer.remove(at(path), root);
  const digests: Record<string, string> = {};
  for (const { path, bytes } of read) digests[path] = await skillDigest(bytes);
  const origin: SkillOrigin = { server: server.id, uri: skill.uri, files: digests };
  const note = vscode.Uri.joinPath(folder, originFile);
  await writer.write(note, `${jsonText(origin, 2)}\n`, root);
  return aside;
}

/** Writes the old content of a file beside it, under an unused name, and resolves with the path of the copy. */
async function putAside(
  root: vscode.Uri,
  path: readonly string[],
  bytes: Uint8Array,
  writer: WorkspaceWriter,
): Promise<string> {
  for (let count = 1; ; count += 1) {
    const copy = [...path.slice(0, -1), `${path.at(-1)}.mine${count === 1 ? '' : count}`];
    const uri = vscode.Uri.joinPath(root, ...copy);
    if (await fileExists(uri)) continue;
    await writer.write(uri, bytes, root);
    return vscode.workspace.asRelativePath(uri);
  }
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
  const bytes = await readBytes(uri);
  return bytes && new TextDecoder().decode(bytes);
}

async function readBytes(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch {
    return undefined;
  }
}
