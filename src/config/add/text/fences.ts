/** At most this many blocks are read per text. */
const maxBlocks = 20;

/** Returns the contents of the code blocks in a Markdown text. */
export function fencedBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let fence: string | undefined;
  let block: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) {
      blocks.push(block.join('\n'));
      if (blocks.length === maxBlocks) break;
      fence = undefined;
      block = [];
    } else block.push(line);
  }
  return blocks;
}
