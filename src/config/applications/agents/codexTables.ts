import { UserError } from '../../../base/errors';

/** Returns the tables of servers in a TOML text, by name and in Codex's form; rejects if the text cannot be read. */
export async function readTables(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml');
  return parse(text)['mcp_servers'];
}

const header = /\[\s*mcp_servers\s*[.\]]/;
const firstHeader = new RegExp(`^\\s*${header.source}`);
const fence = /^\s*(?:`{3,}|~{3,})/;
/** How a paragraph of TOML starts, unlike one of prose. */
const goesOn = /^\s*(?:\[.*\]\s*(?:#[^\n]*)?$|#|["'\w.-]+\s*=)/;

/** True if a text has the header of such a table, even if its lines were joined. */
export function mentionsTables(text: string): boolean {
  return header.test(text);
}

/**
 * Replaces the tables of servers in a text, such as a README, with JSON; those that cannot be read stay. Rejects with
 * a `UserError` if the parser is missing.
 */
export async function withJsonTables(text: string): Promise<string> {
  const lines = text.split(/\r?\n/);
  const written: string[] = [];
  for (let at = 0; at < lines.length;) {
    const length = firstHeader.test(lines[at] ?? '') ? lengthOf(lines.slice(at)) : 0;
    const toml = lines.slice(at, at + length).join('\n');
    const tables = length > 0 && (await tryTables(toml));
    if (tables) written.push(JSON.stringify({ mcp_servers: tables }));
    else written.push(...lines.slice(at, at + Math.max(length, 1)));
    at += Math.max(length, 1);
  }
  return written.join('\n');
}

async function tryTables(toml: string): Promise<unknown> {
  try {
    return await readTables(toml);
  } catch (error) {
    // The parser itself is missing.
    if (error instanceof UserError) throw error;
    return undefined;
  }
}

/** The number of lines that are TOML: up to the end of their code block, or to a paragraph that starts like prose. */
function lengthOf(lines: readonly string[]): number {
  let length = 0;
  for (const [at, line] of lines.entries()) {
    if (fence.test(line)) break;
    if (line.trim() === '') continue;
    const isFirst = lines[at - 1]?.trim() === '';
    if (isFirst && !goesOn.test(line)) break;
    length = at + 1;
  }
  return length;
}
