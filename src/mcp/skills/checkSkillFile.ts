import { UserError } from '../../base/errors';
import { isRecord, canonicalJson } from '../../base/json';
import type { LocalizableMessage } from '../../base/translate';
import { contentBytes } from '../protocol/content';
import {
  pathInSkill,
  skillDigest,
  skillRoot,
  type Skill,
  type SkillFile,
} from '../protocol/skills';
import type { ReadResourceResult } from '../protocol/types';

/** An occurrence of a URI among the skills of a server. */
interface Place {
  readonly skill: Skill;
  readonly file: SkillFile;
}

const places = new WeakMap<readonly Skill[], ReadonlyMap<string, readonly Place[]>>();

/**
 * Throws a `UserError` if a file of a skill is not what the skill's entry says: if its bytes or its frontmatter
 * differ, or the skill does not list it. A digest does not prove good intentions, only that the content is what
 * was announced.
 */
export async function checkSkillFile(
  uri: string,
  { contents }: ReadResourceResult,
  skills: readonly Skill[],
): Promise<void> {
  const found = placesOf(skills).get(uri) ?? [];
  if (found.length === 0) return refuseUnlisted(uri, skills);
  const [content, ...more] = contents;
  if (!content || more.length > 0)
    throw new UserError((t) =>
      t('{0} is a file of a skill, but came as {1} documents.', uri, String(contents.length)),
    );
  const bytes = contentBytes(content);
  const digest = await skillDigest(bytes);
  for (const { skill, file } of found) {
    if (file.size !== bytes.length)
      throw new UserError((t) =>
        t(
          '{0} is not the file that the skill "{1}" lists: it has {2} bytes instead of {3}. {4}',
          uri,
          skill.frontmatter.name,
          String(bytes.length),
          String(file.size),
          refresh(t),
        ),
      );
    if (file.digest !== digest)
      throw new UserError((t) =>
        t(
          '{0} is not the file that the skill "{1}" lists: its digest is {2} instead of {3}. {4}',
          uri,
          skill.frontmatter.name,
          digest,
          file.digest,
          refresh(t),
        ),
      );
    if (uri === skill.uri) await checkFrontmatter(new TextDecoder().decode(bytes), skill);
  }
}

const refresh: LocalizableMessage = (t) =>
  t('It is not shown. If the skill was updated, refresh the list and review it again.');

/** Throws a `UserError` if the frontmatter in a skill's `SKILL.md` differs from that in its entry. */
async function checkFrontmatter(text: string, { uri, frontmatter }: Skill): Promise<void> {
  const [, yaml] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const { parse } = await import('yaml');
  let said: unknown;
  try {
    // Aliases may expand to more than fits into memory.
    said = yaml === undefined ? undefined : parse(yaml, { maxAliasCount: 0 });
  } catch {
    said = undefined;
  }
  if (isRecord(said) && canonicalJson(asJson(said)) === canonicalJson(frontmatter)) return;
  throw new UserError((t) =>
    t(
      '{0} does not match the list entry of the skill "{1}". {2}',
      uri,
      frontmatter.name,
      refresh(t),
    ),
  );
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function placesOf(skills: readonly Skill[]): ReadonlyMap<string, readonly Place[]> {
  const known = places.get(skills);
  if (known) return known;
  const made = new Map<string, Place[]>();
  for (const skill of skills)
    for (const file of skill.resources === 'dynamic' ? [] : skill.resources)
      made.set(file.uri, [...(made.get(file.uri) ?? []), { skill, file }]);
  places.set(skills, made);
  return made;
}

function refuseUnlisted(uri: string, skills: readonly Skill[]): void {
  const owner = skills.find(
    (skill) => skill.resources !== 'dynamic' && pathInSkill(uri, skill) !== undefined,
  );
  if (!owner || owner.resources === 'dynamic') return;
  // A folder with listed files is not a file itself.
  if (owner.resources.some((file) => file.uri.startsWith(`${uri}/`))) return;
  throw new UserError((t) =>
    t(
      '{0} is in the folder of the skill "{1}" ({2}), which does not list it. {3}',
      uri,
      owner.frontmatter.name,
      skillRoot(owner),
      refresh(t),
    ),
  );
}
