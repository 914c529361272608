import { looksBinary } from '../base/mediaTypes';
import { revealHidden } from '../base/text/text';
import type { Translate } from '../base/translate';
import { contentBytes } from '../mcp/protocol/content';
import { pathInSkill, type Skill, type SkillFile } from '../mcp/protocol/skills';
import type { Server } from '../mcp/server';

/** A file of a skill as it was read, and checked against its digest. */
export interface ReadFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A skill whose files are known and can be checked. */
export type StaticSkill = Skill & { readonly resources: readonly SkillFile[] };

/** Longer files are cut when all files are shown together, in UTF-16 units. */
const longestShown = 100_000;

/** Reads all files of a skill; rejects if one does not match what the skill lists. */
export async function readSkillFiles(
  server: Server,
  skill: StaticSkill,
  signal: AbortSignal,
): Promise<readonly ReadFile[]> {
  const files: ReadFile[] = [];
  for (const { uri } of skill.resources) {
    const { contents } = await server.readResource(uri, { signal });
    const [content = { uri }] = contents;
    files.push({ path: pathInSkill(uri, skill) ?? uri, bytes: contentBytes(content) });
  }
  return files;
}

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
