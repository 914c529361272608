import assert from 'node:assert/strict';
import { KnownSkills, maxHeldSkills } from '../../../../src/mcp/skills/serverSkills';
import type { Skill } from '../../../../src/mcp/protocol/skills';

const uriOf = (name: string) => `skill://${name}/SKILL.md`;
const skill = (name: string, size = 1): Skill => ({
  uri: uriOf(name),
  frontmatter: { name, description: '' },
  resources: [{ uri: uriOf(name), digest: `sha256:${'0'.repeat(64)}`, size }],
});
const sizes = ({ all }: KnownSkills) =>
  all.map(({ uri, resources }) => [uri, resources === 'dynamic' ? 0 : resources[0]?.size]);

describe('the skills that are known of a server', () => {
  it('are those of its list, with newer and unlisted ones that it was asked for', () => {
    const list = { items: [skill('a'), skill('b')] };
    const known = new KnownSkills(list);
    assert.equal(known.all, list.items);
    known.take(uriOf('a'), { skill: skill('a', 2) });
    known.take(uriOf('c'), { skill: skill('c') });
    assert.deepEqual(sizes(known), [
      [uriOf('b'), 1],
      [uriOf('a'), 2],
      [uriOf('c'), 1],
    ]);
    assert.equal(known.all, known.all);
  });

  it('are those of a list that came later, where it has them', () => {
    const list = { items: [skill('a')] };
    const known = new KnownSkills(list);
    known.take(uriOf('a'), { skill: skill('a', 2) });
    known.take(uriOf('c'), { skill: skill('c', 2) });
    list.items = [skill('a', 3)];
    assert.deepEqual(sizes(known), [
      [uriOf('a'), 3],
      [uriOf('c'), 2],
    ]);
  });

  it('are no other ones than were asked for, and none that is not sound', () => {
    const known = new KnownSkills({ items: [] });
    assert.throws(() => known.take(uriOf('a'), { skill: skill('b') }), /answered with another/);
    assert.throws(() => known.take(uriOf('a'), {}), /not an object/);
    const unsound = { ...skill('a'), resources: [] };
    assert.throws(() => known.take(uriOf('a'), { skill: unsound }), /does not list its SKILL\.md/);
    assert.deepEqual(known.all, []);
  });

  it('are two hundred beside those of the list, the latest', () => {
    const known = new KnownSkills({ items: [] });
    for (let index = 0; index <= maxHeldSkills; index += 1)
      known.take(uriOf(`s${index}`), { skill: skill(`s${index}`) });
    assert.equal(known.all.length, maxHeldSkills);
    assert.ok(!known.all.some(({ uri }) => uri === uriOf('s0')));
  });
});
