/** `title`: all major words are capitalized, as in `Open in Browser`; `sentence`: only the first word and names are. */
export type LetterCase = 'title' | 'sentence';

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** Articles, conjunctions and short prepositions, which are lowercase inside a title. */
const small = setOf(
  'a an and as at but by for from in into nor of on onto or over per so the to up via with yet',
);

/** Verbs that form a phrasal verb with the next word, which is then capitalized in a title. */
const phrasal = setOf('Sign Turn');

const names = setOf(
  'Agent Authorization Chat Command Copilot Developer Enter Escape Git JavaScript Markdown Node Palette Plugins Python Roots Schemas Tab Unicode Windows Workbench',
);

const lowerNames = setOf('npm npx');

/** Text whose case does not count: code, quotations, emphasis, links, icons, placeholders, URLs, mentions. */
const asItIs =
  /`[^`]*`|"[^"]*"|“[^”]*”|\*[^*]+\*|\[[^\]]*\]\([^)]*\)|\$\([\w-]+\)|\{\d\}|⟨[^⟩]*⟩|https?:\S*|@\w+/g;

/**
 * Returns the cases that a text is written in: both for `Continue`, none for a mixture. Parentheses after a title may
 * contain a sentence. `titles`, sorted longest first, may appear unchanged in a sentence.
 */
export function casesOf(text: string, titles: readonly string[] = []): ReadonlySet<LetterCase> {
  const [head = '', ...rest] = text.replaceAll(asItIs, '0').split(/\s\(|\)/);
  const found = new Set<LetterCase>();
  if (isTitle(head) && rest.every((part) => isTitle(part) || isSentence(part))) found.add('title');
  const own = titles.filter((title) => bare(title) !== bare(text));
  const around = own.reduce((left, title) => left.replaceAll(title, '0'), text);
  if (isSentence(around.replaceAll(asItIs, '0'))) found.add('sentence');
  return found;
}

function bare(title: string): string {
  return title.replace(/…$/, '');
}

function isTitle(text: string): boolean {
  const words = wordsOf(text);
  return words.every((word, index) => {
    const isInside = index > 0 && index < words.length - 1 && !phrasal.has(words[index - 1] ?? '');
    if (isInside && small.has(word.toLowerCase())) return word === word.toLowerCase();
    return isWrittenSo(word) || /^[^a-z]/.test(word);
  });
}

function isSentence(text: string): boolean {
  // A placeholder at the start may stand for a whole sentence.
  return text
    .replace(/^0 (?=[A-Z])/, '')
    .split(/[.?!…:;]\s+|\n|\(/)
    .every((sentence) =>
      wordsOf(sentence)
        .slice(1)
        .every((word) => /^[^A-Z]/.test(word) || isWrittenSo(word)),
    );
}

function wordsOf(text: string): readonly string[] {
  return text
    .split(/[\s/]+/)
    .map((word) => word.replaceAll(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, ''))
    .filter((word) => word !== '');
}

/** True for names, abbreviations, file names and identifiers, whose case never changes. */
function isWrittenSo(word: string): boolean {
  const isCode = /^[^a-z]{2,}s?$|[a-z][A-Z]|[._=\d]|^[A-Z]\w*(?:-[A-Z]\w*)+$/.test(word);
  return isCode || names.has(word) || lowerNames.has(word);
}
