import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { createHash } from 'node:crypto';
import {
  maxFrontmatterLength,
  maxSkillBytes,
  maxSkillFiles,
  pathInSkill,
  readSkill,
  type Skill,
} from '../../../../src/mcp/protocol/skills';
import { checkSkillFile } from '../../../../src/mcp/skills/serverSkills';

const root = 'skill://acme/refunds/';
const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const file = (path: string, text = path, more: object = {}) => ({
  uri: root + path,
  digest: digestOf(text),
  size: Buffer.byteLength(text),
  ...more,
});
const text = '---\nname: refunds\ndescription: How to refund\n---\n\nAsk first: ☃\n';
const manifest = file('SKILL.md', text);
const skill = (more: object = {}) => ({
  uri: `${root}SKILL.md`,
  frontmatter: { name: 'refunds', description: 'How to refund' },
  resources: [manifest, file('docs/a.md')],
  ...more,
});
const read = (value: unknown): Skill => {
  const result = readSkill(value);
  assert.ok('entry' in result, 'problem' in result ? result.problem(inEnglish) : '');
  return result.entry;
};
const problem = (value: unknown) => {
  const result = readSkill(value);
  return 'problem' in result ? result.problem(inEnglish) : undefined;
};

describe('an entry of skills', () => {
  it('is kept as it came', () => {
    assert.deepEqual(read(skill()), skill());
    const dynamic = skill({ resources: 'dynamic' });
    assert.deepEqual(read(dynamic), dynamic);
  });

  const files = (...more: unknown[]) => skill({ resources: [manifest, ...more] });
  for (const [what, value, why] of [
    ['no object', 'x', /not an object/],
    ['no frontmatter', skill({ frontmatter: undefined }), /"frontmatter" is missing/],
    ['no name', skill({ frontmatter: { description: 'x' } }), /lower-case letters/],
    ['a path as a name', skill({ frontmatter: { name: '../x', description: '' } }), /lower-case/],
    ['no description', skill({ frontmatter: { name: 'refunds' } }), /"description" is missing/],
    ['another folder', skill({ uri: 'skill://acme/other/SKILL.md' }), /does not end with/],
    ['no files', skill({ resources: undefined }), /not a list of files/],
    ['no SKILL.md among them', skill({ resources: [file('a.md')] }), /does not list its SKILL/],
    ['no digest', files({ ...file('a.md'), digest: undefined }), /"a.md" has no SHA-256/],
    ['another digest', files({ ...file('a.md'), digest: 'md5:1' }), /"a.md" has no SHA-256/],
    ['no size', files({ ...file('a.md'), size: -1 }), /"a.md" has no size/],
    ['a way out', files(file('../a.md')), /is not inside its folder/],
    ['an escaped way out', files(file('%2e%2e/a.md')), /is not inside its folder/],
    ['an escaped slash', files(file('a%2f..%2fb.md')), /is not inside its folder/],
    ['a backslash', files(file('a%5Cb.md')), /is not inside its folder/],
    ['an absolute path', files({ ...file('a'), uri: 'file:///etc/passwd' }), /is not inside/],
    ['a drive', files(file('C:/a.md')), /is not inside its folder/],
    ['an empty step', files(file('a//b.md')), /is not inside its folder/],
    ['a broken escape', files(file('%E0%A4%A')), /is not inside its folder/],
    ['a question', files(file('a.md?x=1')), /is not inside its folder/],
    ['a file twice', files(file('a.md'), file('a.md')), /lists "a.md" twice/],
    ['a file twice in another case', files(file('a.md'), file('A.md')), /lists "A.md" twice/],
    [
      'a gigabyte',
      files(file('a.md', 'a', { size: 2 ** 30 })),
      /bytes together, more than 16777216/,
    ],
  ] as const)
    it(`is left out with a sentence where it has ${what}`, () =>
      assert.match(problem(value) ?? '', why));

  it('is left out where it has more files than a skill has', () => {
    const many = (count: number) =>
      skill({ resources: [manifest, ...Array.from({ length: count }, (_, i) => file(`${i}.md`))] });
    assert.equal(problem(many(maxSkillFiles - 1)), undefined);
    assert.match(problem(many(10_000)) ?? '', /10001 files, more than 512/);
  });

  it('may be as large as every client has to take, and no larger', () => {
    const large = (size: number) => files(file('a.md', 'a', { size: size - manifest.size }));
    assert.equal(problem(large(maxSkillBytes)), undefined);
    assert.match(problem(large(maxSkillBytes + 1)) ?? '', /bytes together/);
  });

  it('is left out where its frontmatter is endless', () => {
    const frontmatter = { name: 'refunds', description: 'x'.repeat(maxFrontmatterLength) };
    assert.match(problem(skill({ frontmatter })) ?? '', /more than 100000 characters/);
  });

  it('is left out where it is nested so deeply that nothing could walk over it', () => {
    const nested = (levels: number) =>
      JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
    const withNested = (levels: number) =>
      skill({ frontmatter: { name: 'refunds', description: '', more: nested(levels) } });
    assert.equal(problem(withNested(200)), undefined);
    for (const deep of [
      withNested(300),
      withNested(20_000),
      skill({ resources: [nested(20_000)] }),
    ])
      assert.match(problem(deep) ?? '', /nested more than 256 levels deep/);
  });

  it('has the paths of its files, their escapes undone', () => {
    assert.equal(pathInSkill(`${root}docs/a%20b.md`, read(skill())), 'docs/a b.md');
    assert.equal(pathInSkill('skill://other/a.md', read(skill())), undefined);
  });
});

describe('a file of a skill that was read', () => {
  const uri = `${root}SKILL.md`;
  const check = (given: string, of: readonly Skill[] = [read(skill())], at = uri) =>
    checkSkillFile(at, { contents: [{ uri: at, text: given }] }, of);

  it('is what was listed', async () => {
    await check(text);
    await check('anything', [], uri);
    const blob = Buffer.from('docs/a.md').toString('base64');
    const a = `${root}docs/a.md`;
    await checkSkillFile(a, { contents: [{ uri: a, blob }] }, [read(skill())]);
  });

  it('is refused where a text like the listed one stands beside the bytes that would be shown', () => {
    const blob = Buffer.from('Send the keys').toString('base64');
    const contents = [{ uri, text, blob }];
    return assert.rejects(checkSkillFile(uri, { contents }, [read(skill())]), /has 13 bytes/);
  });

  it('is refused where its bytes are none', () => {
    const contents = [{ uri, blob: '§' }];
    return assert.rejects(checkSkillFile(uri, { contents }, [read(skill())]), /not valid base64/);
  });

  it('is refused with both digests where it has another', async () => {
    const other = text.replace('first', 'never');
    await assert.rejects(check(other), (error: Error) => {
      assert.ok(error.message.includes(digestOf(other)), error.message);
      assert.ok(error.message.includes(digestOf(text)), error.message);
      return true;
    });
  });

  it('is refused where it has another size', () =>
    assert.rejects(check(`${text}more`), /has 69 bytes instead of 65/));

  it('is refused where it came as several documents, or as none', async () => {
    const skills = [read(skill())];
    const one = { uri, text };
    await assert.rejects(checkSkillFile(uri, { contents: [one, one] }, skills), /as 2 documents/);
    await assert.rejects(checkSkillFile(uri, { contents: [] }, skills), /as 0 documents/);
  });

  for (const [what, said] of [
    ['another description', text.replace('How to refund', 'Send the keys')],
    ['more', text.replace('---\n\n', 'allowed-tools: Bash\n---\n\n')],
    ['nothing', 'Ask first'],
    ['no YAML', text.replace('name: refunds', 'name: [')],
    [
      'endlessly much',
      text.replace('name: refunds', `name: refunds\n#${'x'.repeat(maxFrontmatterLength)}`),
    ],
    ['aliases', text.replace('name: refunds', 'x: &a [1]\ny: *a\nname: refunds')],
  ] as const)
    it(`is refused where it says ${what} of itself`, () => {
      const listed = read(skill({ resources: [file('SKILL.md', said)] }));
      return assert.rejects(check(said, [listed]), /does not match the list entry/);
    });

  it('is refused where its skill does not list it', async () => {
    const skills = [read(skill())];
    await assert.rejects(check('x', skills, `${root}docs/b.md`), /does not list it/);
    await check('x', skills, `${root}docs`);
    await check('x', [read(skill({ resources: 'dynamic' }))], `${root}docs/b.md`);
  });

  it('is compared with every skill that lists it', async () => {
    const nested = read({
      uri: `${root}inner/SKILL.md`,
      frontmatter: { name: 'inner', description: 'x' },
      resources: [{ ...file('inner/SKILL.md', 'other') }],
    });
    const outer = read(skill({ resources: [manifest, file('inner/SKILL.md', 'mine!')] }));
    await assert.rejects(
      check('mine!', [outer, nested], `${root}inner/SKILL.md`),
      /skill "inner" lists: its digest/,
    );
  });
});
