import { jsonText } from '../base/text/jsonText';
import { revealHidden } from '../base/text/text';
import { pathInSkill, type Skill } from '../mcp/protocol/skills';
import type { Server } from '../mcp/server';

/**
 * Returns everything that a server says about a skill, with hidden characters made visible: this is what the user
 * approves.
 */
export function skillText(server: Pick<Server, 'name'>, skill: Skill): string {
  const { uri, frontmatter, resources } = skill;
  const files =
    resources === 'dynamic'
      ? ['dynamic: the files are made anew each time, and cannot be checked']
      : resources.map(
          (file) =>
            `${pathInSkill(file.uri, skill) ?? file.uri}\n  ${file.size} bytes, ${file.digest}`,
        );
  return revealHidden(
    [
      `Server: ${server.name}`,
      `Skill: ${uri}`,
      '',
      'What it says of itself:',
      jsonText(frontmatter, 2),
      '',
      'Files:',
      ...files,
      '',
    ].join('\n'),
  );
}

/** Lists the files of a skill for a model, which reads those that it needs. */
export function fileListText(server: Pick<Server, 'name'>, skill: Skill): string {
  const { frontmatter, resources } = skill;
  return [
    `The instructions in SKILL.md are those of the skill "${frontmatter.name}" of the MCP server "${server.name}".`,
    `Relative paths in them are the following resources of that server. Read those that are needed, from the server "${server.name}":`,
    '',
    ...(resources === 'dynamic' ? [skill.uri] : resources.map(({ uri }) => uri)).map(
      (uri) => `- ${uri}`,
    ),
    '',
  ].join('\n');
}
