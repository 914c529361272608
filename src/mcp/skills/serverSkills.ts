import { listSpecs } from '../lists/listSpecs';
import type { ServerList } from '../lists/serverList';
import type { Skill } from '../protocol/skills';
import type { ReadResourceResult } from '../protocol/types';
import { canonicalJson } from '../../base/json';
import type { Session, RequestOptions } from '../session/session';
import { checkSkillFile } from './checkSkillFile';
import { KnownSkills } from './knownSkills';

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
