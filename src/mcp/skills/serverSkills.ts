import { type LiveList, listSpecs } from '../lists/listSpecs';
import type { ServerList } from '../lists/serverList';
import {
  type Skill,
  type SkillFile,
  maxFrontmatterLength,
  pathInSkill,
  readSkill,
  skillDigest,
  skillRoot,
} from '../protocol/skills';
import type { ReadResourceResult } from '../protocol/types';
import { type JsonRecord, canonicalJson, isRecord } from '../../base/json';
import type { RequestOptions, Session } from '../session/session';
import { UserError } from '../../base/errors';
import type { LocalizableMessage } from '../../base/translate';
import { contentBytes } from '../protocol/content';

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
  // What is longer cannot be what the entry has, and would hold the window.
  const isReadable = yaml !== undefined && yaml.length <= maxFrontmatterLength;
  let said: unknown;
  try {
    // Aliases may expand to more than fits into memory.
    said = isReadable ? parse(yaml, { maxAliasCount: 0 }) : undefined;
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

/** At most this many skills are remembered in addition to those in the list; the oldest are discarded. */
export const maxHeldSkills = 200;

/** The known skills of a server: those in its list, and those that were requested by their URIs. */
export class KnownSkills {
  private readonly list: Pick<LiveList<Skill>, 'items'>;
  /** Each with the list at that time: a later list takes precedence if it has the skill, too. */
  private readonly held = new Map<string, { skill: Skill; listed: readonly Skill[] }>();
  private merged: readonly Skill[] = [];
  private mergedWith: readonly Skill[] | undefined;

  constructor(list: Pick<LiveList<Skill>, 'items'>) {
    this.list = list;
  }

  /** The skills that are known now; the same array until something changes. */
  get all(): readonly Skill[] {
    const { items } = this.list;
    if (this.mergedWith === items) return this.merged;
    const listed = new Set(items.map(({ uri }) => uri));
    for (const [uri, one] of this.held)
      if (one.listed !== items && listed.has(uri)) this.held.delete(uri);
    const others = items.filter(({ uri }) => !this.held.has(uri));
    this.merged =
      this.held.size === 0 ? items : [...others, ...[...this.held.values()].map(heldSkill)];
    this.mergedWith = items;
    return this.merged;
  }

  /** Remembers and returns the skill in the answer to `skills/get`; throws a `UserError` if it is not that skill. */
  take(uri: string, { skill: value }: JsonRecord): Skill {
    const read = readSkill(value);
    if ('problem' in read) throw new UserError(read.problem);
    const { entry } = read;
    if (entry.uri !== uri)
      throw new UserError((t) =>
        t('The server was asked for the skill {0} and answered with another.', uri),
      );
    this.held.delete(uri);
    this.held.set(uri, { skill: entry, listed: this.list.items });
    const [oldest] = this.held.keys();
    if (this.held.size > maxHeldSkills && oldest !== undefined) this.held.delete(oldest);
    this.mergedWith = undefined;
    return entry;
  }
}

const heldSkill = ({ skill }: { readonly skill: Skill }): Skill => skill;

/** The skills of one server; checks what is read of them against their entries. */
export class ServerSkills {
  private readonly list: ServerList<Skill>;
  private readonly known: KnownSkills;

  constructor(list: ServerList<Skill>) {
    this.list = list;
    this.known = new KnownSkills(list);
  }

  /** Requests the current entry of a skill, even one not in the list; its files are checked against it from then on. */
  async get(session: Session, uri: string, options?: RequestOptions): Promise<Skill> {
    if (!listSpecs.skills.isOffered(session.info.capabilities))
      throw new Error('it has no skills.');
    const skill = this.known.take(uri, await session.request('skills/get', { uri }, options));
    const listed = this.list.items.find((one) => one.uri === uri);
    if (listed && canonicalJson(listed) !== canonicalJson(skill)) this.list.invalidate();
    return skill;
  }

  /** Rejects with a `UserError` if what was read is a file of a skill but not what its entry says. */
  check(uri: string, result: ReadResourceResult): Promise<void> {
    return checkSkillFile(uri, result, this.known.all);
  }
}
