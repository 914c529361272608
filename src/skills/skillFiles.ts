import { UserError } from '../base/errors';
import { isRecord, parseJson } from '../base/json';
import { sanitize } from '../base/text/fileName';
import { contentBytes } from '../mcp/protocol/content';
import { ErrorCode, findRpcError } from '../mcp/protocol/rpcError';
import { type Skill, type SkillFile, pathInSkill } from '../mcp/protocol/skills';
import type { RequestOptions } from '../mcp/session/session';
import type { Server } from '../mcp/server';
import { checkSkillFile } from '../mcp/skills/serverSkills';

/** A skill and the server that offers it. */
export interface SkillEntry {
  readonly server: Server;
  readonly skill: Skill;
}

/** A skill whose files are known and can be checked. */
export type StaticSkill = Skill & { readonly resources: readonly SkillFile[] };

/** True for a skill that is not generated anew on each request. */
export const isStatic = (skill: Skill): skill is StaticSkill => skill.resources !== 'dynamic';

/** Asks the server again before a listed skill is used, because its entry may be out of date. */
export async function currentSkill(
  { server, skill }: SkillEntry,
  options?: RequestOptions,
): Promise<SkillEntry> {
  try {
    return { server, skill: await server.getSkill(skill.uri, options) };
  } catch (error) {
    if (findRpcError(error)?.code === ErrorCode.methodNotFound) return { server, skill };
    throw error;
  }
}

/** A file of a skill as it was read, and checked against its digest. */
export interface ReadFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reads a file of a skill; rejects if it does not match what this entry lists, whatever the server has listed since. */
export async function readSkillFile(
  { server, skill }: SkillEntry,
  uri: string,
  signal: AbortSignal,
): Promise<ReadFile> {
  const result = await server.readResource(uri, { signal });
  await checkSkillFile(uri, result, [skill]);
  const [content = { uri }] = result.contents;
  return { path: pathInSkill(uri, skill) ?? uri, bytes: contentBytes(content) };
}

/** Reads all files of a skill; rejects if one does not match what the skill lists. */
export async function readSkillFiles(
  server: Server,
  skill: StaticSkill,
  signal: AbortSignal,
): Promise<readonly ReadFile[]> {
  const files: ReadFile[] = [];
  for (const { uri } of skill.resources)
    files.push(await readSkillFile({ server, skill }, uri, signal));
  return files;
}

/** Where agents look for skills, below a workspace folder. */
export const skillsPlace = ['.agents', 'skills'] as const;

/** At most this many saved skills of a folder are compared with those of a server. */
export const maxSavedSkills = 1000;

/** The file beside those of a skill that records where they came from and what they were. */
export const originFile = '.mcp-skill.json';

/** What is recorded about a skill that was saved. */
export interface SkillOrigin {
  readonly server: string;
  readonly uri: string;
  /** The digest of each file by its path, as it was saved. */
  readonly files: Readonly<Record<string, string>>;
}

/** Reads what was recorded; `undefined` if it is no such record. */
export function readSkillOrigin(text: string | undefined): SkillOrigin | undefined {
  const value = parseJson(text ?? '');
  if (!isRecord(value) || !isRecord(value['files'])) return undefined;
  const { server, uri, files } = value;
  const isWhole = [server, uri, ...Object.values(files)].every((one) => typeof one === 'string');
  return isWhole ? (value as unknown as SkillOrigin) : undefined;
}

/** True if what was saved is this skill of this server, in any version. */
export function isOfSkill(origin: SkillOrigin, server: Server, skill: Skill): boolean {
  return origin.server === server.id && origin.uri === skill.uri;
}

/** Splits a path into segments, each of which every file system accepts; throws if one is not accepted. */
export function skillSteps(path: string): readonly string[] {
  const segments = path.split('/');
  if (segments.every((segment) => segment === sanitize(segment)) && path !== originFile)
    return segments;
  throw new UserError((t) => t('{0} is not a file name.', path));
}
