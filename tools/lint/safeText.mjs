/*
 * An oxlint rule: whatever shows texts is created in one place, which escapes them. A server's text is data, so no
 * feature may create an item of the editor that would parse it.
 */
import { sep } from 'node:path';

/** What only the makers may construct or call, and the maker to use instead. */
const constructed = new Map([
  ['TreeItem', 'treeRow'],
  ['MarkdownString', 'sayLine or plainMarkdown'],
]);
const called = new Map([
  ['createQuickPick', 'createPick'],
  ['showQuickPick', 'showPick'],
]);

/** The methods that write to a chat answer, and the maker to use instead. */
const said = new Map([
  ['markdown', 'sayLine'],
  ['anchor', 'sayFile'],
  ['progress', 'sayProgress'],
]);

const makersFolder = ['src', 'ui', 'rows', ''].join(sep);

const safeText = {
  meta: { type: 'problem' },
  create(context) {
    if (context.filename.includes(makersFolder)) return {};
    const check = (node, makers, name) => {
      const maker = makers.get(name);
      if (maker) context.report({ node, message: `Make it by ${maker}, which escapes texts.` });
    };
    return {
      NewExpression({ callee }) {
        check(callee, constructed, callee.property?.name ?? callee.name);
      },
      CallExpression({ callee }) {
        const { object, property } = callee;
        const name = object?.property?.name ?? object?.name;
        if (name === 'stream') check(callee, said, property.name);
      },
      // No matter how it is reached: called, passed on or taken out of its object.
      MemberExpression(node) {
        check(node, called, node.computed ? node.property.value : node.property.name);
      },
      Property(node) {
        if (node.parent.type === 'ObjectPattern') check(node, called, node.key.name);
      },
    };
  },
};

export default { meta: { name: 'text' }, rules: { 'safe-text': safeText } };
