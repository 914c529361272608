/*
 * An oxlint rule: everything that the user decides or fills in goes through the queue of questions, so that it neither
 * replaces anything else nor is replaced. Only src/ui may show a quick pick or an input box directly; features use its
 * steps, with a context.
 */
import { sep } from 'node:path';

const shown = new Set(['showQuickPick', 'createQuickPick', 'showInputBox', 'createInputBox']);

/**
 * Files that only find or filter something that exists and decide nothing: if something hides their pick, the user
 * wanted that instead.
 */
const finders = new Set([
  'audit/toolLog.ts',
  'prompts/pickPrompt.ts',
  'resources/commands/findResource.ts',
  'resources/commands/saveResources.ts',
  'resources/documents/openResource.ts',
  'resources/tree/viewCommands.ts',
  'servers/serverCommands.ts',
  'servers/switchCommands.ts',
  'testing/checkCommand.ts',
  'testing/saveAsTest.ts',
  'tools/manageApprovals.ts',
  'tools/run/pickTool.ts',
  'tools/run/runToolOnSelection.ts',
  'traffic/trafficView.ts',
  'gate/send/showRunning.ts',
]);

/** True if a file, given by its path below src, may show a pick directly. */
export function mayShowPick(path) {
  return path.startsWith('ui/') || finders.has(path);
}

const rule = {
  meta: { type: 'problem' },
  create(context) {
    const marker = `${sep}src${sep}`;
    const at = context.filename.lastIndexOf(marker);
    const path = context.filename.slice(at + marker.length).replaceAll(sep, '/');
    if (at < 0 || mayShowPick(path)) return {};
    return {
      MemberExpression(node) {
        const name = node.computed ? node.property.value : node.property.name;
        if (shown.has(name))
          context.report({
            node,
            message: 'Ask through the queue of questions: a step of ui/steps with a context.',
          });
      },
    };
  },
};

export default { meta: { name: 'picks' }, rules: { 'in-the-queue': rule } };
