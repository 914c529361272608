import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { neverAborted } from '../../../src/base/async';
import { silentLogger } from '../../../src/base/log';
import { inEnglish } from '../../../src/base/translate';
import { type Skill, skillDigest } from '../../../src/mcp/protocol/skills';
import { maxApprovedSkills, SkillApprovals } from '../../../src/skills/skillApprovals';
import { readSkillFile } from '../../../src/skills/skillFiles';
import { filesText } from '../../../src/skills/workspaceSkill';
import { fileListText, skillText } from '../../../src/skills/skillText';
import { register } from '../../../src/skills';
import { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import { byUser } from '../../../src/ui/questions/question';
import type { DocumentQuestion } from '../../../src/ui/documents/askedDocument';
import { createMementoOf } from '../../support/fakes/memento';
import { fakeServer, fakeServers } from '../../support/fakes/fakeServer';

const skill = (more: Partial<Skill> = {}): Skill => ({
  uri: 'skill://refunds/SKILL.md',
  frontmatter: { name: 'refunds', description: 'How to refund' },
  resources: [{ uri: 'skill://refunds/SKILL.md', digest: `sha256:${'0'.repeat(64)}`, size: 7 }],
  ...more,
});

const uri = 'skill://refunds/SKILL.md';

const markdown = (words: string) =>
  `---\nname: refunds\ndescription: How to refund\n---\n${words}\n`;

const listed = async (content: string): Promise<Skill> => {
  const bytes = new TextEncoder().encode(content);
  return skill({ resources: [{ uri, digest: await skillDigest(bytes), size: bytes.length }] });
};

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

describe('A skill that was listed otherwise since the user saw it', () => {
  /** Registers the skills of a server that says `words`, and returns what attaches its skill; `answer` is the user. */
  const begin = async (
    answer: (question: DocumentQuestion, say: (words: string) => Promise<void>) => Promise<unknown>,
  ) => {
    const server = fakeServer();
    const say = async (words: string) => {
      const now = await listed(markdown(words));
      server.skills.set([now], 'loaded');
      Object.assign(server, { getSkill: () => Promise.resolve(now) });
      server.answer = () => Promise.resolve({ contents: [{ uri, text: markdown(words) }] });
    };
    await say('Ask first.');
    const files = new MemoryFiles(`mcp-workbench-test-skills-${Math.random()}`);
    const attached: vscode.Uri[] = [];
    const open = vscode.commands.registerCommand(
      'workbench.action.chat.open',
      (chat: { readonly attachFiles: readonly vscode.Uri[] }) => attached.push(...chat.attachFiles),
    );
    const skills = register({
      context: { globalState: createMementoOf() },
      servers: fakeServers(server),
      logs: { extension: silentLogger },
      input: {
        ask: async (question: DocumentQuestion) => {
          await answer(question, say);
          return { choice: 'use', text: '' };
        },
      },
      files,
      questions: { workedElsewhere: () => false, stillBy: (action: unknown) => action },
    } as unknown as Parameters<typeof register>[0]);
    const action = byUser();
    const attach = () =>
      vscode.commands.executeCommand(
        'mcpWorkbench.attachSkill',
        { server: server.id, uri },
        action,
      );
    const dispose = () => {
      skills.dispose();
      open.dispose();
    };
    return { attach, say, attached, files, dispose };
  };

  it('says in the chat what it said then', async () => {
    const { attach, say, attached, files, dispose } = await begin(() => Promise.resolve());
    await attach();
    await say('Pay now!!!');
    const [first] = attached;
    assert.ok(first);
    assert.equal(new TextDecoder().decode(await files.readFile(first)), markdown('Ask first.'));
    dispose();
  });

  it('is compared with what it said before by nothing else', async () => {
    const compared: unknown[] = [];
    const { attach, say, attached, dispose } = await begin(async ({ choices }, says) => {
      const compare = choices.find(({ id }) => id === 'compare');
      if (!compare) return;
      await says('Pay now!!!');
      const shown = async () => compare.act?.(byUser(), '');
      compared.push(await shown().catch((error: unknown) => error));
    });
    await attach();
    await say('Ask twice.');
    await attach();
    assert.match(String(compared[0]), /is not the file that the skill "refunds" lists/);
    assert.equal(attached.length, 2);
    dispose();
  });
});
