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

/** What shows a text beside the work, and the function of ui/messages to use instead. */
const told = new Map([
  ['showInformationMessage', 'showMessage'],
  ['showWarningMessage', 'showMessage'],
  ['showErrorMessage', 'showMessage'],
  ['setStatusBarMessage', 'tellBriefly'],
]);

const notPlain =
  'Make the text plain where it is shown: plainLabel, wordsLabel, plainMessage, tooltipText or promptLine.';

/** What takes a text as its argument of this number, which a function of base/text has made plain. */
const given = new Map([
  ['Diagnostic', 1],
  ['TestMessage', 0],
  ['CodeAction', 0],
  ['createTestItem', 1],
]);

/** The texts of boxes, lists, views, tests and items of the status bar. */
const shownTexts = new Set([
  'description',
  'prompt',
  'placeholder',
  'validationMessage',
  'message',
  'tooltip',
  'title',
]);

/** Functions whose text shows what is hidden and is nothing but text. */
const plainMakers =
  /^(?:plainLabel|plainMessage|wordsLabel|tooltipText|revealHidden|shownText|documentText|promptLine|aboutLine|noted)$/;

/** What holds an address or a host that others wrote, and what returns one: no text has it as it is. */
const addresses =
  /^(?:url|\w+Url|href|origin|host(?:name)?|site|endpoint|address|\w+Address|issuer|authorizationServer|wider|validFor)$/;
const addressMakers = /^(?:hostOf|ownerOf|registrableDomain|addressAsRead)$/;

/** What makes a text to show of others. */
const textMakers =
  /^(?:t|plainLabel|plainMessage|wordsLabel|tooltipText|promptLine|pairText|asideText)$/;

/** What of a row or a message is its text. */
const rowTexts = /^(?:label|description|detail|tooltip|message|title|prompt|placeholder)$/;

const notLabelled =
  'Show an address by addressLabel: a cut leaves the end of its host, which says whose it is.';

const nameOf = (callee) => callee.property?.name ?? callee.name;

/** True for `TestMessage.diff`, all of whose texts are shown. */
const isDiff = (callee) => nameOf(callee) === 'diff' && nameOf(callee.object) === 'TestMessage';

/** True for an expression that is known to be plain text, whoever wrote parts of it. */
function isPlain(node) {
  switch (node?.type) {
    case undefined:
    case 'Literal':
      return true;
    case 'TemplateLiteral':
      return node.expressions.every(isPlain);
    case 'ConditionalExpression':
      return isPlain(node.consequent) && isPlain(node.alternate);
    case 'LogicalExpression':
      return (node.operator === '&&' || isPlain(node.left)) && isPlain(node.right);
    case 'Identifier':
      return node.name === 'undefined';
    case 'MemberExpression':
      // A number.
      return node.property.name === 'length';
    case 'CallExpression':
      return (
        plainMakers.test(nameOf(node.callee)) ||
        (nameOf(node.callee) === 't' && node.arguments.every(isPlain))
      );
    default:
      return false;
  }
}

/** Returns what a text is put together from, or is one of. */
function partsOf(node) {
  switch (node?.type) {
    case 'TemplateLiteral':
      return node.expressions.flatMap(partsOf);
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(partsOf);
    case 'LogicalExpression':
    case 'BinaryExpression':
      return [node.left, node.right].flatMap(partsOf);
    case 'ArrayExpression':
      return node.elements.flatMap(partsOf);
    case 'SpreadElement':
      return partsOf(node.argument);
    case 'CallExpression':
      return nameOf(node.callee) === 'join' ? partsOf(node.callee.object) : [node];
    default:
      return node ? [node] : [];
  }
}

/** True for a text with a part of something, or what a function returns, that is not known to be plain. */
const isForeign = (text) =>
  partsOf(text).some((one) => /^(?:Member|Call)Expression$/.test(one.type) && !isPlain(one));

/** The title of a command that is written out: a line above a document shows it, with icons for what looks like one. */
const titleIn = (command) =>
  command?.type === 'ObjectExpression'
    ? command.properties.find(({ key }) => (key?.name ?? key?.value) === 'title')?.value
    : undefined;

/** True for the text of an item of the status bar, by the name of the item. */
const isStatusText = ({ object, property }) =>
  property?.name === 'text' && /item|status|bar/i.test(nameOf(object) ?? '');

const makersFolder = ['src', 'ui', 'rows', ''].join(sep);
const messagesFile = ['src', 'ui', 'messages.ts'].join(sep);

const safeText = {
  meta: { type: 'problem' },
  create(context) {
    if (context.filename.includes(makersFolder) || context.filename.endsWith(messagesFile))
      return {};
    const check = (node, makers, name) => {
      const maker = makers.get(name);
      if (maker) context.report({ node, message: `Make it by ${maker}, which escapes texts.` });
    };
    const checkAddresses = (text) => {
      for (const node of partsOf(text))
        if (node.callee ? addressMakers.test(nameOf(node.callee)) : addresses.test(nameOf(node)))
          context.report({ node, message: notLabelled });
    };
    const checkIcons = (text) => {
      if (text && isForeign(text)) context.report({ node: text, message: notPlain });
    };
    const checkGiven = ({ callee, arguments: all }) => {
      const name = nameOf(callee);
      if (name === 'CodeLens') checkIcons(titleIn(all[1]));
      const isOpen = all.some(({ type }) => type === 'SpreadElement');
      if (isOpen && (given.has(name) || name === 'CodeLens'))
        context.report({ node: callee, message: notPlain });
      const texts = isDiff(callee) ? all : [all[given.get(nameOf(callee))]];
      for (const text of texts)
        if (text && !isPlain(text)) context.report({ node: text, message: notPlain });
    };
    return {
      NewExpression(node) {
        check(node.callee, constructed, nameOf(node.callee));
        checkGiven(node);
      },
      CallExpression(node) {
        const { object, property } = node.callee;
        const name = object?.property?.name ?? object?.name;
        if (name === 'stream') check(node.callee, said, property.name);
        if (name === 'window' && property.name === 'withProgress')
          context.report({ node, message: 'Show it by withProgress of ui/messages.' });
        checkGiven(node);
        if (textMakers.test(nameOf(node.callee))) node.arguments.forEach(checkAddresses);
      },
      AssignmentExpression({ left, right }) {
        if (shownTexts.has(left.property?.name)) checkAddresses(right);
        const isError = left.property?.name === 'error' && left.object.type !== 'ThisExpression';
        if (isError && !isPlain(right)) context.report({ node: right, message: notPlain });
        if (isStatusText(left)) checkIcons(right);
        if (left.property?.name === 'command') checkIcons(titleIn(right));
        if (shownTexts.has(left.property?.name) && !isPlain(right))
          context.report({ node: right, message: notPlain });
      },
      // No matter how it is reached: called, passed on or taken out of its object.
      MemberExpression(node) {
        const name = node.computed ? node.property.value : node.property.name;
        check(node, called, name);
        check(node, told, name);
      },
      Property(node) {
        if (node.parent.type !== 'ObjectPattern') {
          if (rowTexts.test(node.key.name ?? '')) checkAddresses(node.value);
          if ((node.key.name ?? node.key.value) === 'errorDetails')
            context.report({ node, message: 'Make it by failedAnswer, which escapes texts.' });
          return;
        }
        check(node, called, node.key.name);
        check(node, told, node.key.name);
      },
    };
  },
};

export default { meta: { name: 'text' }, rules: { 'safe-text': safeText } };
