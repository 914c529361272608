import type { NamedTool } from '../../contracts/toolNames';

/** A tool that scores less shares no word with the query. */
const minScore = 1;

/**
 * Finds the tools that match a query best, by the words of their names, titles, servers, descriptions and
 * parameters.
 */
export function searchTools<T extends NamedTool<{ readonly name: string }>>(
  tools: Iterable<T>,
  query: string,
  limit: number,
): readonly T[] {
  const wanted = [...new Set(words(query))];
  const entries = [...tools].map((entry) => ({ entry, fields: fieldsOf(entry) }));
  const frequency = new Map(
    wanted.map((word) => [
      word,
      entries.filter(({ fields }) => fields.some(({ text }) => text.includes(word))).length,
    ]),
  );
  return entries
    .map(({ entry, fields }) => ({
      entry,
      score: wanted.reduce((sum, word) => {
        // A word that few tools have says more than one that many have.
        const rarity = 1 + Math.log(entries.length / (frequency.get(word) || 1));
        const weight = Math.max(0, ...fields.map((each) => matchWeight(each, word)));
        return sum + weight * rarity;
      }, 0),
    }))
    .filter(({ score }) => wanted.length === 0 || score >= minScore)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ entry }) => entry);
}

interface Field {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly weight: number;
}

function fieldsOf({ server, tool }: NamedTool<{ readonly name: string }>): Field[] {
  const parameters = Object.keys(Object(tool.inputSchema['properties']) as object).join(' ');
  return [
    field(`${tool.name} ${tool.title ?? ''}`, 4),
    field(server.name, 2),
    field(tool.description ?? '', 2),
    field(parameters, 1),
  ];
}

function field(text: string, weight: number): Field {
  const all = words(text);
  return { text: all.join(' '), words: new Set(all), weight };
}

function matchWeight({ text, words: own, weight }: Field, word: string): number {
  if (own.has(word)) return weight;
  return word.length > 2 && text.includes(word) ? weight / 2 : 0;
}

/** Returns the words of a text in lower case; names such as `readFile` or `read_file` are split into several. */
function words(text: string): readonly string[] {
  return (
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
