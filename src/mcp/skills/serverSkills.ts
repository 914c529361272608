import { type LiveList, listSpecs } from '../lists/listSpecs';
import type { ServerList } from '../lists/serverList';
import { type Skill, readSkill } from '../protocol/skills';
import type { ReadResourceResult } from '../protocol/types';
import { type JsonRecord, canonicalJson } from '../../base/json';
import type { RequestOptions, Session } from '../session/session';
import { checkSkillFile } from './checkSkillFile';
import { UserError } from '../../base/errors';

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
