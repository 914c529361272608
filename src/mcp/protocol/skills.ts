import { toHex } from '../../base/bytes';
import { isRecord, type JsonRecord } from '../../base/json';
import type { LocalizableMessage } from '../../base/translate';
import { entryLength, nestedTooDeeply, type ReadEntry } from './entries';

/** At most this many files per skill, and this many bytes in total: what every client must at least accept. */
export const maxSkillFiles = 512;
export const maxSkillBytes = 16_777_216;

/** The longest frontmatter of a skill as JSON, in UTF-16 units. */
export const maxFrontmatterLength = 100_000;

/** A file of a skill, with the digest (`sha256:…`) and the number of its bytes. */
export interface SkillFile {
  readonly uri: string;
  readonly digest: string;
  readonly size: number;
}

/** Instructions for a model that a server offers as a folder of files (Agent Skills, SEP-2640). */
export interface Skill {
  /** The URI of its `SKILL.md`. */
  readonly uri: string;
  /** The frontmatter of its `SKILL.md`, as JSON. */
  readonly frontmatter: JsonRecord & { readonly name: string; readonly description: string };
  /** All of its files; `dynamic` if the server cannot promise anything about them. */
  readonly resources: readonly SkillFile[] | 'dynamic';
}

const skillName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const digestForm = /^sha256:[0-9a-f]{64}$/;
const longestName = 64;
const manifest = 'SKILL.md';

/** Reads an entry of `skills/list`, or the one from `skills/get`; an incomplete or invalid one is left out. */
export const readSkill: ReadEntry<Skill> = (value) => {
  if (!isRecord(value))
    return { problem: (t) => t('An entry that is not an object was left out: {0}.', t('skill')) };
  const { uri, frontmatter, resources } = value;
  const name = isRecord(frontmatter) ? frontmatter['name'] : undefined;
  const entry = { uri, frontmatter, resources };
  const length = entryLength(entry);
  if (length === Infinity) return { problem: nestedTooDeeply((t) => t('skill')) };
  const problem = problemOf(uri, frontmatter, resources);
  if (problem !== undefined) return { problem: leftOut(name, problem) };
  return { entry: entry as Skill, length };
};

function leftOut(name: unknown, why: LocalizableMessage): LocalizableMessage {
  return (t) =>
    typeof name === 'string'
      ? t('The skill "{0}" was left out: {1}', name.slice(0, longestName), why(t))
      : t('The skill was left out: {0}', why(t));
}

/** Returns the digest of bytes in the format of skill entries. */
export async function skillDigest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return `sha256:${toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`;
}

/** Returns the URI of a skill's folder, with a trailing slash. */
export function skillRoot({ uri }: Pick<Skill, 'uri'>): string {
  return uri.slice(0, -manifest.length);
}

/** Returns the path of a file inside the folder of its skill; `undefined` if it is outside or unsafe. */
export function pathInSkill(uri: string, skill: Pick<Skill, 'uri'>): string | undefined {
  const root = skillRoot(skill);
  if (!uri.startsWith(root) || /[?#]/.test(uri)) return undefined;
  try {
    const steps = uri.slice(root.length).split('/').map(decodeURIComponent);
    // oxlint-disable-next-line no-control-regex -- no file system takes them in a name
    const isSound = (step: string) => !/^\.{0,2}$|[/\\:\u0000-\u001f]/.test(step);
    return steps.every(isSound) ? steps.join('/') : undefined;
  } catch {
    return undefined;
  }
}

function problemOf(
  uri: unknown,
  frontmatter: unknown,
  resources: unknown,
): LocalizableMessage | undefined {
  if (!isRecord(frontmatter)) return (t) => t('its "frontmatter" is missing.');
  const { name, description } = frontmatter;
  if (typeof name !== 'string' || name.length > longestName || !skillName.test(name))
    return (t) => t('its name is not made of lower-case letters, digits and single hyphens.');
  if (typeof description !== 'string') return (t) => t('its "description" is missing.');
  if (JSON.stringify(frontmatter).length > maxFrontmatterLength)
    return (t) =>
      t('its "frontmatter" has more than {0} characters.', String(maxFrontmatterLength));
  if (typeof uri !== 'string' || !uri.endsWith(`/${name}/${manifest}`))
    return (t) => t('its "uri" does not end with "{0}/{1}".', name, manifest);
  if (resources === 'dynamic') return undefined;
  if (!Array.isArray(resources)) return (t) => t('its "resources" are not a list of files.');
  return filesProblem(resources as readonly unknown[], { uri });
}

function filesProblem(
  files: readonly unknown[],
  skill: Pick<Skill, 'uri'>,
): LocalizableMessage | undefined {
  if (files.length > maxSkillFiles)
    return (t) =>
      t('it has {0} files, more than {1}.', String(files.length), String(maxSkillFiles));
  const paths = new Set<string>();
  let bytes = 0;
  for (const file of files) {
    const { uri, digest, size } = isRecord(file) ? file : {};
    const path = typeof uri === 'string' ? pathInSkill(uri, skill) : undefined;
    if (path === undefined)
      return (t) => t('its file {0} is not inside its folder.', JSON.stringify(uri));
    // If names differ only in case, one file would overwrite the other.
    if (paths.has(path.toLowerCase())) return (t) => t('it lists "{0}" twice.', path);
    paths.add(path.toLowerCase());
    if (typeof digest !== 'string' || !digestForm.test(digest))
      return (t) => t('its file "{0}" has no SHA-256 digest.', path);
    if (typeof size !== 'number' || !Number.isInteger(size) || size < 0)
      return (t) => t('its file "{0}" has no size.', path);
    bytes += size;
  }
  if (bytes > maxSkillBytes)
    return (t) =>
      t('its files have {0} bytes together, more than {1}.', String(bytes), String(maxSkillBytes));
  return paths.has(manifest.toLowerCase())
    ? undefined
    : (t) => t('it does not list its {0}.', manifest);
}
