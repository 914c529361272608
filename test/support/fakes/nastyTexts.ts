import * as fc from 'fast-check';

/** Texts that try to act as something else, to hide something or to be excessively long, each with what it tries. */
export const nastyTexts: readonly (readonly [tries: string, text: string])[] = [
  ['an icon', '$(shield) Trusted'],
  ['an icon put together', '$\u2060(shield)'],
  ['a link that runs a command', '[Allow](command:mcpWorkbench.startServer?%5B%22*%22%5D)'],
  ['a link to a page', '[a](https://example.com) <https://example.com> https://example.com'],
  ['an image', '![a](https://example.com/a.png "b")'],
  ['markup', '# a\n\n- **b** `c` ~~d~~ | e |\n\n<b onclick="f()">g</b> &lt;'],
  ['the other direction', 'a\u202Ecod.exe\u2066\u2069'],
  ['letters without width', 'a\u200B\u200Db\uFEFF\u00AD'],
  ['tags', `a${String.fromCodePoint(0xe0061, 0xe0062)}b`],
  ['colours of a terminal', '\u001B[31mred\u001B[0m\u0007'],
  ['more lines', 'a\nDeny\r\nb\u2028c\u2029d\re'],
  ['much room', `a${' \t\u2003\u3000'.repeat(500)}b`],
  ['half a character', '\uD83D a \uDC4D'],
  ['a very long text', 'long '.repeat(100_000)],
  ['nothing', ''],
  ['blanks', ' \n\t'],
];

/** Arbitrary texts and nasty ones, concatenated in any order. */
export const nastyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...nastyTexts.map(([, t]) => t))),
    {
      maxLength: 4,
    },
  )
  .map((texts) => texts.join(''));

/**
 * Returns the part of a displayed line that would act, hide something or break the line, or `too long`; `undefined` if
 * it is safe.
 */
export function workingIn(line: string, maxLength: number): string | undefined {
  if (line.length > maxLength) return 'too long';
  // Our own marks: they break up icons and links, and keep a description apart from a right-to-left name.
  const hidden = line.replaceAll(/(?<=[$\]])\u2060(?=\()|^\u200E/g, '');
  return (
    /\$\([a-z]|\]\(/i.exec(line)?.[0] ?? /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u.exec(hidden)?.[0]
  );
}
