/*
 * A rule for oxlint: a sentence that a user reads goes through the translation: `t`, under whatever name it came there.
 * What a log, a model or a programmer reads stays in English.
 */
const sentence = /^[A-Z"{][^]*\s[^]*\s[^]*[.?!]$/;

/** Calls that give what they are given to a log, or throw what no user is shown as it is. */
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
  // Answers to a server, and what only the code around reads.
  'MalformedFrameError',
  'OutOfTime',
  'RequestRefused',
  'refused',
]);

function calleeName({ type, callee }) {
  if (type !== 'CallExpression' && type !== 'NewExpression') return undefined;
  return callee.property?.name ?? callee.name;
}

/** True where a text is given to a translation, or to what is for no user. */
function isMeant(node) {
  for (let one = node.parent; one; one = one.parent) {
    const name = calleeName(one);
    if (name === 't' || notForUsers.has(name)) return true;
    if (name !== undefined || /Statement|Declaration|Function/.test(one.type)) return false;
  }
  return false;
}

/** The text of a literal, with a word in place of what is filled in. */
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
