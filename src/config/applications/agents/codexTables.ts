import { UserError } from '../../../base/errors';

/** The tables of servers in a TOML text by name, each as its keys say; throws or rejects when it cannot be read. */
export async function readTables(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml');
  return parse(text)['mcp_servers'];
}

const header = /\[\s*mcp_servers\s*[.\]]/;
const firstHeader = new RegExp(`^\\s*${header.source}`);
const fence = /^\s*(?:`{3,}|~{3,})/;
/** What a passage of TOML begins with, as prose does not. */
const goesOn = /^\s*(?:\[.*\]\s*(?:#.*)?$|#|["'\w.-]+\s*=)/;

/** True for a text that has the header of such a table, even where its lines were joined. */
export function mentionsTables(text: string): boolean {
  return header.test(text);
}

/** A text, such as a README, with JSON in place of the tables of servers in it; those that cannot be read stay. */
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
    // The reader itself is missing.
    if (error instanceof UserError) throw error;
    return undefined;
  }
}

/** How many of the lines are TOML: up to the end of their code block, or to a passage that begins as prose. */
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
