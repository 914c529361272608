import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';

interface Pattern {
  readonly file: string;
  readonly pattern: string;
  readonly flags: string;
}

/** Collects the patterns that a piece of the tree of a file writes out. */
function collect(node: unknown, file: string, into: Pattern[]): void {
  if (typeof node !== 'object' || node === null) return;
  if ('regex' in node) into.push({ file, ...(node.regex as { pattern: string; flags: string }) });
  for (const [key, value] of Object.entries(node))
    if (key !== 'regex' && key !== 'value') collect(value, file, into);
}

async function patternsOfCode(): Promise<readonly Pattern[]> {
  // A program of the system that these tests were installed on: others cannot load it.
  const { parseSync } = await import('oxc-parser');
  const found: Pattern[] = [];
  for (const folder of ['src', 'cli'])
    for (const name of readdirSync(join(repositoryRoot, folder), {
      recursive: true,
      encoding: 'utf8',
    })) {
      if (!name.endsWith('.ts')) continue;
      const text = readFileSync(join(repositoryRoot, folder, name), 'utf8');
      collect(parseSync(name, text).program, `${folder}/${name}`, found);
    }
  return found;
}

const common = [
  ' ',
  '\t',
  '\n',
  '\u2028',
  'a',
  'A',
  '0',
  '.',
  '-',
  '/',
  '\\',
  '"',
  '<',
  '[',
  '{',
  '=',
  ':',
];
const pairs = ['a ', 'a.', 'a/', ' \n', '" ', '-a', '0.', ', ', '[a', '\\"'];

/** Returns the texts that a pattern has letter by letter, signs that it escapes among them, such as its beginning. */
function literalsOf(pattern: string): readonly string[] {
  const runs = pattern.match(/(?:\\[^\w\s]|(?<!\\)[\w<>/:"'`=@~%&#!;, -])+/g) ?? [];
  return runs.map((run) => run.replaceAll('\\', '')).filter((text) => text.length > 1);
}

/** Returns the first of the signs that each part of a pattern leaves out, which end what it has taken. */
function leftOut(pattern: string): readonly string[] {
  const classes = pattern.matchAll(/\[\^(\\?.)/gs);
  const plain = Array.from(classes, ([, sign = '']) => sign.replace(/^\\([^\w])/, '$1'));
  return plain.filter((sign) => sign.length === 1);
}

/**
 * Returns what texts that a pattern takes long for may be made of, which is what is in itself and what is in many, and
 * what they may begin and end with.
 */
function partsFor({ pattern }: Pattern) {
  const plain = pattern.replaceAll(/\\[pPuxkdDwWsSbB](?:\{[^}]*\})?/g, '').replaceAll('\\', '');
  const words = plain.match(/[\w<>/:"'`=-]{2,12}/g) ?? [];
  const units = [
    ...new Set([
      ...common,
      ...pairs,
      ...Array.from(plain).slice(0, 30),
      ...words.slice(0, 8),
      ...literalsOf(pattern).slice(0, 4),
    ]),
  ];
  const [first = ''] = plain.replace(/^[\^(?:=!<]+/, '');
  return {
    units,
    begins: [
      ...new Set(['', 'x', first, ...words.slice(0, 1).flatMap((word) => [word, `${word}x`])]),
    ],
    // What a pattern has taken to its end, it does not read again.
    ends: ['\u0001', ...new Set(/\$(?:\)|$)/.test(pattern) ? leftOut(pattern) : [])],
  };
}

/** Returns ms of this process, or of the clock on Windows, which tells how long a process computed in steps of 15 ms. */
const msSoFar = () =>
  process.platform === 'win32' ? performance.now() : process.cpuUsage().user / 1000;

/** Returns how many ms of the processor a pattern takes at least for a text: a busy machine makes it wait, not work. */
function msFor({ pattern, flags }: Pattern, text: string, tries: number): number {
  const made = new RegExp(pattern, flags.replace('y', ''));
  let least = Infinity;
  for (let at = 0; at < tries; at += 1) {
    const begun = msSoFar();
    made.lastIndex = 0;
    if (made.global) text.replaceAll(made, '');
    else made.test(text);
    least = Math.min(least, msSoFar() - begun);
  }
  return least;
}

/** So often a text is repeated at first, but a single sign twice as often: what is long counts as often as what is short. */
const fewTimes = 2000;

/** True if a pattern takes a text for longer than some ms each time: a process collects its garbage now and then, too. */
const takesOver = (ms: number, pattern: Pattern, text: string) =>
  msFor(pattern, text, 1) > ms && msFor(pattern, text, 3) > ms;

/** Returns the kind of text that a pattern takes more and more time for, the longer that is; `undefined` for none. */
function weakness(pattern: Pattern): string | undefined {
  const { units, begins, ends } = partsFor(pattern);
  const around = begins.flatMap((before) => ends.map((after) => [before, after] as const));
  return units.find((unit) =>
    around.some(([before, after]) => {
      const made = (times: number) => `${before}${unit.repeat(times)}${after}`;
      const few = unit.length === 1 ? 2 * fewTimes : fewTimes;
      // What doubles with each letter would not come back from a text of hundreds, however fast the machine.
      if ([22, 24, 26, 28, 30, 400].some((times) => takesOver(60, pattern, made(times))))
        return true;
      // Four times the text takes sixteen times as long, or more.
      if (!takesOver(4, pattern, made(few))) return false;
      return takesOver(10 * msFor(pattern, made(few), 3), pattern, made(4 * few));
    }),
  );
}

describe('a pattern of our own, which texts of others are held against,', function () {
  this.timeout(120_000);

  it('takes no more time than the text is long, whatever that repeats', async () => {
    const found = await patternsOfCode();
    assert.ok(found.length > 300, String(found.length));
    const weak = found.flatMap((one) => {
      const unit = weakness(one);
      return unit === undefined ? [] : [{ ...one, unit }];
    });
    assert.deepEqual(weak, []);
  });

  for (const pattern of [
    /\/+$/,
    /^\s*(\w*)\s*$/,
    /^a:\s*(.+?)\s*$/m,
    /(a+)+$/,
    /\$\{some:([^}]*)\}/,
    /[:@][^/]*$/,
    /(.)@[^/]*$/,
  ])
    it(`is found where it takes longer: ${pattern}`, () => {
      const { source, flags } = pattern;
      assert.notEqual(weakness({ file: 'a.ts', pattern: source, flags }), undefined);
    });
});
