import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { jsonText } from '../../../../src/base/text/jsonText';
import {
  formatBytes,
  hasHidden,
  plainLabel,
  longestMessage,
  plainMessage,
  readableText,
  revealHidden,
  terminalJson,
  terminalText,
  truncate,
  truncateMiddle,
} from '../../../../src/base/text/text';

describe('text of servers', () => {
  const hiddenCharacters: readonly (readonly [string, string])[] = [
    ['a right-to-left override', '\u202E'],
    ['a first strong isolate', '\u2068'],
    ['a zero-width space', '\u200B'],
    ['a zero-width joiner', '\u200D'],
    ['a word joiner', '\u2060'],
    ['a byte order mark', '\uFEFF'],
    ['a soft hyphen', '\u00AD'],
    ['an escape, which begins colours of terminals', '\u001B'],
    ['a backspace', '\b'],
    ['a null', '\0'],
    ['a C1 control', '\u0085'],
    ['a delete', '\u007F'],
    ['a carriage return that would overwrite the line', '\r'],
    ['a tag letter', '\u{E0041}'],
    ['a selector of a variant that there is not', '\uFE05'],
    ['a code point that is kept for characters to ignore', '\uFFF0'],
    ['a blank of Braille', '\u2800'],
    ['a filler of the Khitan script', '\u{16FE4}'],
    ['a blank among hieroglyphs', '\u{13441}'],
    ['half a blank among hieroglyphs', '\u{13442}'],
    ['a joiner of Tifinagh', '\u2D7F'],
    ['what stands for an object, of which browsers draw nothing', '\uFFFC'],
    ['a note without a head', '\u{1D159}'],
    ['a variation selector that carries data', '\u{E0100}'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
    ['a Hangul filler', '\u3164'],
    ['a half-width Hangul filler', '\uFFA0'],
    ['a combining grapheme joiner', '\u034F'],
    ['a Mongolian vowel separator', '\u180E'],
    ['the first half of a character', '\uD83D'],
    ['the second half of a character', '\uDC4D'],
  ];

  for (const [name, character] of hiddenCharacters) {
    it(`shows ${name}`, () => {
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      assert.equal(revealHidden(`a${character}b`), `a⟨U+${code}⟩b`);
      assert.equal(hasHidden(`a${character}b`), true);
    });
  }

  const visible = ['ASCII', 'naïve café', '日本語', 'שלום', 'हिन्दी', '👍🏽', 'tab\tand\nline'];
  for (const text of visible) {
    it(`leaves "${text}" as it is`, () => {
      assert.equal(revealHidden(text), text);
      assert.equal(hasHidden(text), false);
    });
  }

  // The table of Unicode's property Default_Ignorable_Code_Point, which is not asked of the engine here.
  const ignorable: readonly (readonly [from: number, to: number])[] = [
    [0x00ad, 0x00ad],
    [0x034f, 0x034f],
    [0x061c, 0x061c],
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
    [0x180b, 0x180f],
    [0x200b, 0x200f],
    [0x202a, 0x202e],
    [0x2060, 0x206f],
    [0x3164, 0x3164],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xfff0, 0xfff8],
    [0x1bca0, 0x1bca3],
    [0x1d173, 0x1d17a],
    [0xe0000, 0xe0fff],
  ];

  it('shows every code point that programs may leave out, after whatever it stands', () => {
    const codes = ignorable.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, at) => from + at),
    );
    assert.equal(codes.length, 4174);
    for (const code of codes) {
      const character = String.fromCodePoint(code);
      const shown = `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
      for (const before of ['', 'a', '1', '漢', '❤\uFE0F', '👍\uFE0E']) {
        assert.equal(revealHidden(before + character), before + shown, shown);
        assert.equal(hasHidden(before + character), true, shown);
      }
      // What may stand between two emoji is one joiner, and nothing else.
      for (const [before, after] of [
        ['👩', '💻'],
        ['a', '💻'],
        ['1', '💻'],
        ['🏽', '💻'],
        ['👩\uFE0E', '💻'],
        ['👩\u200D', '💻'],
        ['\u{1FC00}', '💻'],
        ['👩', '\u{1FC00}'],
        ['👩', 'a'],
        ['👩', '1'],
        ['👩', '🏽'],
        ['👩', '\u200D💻'],
      ] as const) {
        if (code === 0x200d && before === '👩' && after === '💻') continue;
        const revealed = revealHidden(before + character + after);
        const seen =
          /^\uFE0E|^\uFE0F/.test(character) && /\p{Emoji}$/u.test(before) && before !== '1';
        assert.equal(revealed.includes(shown), !seen, `${before}${shown}${after}: ${revealed}`);
      }
    }
  });

  const joined = [
    '👩\u200D💻',
    '👩🏽\u200D💻',
    '👩\u200D❤\uFE0F\u200D💋\u200D👨🏿',
    '🏳\uFE0F\u200D🌈',
    '🏃🏻\u200D♂\uFE0F',
    '👨\u200D👩\u200D👧\u200D👦',
    '🐦\u200D⬛',
  ];
  for (const text of joined)
    it(`keeps the joiners of ${text}, and no two in a row`, () => {
      assert.equal(revealHidden(text), text);
      assert.equal(hasHidden(text), false);
      assert.equal(readableText(`\uFEFF${text}`), text);
      const twice = revealHidden(text.replaceAll('\u200D', '\u200D\u200D'));
      assert.ok(twice.includes('⟨U+200D⟩⟨U+200D⟩'), twice);
      assert.ok(!twice.includes('\u200D'), twice);
      for (let length = 9_990; length <= 10_000; length += 1) {
        const begin = 'x'.repeat(length);
        assert.equal(revealHidden(begin + text), begin + text);
      }
      for (let length = 1; length < text.length; length += 1)
        for (const cut of [truncate(text, length), truncateMiddle(text, length)])
          assert.doesNotMatch(cut, /\u200D…|…\uFE0F?\u200D|^\u200D|\u200D$/);
    });

  it('drops a mark of its encoding that a document begins with, and no other one', () => {
    assert.equal(readableText('\uFEFFa\r\n'), 'a\r\n');
    assert.equal(readableText('\uFEFF\uFEFFa\uFEFF'), '⟨U+FEFF⟩a⟨U+FEFF⟩');
    assert.equal(revealHidden('\uFEFFa'), '⟨U+FEFF⟩a');
  });

  it('keeps one selector of an emoji, and no sentence in many of them', () => {
    const seen = ['❤\uFE0F', '☎\uFE0E', '©\uFE0F', '1\uFE0F\u20E3', '👍🏽\uFE0F', 'a ✔\uFE0F b'];
    for (const text of seen) assert.equal(revealHidden(text), text);
    assert.equal(revealHidden('❤\uFE0F\uFE0E\uFE0F'), '❤\uFE0F⟨U+FE0E⟩⟨U+FE0F⟩');
    assert.equal(revealHidden('1\uFE0F2\uFE0E'), '1⟨U+FE0F⟩2⟨U+FE0E⟩');
    assert.equal(revealHidden('❤\uFE00'), '❤⟨U+FE00⟩');
  });

  it('takes the line ends of Windows for line ends', () => {
    assert.equal(revealHidden('a\r\nb'), 'a\nb');
    assert.equal(hasHidden('a\r\nb'), false);
  });

  it('leaves nothing hidden, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !hasHidden(revealHidden(text))));
  });

  it('shows a character alike beside others that are hidden, and beside none', () => {
    for (let code = 0; code <= 0x10ffff; code += code < 0xe0200 ? 1 : 251) {
      const character = String.fromCodePoint(code);
      assert.equal(revealHidden(`${character}\0`), `${revealHidden(character)}⟨U+0000⟩`);
    }
  });

  it('shows each character where two pieces of a long text meet as anywhere', () => {
    const characters = [
      ...hiddenCharacters.map(([, character]) => character),
      '👍',
      '\r\n',
      '❤\uFE0F',
      '1\uFE0F\u20E3',
      ...joined,
    ];
    for (const length of [9_998, 9_999, 10_000])
      for (const character of characters) {
        const begin = 'x'.repeat(length);
        for (const text of [character, `\r${character}`, `\uD83D${character}`])
          assert.equal(revealHidden(begin + text), begin + revealHidden(text));
      }
  });

  it('changes nothing that was revealed already', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = revealHidden(text);
        assert.equal(revealHidden(once), once);
      }),
    );
  });
});

describe('labels', () => {
  it('are one line without space around', () => {
    assert.equal(plainLabel('  a\n\tb\r\n c  '), 'a b c');
  });

  it('do not parse as icons', () => {
    assert.doesNotMatch(plainLabel('$(trash) Delete $($(x)'), /\$\(/);
  });

  for (const target of [
    'command:workbench.action.quit',
    'https://example.com',
    'file:///etc/passwd',
  ])
    it(`have no link to ${target}`, () => {
      // The editor's own rule for links in notifications, and below quick picks and input boxes.
      const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
      const text = `Please [log in](${target} "at once")`;
      assert.match(text, link);
      assert.doesNotMatch(plainLabel(text), link);
      assert.doesNotMatch(plainMessage(text), link);
    });

  it('stay as they are when they become part of another', () => {
    const label = plainLabel('$(trash) [a](command:b)');
    assert.equal(plainMessage(label), label);
  });

  it('are cut where they are longer than a message', () =>
    assert.equal(plainMessage('x'.repeat(5000)).length, longestMessage));

  it('show hidden characters', () => {
    assert.equal(plainLabel('pay\u202Eload'), 'pay⟨U+202E⟩load');
  });

  it('are at most as long as asked for, but for what breaks icons up', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(300), (text, limit) => {
        const label = plainLabel(text, limit + 1).replaceAll('\u2060', '');
        assert.ok(label.length <= limit + 1, `${label.length} > ${limit + 1}`);
        assert.doesNotMatch(label, /\n/);
      }),
    );
  });
});

describe('truncated text', () => {
  it('is the text itself where it is short enough', () => {
    assert.equal(truncate('four', 4), 'four');
  });

  it('ends with an ellipsis in place of what was cut', () => {
    assert.equal(truncate('fives', 4), 'fiv…');
  });

  it('never ends in half of a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, limit) => {
        for (const cut of [truncate(text, limit + 1), truncateMiddle(text, limit + 1)]) {
          assert.ok(cut.length <= limit + 1);
          assert.ok(cut.isWellFormed());
        }
      }),
    );
  });

  it('keeps its beginning and its end where it is cut in the middle', () => {
    assert.equal(truncateMiddle('four', 4), 'four');
    assert.equal(truncateMiddle('/home/ada/.vscode/mcp.json', 15), '/home/a…cp.json');
  });
});

describe('numbers of bytes', () => {
  const table: readonly (readonly [number, string])[] = [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1549, '1.5 kB'],
    [9_960, '10 kB'],
    [12_345, '12 kB'],
    [999_999, '1 MB'],
    [64_000_000, '64 MB'],
    [2_500_000_000, '2.5 GB'],
    [7e12, '7000 GB'],
  ];
  for (const [bytes, text] of table) {
    it(`reads ${text} for ${bytes}`, () => assert.equal(formatBytes(bytes), text));
  }
});

describe('JSON for people', () => {
  const table: readonly (readonly [unknown, string])[] = [
    [{ a: [1] }, '{"a":[1]}'],
    ['x', '"x"'],
    [null, 'null'],
    [undefined, ''],
  ];
  for (const [value, text] of table) {
    it(`of ${text || 'nothing'}`, () => assert.equal(jsonText(value), text));
  }

  it('can be indented', () => assert.equal(jsonText([1], 2), '[\n  1\n]'));

  it('says so where a value is nested too deep', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    assert.match(jsonText(deep), /nested too deep/);
  });

  it('does not hide what else may be wrong with a value', () => {
    assert.throws(() => jsonText(1n), TypeError);
  });
});

describe('a text for a terminal', () => {
  for (const [text, shown] of [
    ['a\nb', 'a\n    b'],
    ['a\n    b\n', 'a\n    b\n'],
    ['no\n12 passed (0.1 s)', 'no\n    12 passed (0.1 s)'],
    ['::stop-commands::k', '⟨U+003A⟩:stop-commands::k'],
    ['x\n  ::add-mask::a', 'x\n      ⟨U+003A⟩:add-mask::a'],
    ['a::b C:\\d', 'a::b C:\\d'],
    ['a ##vso[task.setvariable]b ##[error]', 'a ⟨U+0023⟩#vso[task.setvariable]b ⟨U+0023⟩#[error]'],
    ['::a\n\u00A0\u3000::error::b', '⟨U+003A⟩:a\n    \u00A0\u3000⟨U+003A⟩:error::b'],
    ["##teamcity[a '##octopus[b", "⟨U+0023⟩#teamcity[a '⟨U+0023⟩#octopus[b"],
    ['## heading', '## heading'],
    ['a\u001B[31;1mb\u001B[0m\u009B1mc\u001B(B', 'abc'],
    ['\u001B[0m::error::a', '⟨U+003A⟩:error::a'],
    ['a\u001B[2J\rb', 'a⟨U+001B⟩[2J⟨U+000D⟩b'],
  ] as const)
    it(`passes for no line of a program, and is no command: ${JSON.stringify(text)}`, () =>
      assert.equal(terminalText(text), shown));

  it('means the same as JSON', () => {
    const value = { a: '##vso[x]\u202E##[y] ##teamcity[w] ## z' };
    const json = terminalJson(JSON.stringify(value));
    assert.doesNotMatch(json, /##\w*\[|\u202E/);
    assert.deepEqual(JSON.parse(json), value);
  });
});
