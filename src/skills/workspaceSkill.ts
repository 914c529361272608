import * as vscode from 'vscode';
import { sameBytes } from '../base/bytes';
import { jsonText } from '../base/text/jsonText';
import { type Skill, maxSkillBytes, pathInSkill, skillDigest } from '../mcp/protocol/skills';
import type { Server } from '../mcp/server';
import { fileExists, readFileBytes } from '../ui/documents/readTextFile';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { looksBinary } from '../base/mediaTypes';
import { revealHidden } from '../base/text/text';
import { type Translate, listText } from '../base/translate';
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

/** A file is shown unless more of the characters at its beginning than one in so many are of no text. */
const strayIn = 10;

/**
 * Formats files as one text, one after another: what they contain is indented, so that it cannot pass for the heading
 * of a file. First it names those that are not shown in full.
 */
export function filesText(
  files: Iterable<readonly [path: string, bytes: Uint8Array]>,
  t: Translate,
): string {
  const cut: string[] = [];
  const unseen: string[] = [];
  const sections = [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, bytes]) => {
      const name = revealHidden(path).replaceAll('\n', '⏎');
      const heading = `──── ${t('{0} ({1} bytes)', name, String(bytes.length))}\n\n`;
      if (isBinary(bytes)) {
        unseen.push(name);
        return `${heading}${t('(not text)')}\n`;
      }
      const text = revealHidden(new TextDecoder().decode(bytes));
      const body = text.slice(0, longestShown).replaceAll(/^(?=.)/gm, '  ');
      if (text.length <= longestShown) return `${heading}${body}\n`;
      cut.push(name);
      const more = t('{0} characters more', String(text.length - longestShown));
      return `${heading}${body}\n… ${more}\n`;
    });
  const notes = [
    ...(cut.length > 0 ? [t('Only the beginning is shown: {0}', listText(cut, t))] : []),
    ...(unseen.length > 0 ? [t('Not shown, as not text: {0}', listText(unseen, t))] : []),
  ];
  return [...(notes.length > 0 ? [`${notes.join('\n')}\n`] : []), ...sections].join('\n');
}

/** True if so much of a file is not text that nobody could read it; a single NUL hides nothing of a script. */
function isBinary(bytes: Uint8Array): boolean {
  if (!looksBinary(bytes)) return false;
  const start = new TextDecoder().decode(bytes.subarray(0, 8000));
  // oxlint-disable-next-line no-control-regex -- what no text has
  const stray = start.match(/[\u0000-\u0008\u000E-\u001A\u007F\uFFFD]/g)?.length ?? 0;
  return stray * strayIn > start.length;
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

/** Rejects where there is something that cannot be read: it would pass for nothing, and be replaced. */
async function readBytes(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return (await fileExists(uri)) ? readFileBytes(uri, maxSkillBytes) : undefined;
}
