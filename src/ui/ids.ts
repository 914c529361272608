/*
 * Every id that the manifest and the code share, in one place; a test compares both ways.
 */

/** Commands that a person or another extension can run. */
export const Command = {
  startServer: 'mcpWorkbench.startServer',
  stopServer: 'mcpWorkbench.stopServer',
  restartServer: 'mcpWorkbench.restartServer',
  showServerLog: 'mcpWorkbench.showServerLog',
  openConfiguration: 'mcpWorkbench.openConfiguration',
  runPrompt: 'mcpWorkbench.runPrompt',
  answerDocument: 'mcpWorkbench.answerDocument',
  openResource: 'mcpWorkbench.openResource',
  attachResource: 'mcpWorkbench.attachResource',
  runTool: 'mcpWorkbench.runTool',
} as const;

/** Settings, with their full keys. */
export const Setting = {
  servers: 'mcpWorkbench.servers',
  chatMaxRounds: 'mcpWorkbench.chat.maxRounds',
} as const;

/** Views of the sidebar. */
export const View = {
  container: 'mcpWorkbench',
  servers: 'mcpWorkbench.servers',
} as const;

/** Chat participants. */
export const Participant = {
  mcp: 'mcpWorkbench.mcp',
} as const;

/** The scheme of the read-only file system that shows resources. */
export const resourceScheme = 'mcp-workbench';

/** The scheme of documents that exist in this window only: texts to edit, and prompts to look at. */
export const inputScheme = 'mcp-workbench-input';
