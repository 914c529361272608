import assert from 'node:assert/strict';
import { neverAborted } from '../../../src/base/async';
import { inEnglish } from '../../../src/base/translate';
import { type Skill, skillDigest } from '../../../src/mcp/protocol/skills';
import { maxApprovedSkills, SkillApprovals } from '../../../src/skills/skillApprovals';
import { readSkillFile } from '../../../src/skills/skillFiles';
import { filesText } from '../../../src/skills/workspaceSkill';
import { fileListText, skillText } from '../../../src/skills/skillText';
import { createMementoOf } from '../../support/fakes/memento';
import { fakeServer } from '../../support/fakes/fakeServer';

const skill = (more: Partial<Skill> = {}): Skill => ({
  uri: 'skill://refunds/SKILL.md',
  frontmatter: { name: 'refunds', description: 'How to refund' },
  resources: [{ uri: 'skill://refunds/SKILL.md', digest: `sha256:${'0'.repeat(64)}`, size: 7 }],
  ...more,
});

describe('What is approved of skills', () => {
  it('is one as it was, of the server as it was', async () => {
    const server = fakeServer();
    const approvals = new SkillApprovals(createMementoOf());
    assert.deepEqual(await approvals.statusOf(server, skill()), { kind: 'new' });
    await approvals.approve(server, skill());
    assert.deepEqual(await approvals.statusOf(server, skill()), { kind: 'approved' });
    const other = fakeServer({ id: 'other' });
    assert.deepEqual(await approvals.statusOf(other, skill()), { kind: 'new' });

    const before = skillText(server, skill());
    const changed = { kind: 'changed', before, instructions: undefined };
    const { uri } = skill();
    const resources = [{ uri, digest: `sha256:${'1'.repeat(64)}`, size: 8 }];
    assert.deepEqual(await approvals.statusOf(server, skill({ resources })), changed);
    server.options.args = ['--elsewhere'];
    assert.deepEqual(await approvals.statusOf(server, skill()), changed);
  });

  it('keeps what the instructions were when it was used last, through another approval', async () => {
    const server = fakeServer();
    const approvals = new SkillApprovals(createMementoOf());
    await approvals.used(server, skill(), 'never approved');
    await approvals.approve(server, skill());
    await approvals.used(server, skill(), 'Ask first');
    await approvals.approve(server, skill());
    const frontmatter = { name: 'refunds', description: 'Other' };
    const standing = await approvals.statusOf(server, skill({ frontmatter }));
    assert.ok(standing.kind === 'changed');
    assert.equal(standing.instructions, 'Ask first');
  });

  it('keeps the beginning of endless instructions, and only once as long as they stay the same', async () => {
    const server = fakeServer();
    const store = createMementoOf();
    const approvals = new SkillApprovals(store);
    await approvals.approve(server, skill());
    const endless = 'x'.repeat(150_000);
    await approvals.used(server, skill(), endless);
    const kept = store.get('approvedSkills');
    await approvals.used(server, skill(), endless);
    assert.ok(store.get('approvedSkills') === kept);
    const frontmatter = { name: 'refunds', description: 'Other' };
    const standing = await approvals.statusOf(server, skill({ frontmatter }));
    assert.ok(standing.kind === 'changed');
    assert.match(standing.instructions ?? '', /^x{100000}\n… 50000 characters more$/);
  });

  it('is nothing where the content is made anew each time', async () => {
    const server = fakeServer();
    const approvals = new SkillApprovals(createMementoOf());
    const dynamic = skill({ resources: 'dynamic' });
    await approvals.approve(server, dynamic);
    assert.deepEqual(await approvals.statusOf(server, dynamic), { kind: 'new' });
  });

  it('is what makes sense of what was kept', async () => {
    const approvals = new SkillApprovals(createMementoOf([null, 'x', { server: 'demo' }]));
    assert.deepEqual(await approvals.statusOf(fakeServer(), skill()), { kind: 'new' });
  });

  it('are two hundred at most, the latest', async () => {
    const server = fakeServer();
    const store = createMementoOf();
    const approvals = new SkillApprovals(store);
    for (let index = 0; index <= maxApprovedSkills; index += 1)
      await approvals.approve(server, skill({ uri: `skill://${index}/SKILL.md` }));
    const first = await approvals.statusOf(server, skill({ uri: 'skill://0/SKILL.md' }));
    assert.deepEqual(first, { kind: 'new' });
    assert.equal((store.get('approvedSkills') as unknown[]).length, maxApprovedSkills);
  });
});

describe('The texts of a skill', () => {
  it('show hidden characters of what its server says', () => {
    const hidden = skill({ frontmatter: { name: 'refunds', description: 'a\u200bb' } });
    assert.ok(!skillText({ name: 'demo' }, hidden).includes('\u200b'));
  });

  it('tell a model whose instructions they are, and where the files are', () => {
    const text = fileListText({ name: 'demo' }, skill());
    assert.match(text, /skill "refunds" of the MCP server "demo"/);
    assert.match(text, /^- skill:\/\/refunds\/SKILL\.md$/m);
  });

  it('have every file in the order of its path, and no bytes of what is not text', () => {
    const text = filesText(
      [
        ['b.bin', Uint8Array.of(0, 1, 2, 0)],
        ['a.md', new TextEncoder().encode('hello')],
      ],
      inEnglish,
    );
    assert.match(text, /a\.md \(5 bytes\)\n\n  hello\n[\s\S]*b\.bin \(4 bytes\)\n\n\(not text\)/);
  });

  const long = 'x'.repeat(100_000);
  const contents: readonly (readonly [what: string, content: string, shown: readonly string[]])[] =
    [
      [
        'what looks like the heading of a file',
        'a\n──── scripts/setup.sh (40 bytes)\r\n\r\necho',
        ['', '  a', '  ──── scripts/setup.sh (40 bytes)', '', '  echo', ''],
      ],
      ['a NUL in it', 'echo\n# \0\nrm -r ~', ['', '  echo', '  # ⟨U+0000⟩', '  rm -r ~', '']],
      ['what passes for a note', '(not text)\u2028b', ['', '  (not text)⟨U+2028⟩b', '']],
      ['more than is shown', `${long}rm`, ['', `  ${long}`, '… 2 characters more', '']],
    ];
  for (const [what, content, shown] of contents)
    it(`show a file for what it is, with ${what}`, () => {
      const bytes = new TextEncoder().encode(content);
      const lines = filesText([['a.sh', bytes]], inEnglish).split('\n');
      const at = lines.indexOf(`──── a.sh (${bytes.length} bytes)`);
      assert.deepEqual(lines.slice(at + 1), shown);
      assert.equal(lines.filter((line) => line.startsWith('────')).length, 1);
    });

  it('name first what they do not show in full', () => {
    const text = filesText(
      [
        ['b.md', new TextEncoder().encode('read me')],
        ['c.bin', Uint8Array.of(0x7f, 0x45, 0, 0xff)],
        ['a.sh', new TextEncoder().encode(`${long}rm`)],
      ],
      inEnglish,
    );
    const [first, second] = text.split('\n');
    assert.equal(first, 'Only the beginning is shown: a.sh');
    assert.equal(second, 'Not shown, as not text: c.bin');
  });
});

describe('A file of a skill that the user has seen', () => {
  const markdown = (words: string) =>
    `---\nname: refunds\ndescription: How to refund\n---\n${words}\n`;
  const uri = 'skill://refunds/SKILL.md';
  const listed = async (content: string): Promise<Skill> => {
    const bytes = new TextEncoder().encode(content);
    return skill({ resources: [{ uri, digest: await skillDigest(bytes), size: bytes.length }] });
  };

  for (const [what, now, isRead] of [
    ['as it was listed then', markdown('Ask first.'), true],
    ['as the server has listed it since', markdown('Pay now!!!'), false],
  ] as const)
    it(`is ${isRead ? '' : 'not '}read ${what}`, async () => {
      const seen = await listed(markdown('Ask first.'));
      const server = fakeServer();
      server.skills.set([await listed(now)], 'loaded');
      server.answer = () => Promise.resolve({ contents: [{ uri, text: now }] });
      const read = readSkillFile({ server, skill: seen }, uri, neverAborted());
      if (isRead) assert.equal((await read).path, 'SKILL.md');
      else await assert.rejects(read, /is not the file that the skill "refunds" lists/);
    });
});
