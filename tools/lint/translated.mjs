/*
 * An oxlint rule: every sentence that a user reads goes through the translation, a call of `t` on any object. What a
 * log, a model or a programmer reads stays in English.
 */
const sentence = /^[A-Z"{][^]*\s[^]*\s[^]*[.?!]$/;

/** Calls that write their arguments to a log, or create errors that are not shown to users as they are. */
const notForUsers = new Set([
  'debug',
  'error',
  'info',
  'trace',
  'warn',
  'Error',
  'CancelledError',
  'RangeError',
  'TypeError',
  // Answers to a server, and errors that only the surrounding code reads.
  'MalformedFrameError',
  'OutOfTime',
  'RequestRefused',
  'refused',
]);

function calleeName({ type, callee }) {
  if (type !== 'CallExpression' && type !== 'NewExpression') return undefined;
  return callee.property?.name ?? callee.name;
}

/** True if a text is passed to a translation, or to something that is not for users. */
function isMeant(node) {
  for (let one = node.parent; one; one = one.parent) {
    const name = calleeName(one);
    if (name === 't' || notForUsers.has(name)) return true;
    if (name !== undefined || /Statement|Declaration|Function/.test(one.type)) return false;
  }
  return false;
}

/** Returns the text of a literal, with a word in place of each substitution. */
function textOf(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  return node.quasis.map(({ value }) => value.cooked).join('Value');
}

const translated = {
  meta: { type: 'problem' },
  create(context) {
    const check = (node) => {
      if (!sentence.test(textOf(node)) || isMeant(node)) return;
      const message =
        'Users read this: give it to t, in English and with {0} for what is filled in.';
      context.report({ node, message });
    };
    return { Literal: check, TemplateLiteral: check };
  },
};

export default { meta: { name: 'translated' }, rules: { translated } };
