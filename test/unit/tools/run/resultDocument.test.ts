import assert from 'node:assert/strict';
import { formatBytes } from '../../../../src/base/text/text';
import { inEnglish, type LocalizableMessage } from '../../../../src/base/translate';
import type { CallToolResult, ContentBlock, JsonObject } from '../../../../src/mcp/protocol/types';
import { maxTextInside, resultDocument } from '../../../../src/tools/run/resultDocument';
import { deepJson, tooDeep } from '../../../support/fakes/deepJson';
import { fakeServer, tool } from '../../../support/fakes/fakeServer';

const words = {
  t: inEnglish,
  error: 'An error.',
  structured: 'Structured',
  empty: 'Nothing.',
  arguments: 'Arguments',
  made: 'allowed by you, today',
  showCall: 'Run Again',
};

function documentOf(
  result: Partial<CallToolResult>,
  problems: readonly LocalizableMessage[] = [],
  args: JsonObject = {},
) {
  return resultDocument(
    {
      server: fakeServer(),
      tool: tool({ name: 'do/it', title: '*Do* it' }),
      arguments: args,
      origin: { kind: 'user', action: undefined },
    },
    { content: [], isError: false, ...result },
    problems,
    words,
  );
}

const text = (value: string): ContentBlock => ({ type: 'text', text: value });

describe('A result as a document', () => {
  for (const [what, result] of [
    ['text', { content: [text('ok')] }],
    ['JSON', { content: [text('{}')] }],
    ['Markdown', { content: [text('a'), text('b')] }],
  ] as const)
    it(`has its call beside it, without secrets, where it is ${what}`, () => {
      const { call, name } = documentOf(result, [], { path: '/a', password: 'hunter2' });
      const { server, tool: called, arguments: args, decision } = JSON.parse(call.text);
      assert.deepEqual(
        [server, called, args.path, decision],
        [fakeServer().name, 'do/it', '/a', words.made],
      );
      assert.doesNotMatch(call.text, /hunter2/);
      assert.notEqual(call.name, name);
    });

  it('begins with who allowed it, a link to its call, and the arguments, literally', () => {
    const link = '![x](command:evil)```';
    const { text: shown, call } = documentOf({ content: [text('a'), text('b')] }, [], {
      link,
      token: 'hunter2',
      long: 'x'.repeat(100_000),
    });
    const [, head, label, args = ''] = shown.split('\n\n');
    assert.match(head ?? '', /^Allowed by you, today · \[Run Again\]\(<\.\/[\w%.-]+>\)$/);
    assert.ok(head?.includes(encodeURIComponent(call.name)));
    assert.equal(label, '**Arguments**');
    assert.match(args, /^````json\n[^]*````$|^````text\n[^]*````$/);
    assert.ok(args.length < 6000);
    assert.doesNotMatch(shown, /hunter2/);
  });

  it('keeps the name of its call from what the server sends', () => {
    const { call, name } = documentOf({});
    for (const own of [call.name, name]) {
      const link = { type: 'resource_link', name: own, uri: `file:///${own}` } as const;
      const { links } = documentOf({ content: [link] });
      assert.equal(links.length, 1);
      assert.ok(![call.name, name].includes(links[0]?.name ?? ''));
    }
  });

  it('is plain text where it is only that', () => {
    const { name, text: shown, isMarkdown } = documentOf({ content: [text('# as *is*\u202E')] });
    assert.deepEqual([shown, isMarkdown], ['# as *is*\u202E', false]);
    assert.match(name, /\.txt$/);
    assert.doesNotMatch(name, /\//);
  });

  it('says of what is nested too deep to be shown that it is', () => {
    const structured = [deepJson(), { a: deepJson() }, [{ a: 1 }, { a: deepJson() }]];
    for (const structuredContent of structured)
      assert.match(documentOf({ structuredContent }).text, tooDeep);
    const json = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const both = documentOf({ content: [text(json)], structuredContent: deepJson() });
    assert.match(both.text, tooDeep);
    assert.equal(documentOf({ content: [text(json)] }).text, json);
  });

  it('is indented JSON where the text is JSON', () => {
    const { name, text: shown } = documentOf({ content: [text('{"a":[1]}')] });
    assert.equal(shown, '{\n  "a": [\n    1\n  ]\n}');
    assert.match(name, /\.json$/);
  });

  it('keeps the text and the structured content where they differ', () => {
    const { text: shown } = documentOf({
      content: [text('Sunny')],
      structuredContent: { degrees: 20 },
    });
    assert.match(shown, /Sunny/);
    assert.match(shown, /"degrees": 20/);
  });

  it('shows structured content once where the text repeats it', () => {
    const structuredContent = { people: [{ id: 1 }] };
    const { text: shown } = documentOf({
      content: [text(JSON.stringify(structuredContent))],
      structuredContent,
    });
    assert.equal(shown.match(/"people"/g)?.length, 1);
    assert.match(shown, /\| id \|\n\| --- \|\n\| 1 \|/);
  });

  it('makes no table of lists that are not of flat objects', () => {
    for (const structuredContent of [[1, 2], [{ a: {} }], [{ a: 1 }, 2], [], { a: [{}], b: [{}] }])
      assert.doesNotMatch(documentOf({ structuredContent }).text, /\| ---/);
  });

  it('lets nothing that a server wrote work as Markdown', () => {
    const evil =
      '![x](https://example.invalid/leak.png) [y](command:z) <img src=x> $(trash) | # ```\n````\n![b](https://b)';
    const { text: shown, call } = documentOf(
      {
        content: [
          text(evil),
          {
            type: 'resource_link',
            uri: 'file:///`[a](b)`',
            name: evil,
            title: evil,
            description: evil,
          },
          { type: 'resource', resource: { uri: evil, text: evil } },
          { type: 'image', data: '***', mimeType: evil },
        ],
        structuredContent: [{ [evil]: evil }],
        isError: true,
      },
      [() => evil],
    );
    const outside = shown
      .replace(`[${words.showCall}](<./${encodeURIComponent(call.name)}>)`, '')
      .replaceAll(/^(`{3,})\w*\n[^]*?\n\1$/gm, '')
      .replaceAll(/\\./g, '')
      .replaceAll(/`[^`\n]*`/g, '')
      .replace(/\[[^\n[\]]*\]\(<\.\/[\w%*'()!~.-]+>\)/, '');
    assert.doesNotMatch(outside, /[[<`]|\$\(/);
  });

  it('links to resources as documents beside it, under names of their own', () => {
    const named = ['a]b', 'x)', '../../x', 'a]b'];
    const { text: shown, links } = documentOf({
      content: named.map((name, i) => ({
        type: 'resource_link',
        uri: `file:///etc/${i}`,
        name,
      })),
    });
    assert.deepEqual(
      links.map(({ uri }) => uri),
      named.map((_, i) => `file:///etc/${i}`),
    );
    assert.equal(new Set(links.map(({ name }) => name)).size, named.length);
    for (const { name } of links) {
      assert.doesNotMatch(name, /[/\\]|^\./);
      assert.ok(shown.includes(`](<./${encodeURIComponent(name)}>)`), name);
    }
    assert.match(shown, /\[a\\\]b\]/);
    assert.doesNotMatch(shown, /\(<?file:/);
  });

  it('puts media beside it, under names of their own', () => {
    const data = Buffer.from('bytes').toString('base64');
    const { files, text: shown } = documentOf({
      content: [
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'audio', data, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'x:///../a.bin', blob: data } },
        { type: 'resource', resource: { uri: 'y:///a.bin', blob: data } },
      ],
    });
    const names = files.map(({ name }) => name);
    assert.equal(new Set(names).size, 4);
    assert.match(shown, /!\[image\\\/png|!\[image\/png/);
    for (const { name, content } of files) {
      assert.doesNotMatch(name, /[/\\]|^\./);
      assert.ok(shown.includes(`(<./${encodeURIComponent(name)}>)`), name);
      assert.equal(Buffer.from(content).toString(), 'bytes');
    }
    assert.match(names[0] ?? '', /\.png$/);
  });

  it('has a player for what is sound by its bytes, which knows its length and plays nothing before it is wanted', () => {
    const wav = Buffer.from('RIFF0000WAVEfmt ').toString('base64');
    const { files, text: shown } = documentOf({
      content: [
        { type: 'audio', data: wav, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'x:///a"b\'>.ogg', blob: btoa('OggS') } },
        { type: 'audio', data: btoa('<html>'), mimeType: 'audio/wav' },
        { type: 'image', data: btoa('\x89PNG\r\n\x1a\n'), mimeType: 'image/png' },
      ],
    });
    const [first, second] = files.map(({ name }) => encodeURIComponent(name));
    assert.deepEqual(
      shown.match(/<audio.*/g),
      [first, second].map((name) => `<audio controls preload="metadata" src="./${name}"></audio>`),
    );
    assert.doesNotMatch(second ?? '', /["<>]/);
  });

  it('has a long text beside it, and says how many bytes that is', () => {
    const long = '€'.repeat(maxTextInside + 1);
    const { files, text: shown } = documentOf({ content: [text(long)], isError: true });
    const [file] = files;
    assert.equal(Buffer.from(file?.content ?? []).toString(), long);
    assert.ok(shown.includes(formatBytes(3 * long.length)), shown.slice(-100));
  });

  it('survives content that is nested without end', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 50_000; i += 1) deep = [deep];
    const { text: shown } = documentOf({
      content: [
        text(`${'['.repeat(50_000)}1${']'.repeat(50_000)}`),
        { type: 'unknown', value: deep },
      ],
      structuredContent: deep,
    });
    assert.equal(shown.match(/nested too deep/g)?.length, 2);
    assert.ok(shown.includes('['.repeat(50_000)));
  });

  it('says what is an error, a problem, or nothing at all', () => {
    assert.match(documentOf({ content: [text('x')], isError: true }).text, /An error/);
    assert.match(
      documentOf({ content: [text('x')] }, [() => 'Not as promised.']).text,
      /Not as promised/,
    );
    assert.match(documentOf({}).text, /Nothing/);
  });
});
