import assert from 'node:assert/strict';
import { promptLine } from '../../../../src/ui/steps/promptLine';

const more = '(cut: the button has all of it)';

describe('the line below a box', () => {
  it('is whole as long as it fits, and says nothing else', () => {
    assert.equal(promptLine('What is your name?', more), 'What is your name?');
    assert.equal(promptLine('x'.repeat(400), more), 'x'.repeat(400));
  });

  it('says where all of it stands when it is cut, and is no longer for that', () => {
    const line = promptLine('x'.repeat(401), more);
    assert.match(line, /^x+… \(cut: the button has all of it\)$/);
    assert.equal(line.length, 400);
  });

  it('is only cut where there is nowhere else to read it', () =>
    assert.match(promptLine('x'.repeat(401)), /^x{399}…$/));

  it('counts hidden characters as they are shown', () =>
    assert.match(promptLine('\u202E'.repeat(60), more), /^(?:⟨U\+202E⟩)+\S*… \(cut/));
});
