import assert from 'node:assert/strict';
import { questionText } from '../../../src/requests/elicitation';

const t = (message: string, ...args: string[]) =>
  message.replaceAll(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');

describe('the whole of a question', () => {
  const message = `${'Long. '.repeat(500)}\n\nThe end.`;

  it('has every word of the message and of what is said of each field', () => {
    const description = 'word '.repeat(300).trim();
    const properties = { name: { type: 'string', title: 'Name', description }, age: {} };
    const requestedSchema = { type: 'object', properties };
    const text = questionText('demo', { mode: 'form', message, requestedSchema }, t);
    assert.equal(
      text,
      [
        'demo asks',
        '',
        'Question',
        `  ${'Long. '.repeat(500)}`,
        '',
        '  The end.',
        '',
        'Field: Name',
        `  ${description}`,
        '',
        'Field: age',
        '',
      ].join('\n'),
    );
  });

  it('has the address of a page in full', () => {
    const url = `https://example.com/${'x'.repeat(3000)}`;
    const text = questionText('demo', { mode: 'url', message: 'Go', url, elicitationId: '1' }, t);
    assert.ok(text.includes(`Address\n  ${url}\n`));
  });

  it('lets no text of the server pass for our own, and hides nothing', () => {
    const properties = { a: { title: 'x\nField: b', description: 'one\nField: c\u202E' } };
    const requestedSchema = { type: 'object', properties };
    const text = questionText(
      'demo\nQuestion',
      { mode: 'form', message: 'Hi\nField: a', requestedSchema },
      t,
    );
    const atEdge = text.split('\n').filter((line) => /^\S/.test(line));
    assert.deepEqual(atEdge, ['demo Question asks', 'Question', 'Field: x Field: b']);
    assert.match(text, /⟨U\+202E⟩/);
  });
});
