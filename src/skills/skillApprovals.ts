import { isRecord } from '../base/json';
import { StoredList, type Memento } from '../base/memento';
import { fingerprint } from '../base/bytes';
import type { Skill } from '../mcp/protocol/skills';
import type { Server } from '../mcp/server';
import { skillText } from './skillText';

/** The most skills that are remembered as approved; the oldest are discarded. */
export const maxApprovedSkills = 200;

/** How much of a text is kept to show later what has changed, in UTF-16 units. */
const longestText = 100_000;

interface Approved {
  readonly server: string;
  readonly uri: string;
  readonly fingerprint: string;
  readonly text: string;
  /** The text of its `SKILL.md` when it was last used. */
  readonly instructions?: string;
}

/**
 * What the user has decided about a skill; `before` is its text when it was last approved, `instructions` that of
 * its `SKILL.md` when it was last used.
 */
export type SkillStatus =
  | { readonly kind: 'approved' }
  | { readonly kind: 'new' }
  | {
      readonly kind: 'changed';
      readonly before: string;
      readonly instructions: string | undefined;
    };

/** The skills that the user approved, each bound to its whole entry and to the launch of its server. */
export class SkillApprovals {
  private readonly kept: StoredList<Approved>;

  constructor(store: Memento) {
    this.kept = new StoredList(store, 'approvedSkills', {
      max: maxApprovedSkills,
      isEntry: isApproved,
    });
  }

  async statusOf(server: Server, skill: Skill): Promise<SkillStatus> {
    const known = this.find(server, skill);
    // Nothing is guaranteed about content that is generated each time.
    if (!known || skill.resources === 'dynamic') return { kind: 'new' };
    return known.fingerprint === (await entryFingerprint(server, skill))
      ? { kind: 'approved' }
      : { kind: 'changed', before: known.text, instructions: known.instructions };
  }

  async approve(server: Server, skill: Skill): Promise<void> {
    const { uri } = skill;
    const text = keptText(skillText(server, skill));
    const { instructions } = this.find(server, skill) ?? {};
    await this.put({
      server: server.id,
      uri,
      fingerprint: await entryFingerprint(server, skill),
      text,
      ...(instructions !== undefined && { instructions }),
    });
  }

  /** Keeps the instructions of an approved skill as they are now, to show later what has changed in them. */
  async used(server: Server, skill: Skill, instructions: string): Promise<void> {
    const known = this.find(server, skill);
    const kept = keptText(instructions);
    if (known && known.instructions !== kept) await this.put({ ...known, instructions: kept });
  }

  private find({ id }: Server, { uri }: Skill): Approved | undefined {
    return this.kept.all.find((one) => one.server === id && one.uri === uri);
  }

  private put(entry: Approved): Promise<void> {
    const { server, uri } = entry;
    return this.kept.put(entry, (one) => one.server === server && one.uri === uri);
  }
}

/** Returns as much of a text as is kept; its end says how much is missing, which did not necessarily change. */
function keptText(text: string): string {
  const more = text.length - longestText;
  return more > 0 ? `${text.slice(0, longestText)}\n… ${more} characters more` : text;
}

async function entryFingerprint(server: Server, skill: Skill): Promise<string> {
  return fingerprint({ launch: await server.launchFingerprint(), skill });
}

function isApproved(value: unknown): value is Approved {
  if (!isRecord(value)) return false;
  const { server, uri, fingerprint: known, text, instructions = '' } = value;
  return [server, uri, known, text, instructions].every((one) => typeof one === 'string');
}
