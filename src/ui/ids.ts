/*
 * Every id that the manifest and the code share, in one place; a test compares both ways.
 */

/** Commands that a person or another extension can run. */
export const Command = {
  startServer: 'mcpWorkbench.startServer',
  stopServer: 'mcpWorkbench.stopServer',
  restartServer: 'mcpWorkbench.restartServer',
  signIn: 'mcpWorkbench.signIn',
  signOut: 'mcpWorkbench.signOut',
  diagnoseServer: 'mcpWorkbench.diagnoseServer',
  copyReport: 'mcpWorkbench.copyReport',
  showServerLog: 'mcpWorkbench.showServerLog',
  openConfiguration: 'mcpWorkbench.openConfiguration',
  addServer: 'mcpWorkbench.addServer',
  importServers: 'mcpWorkbench.importServers',
  manageTrust: 'mcpWorkbench.manageTrust',
  manageSampling: 'mcpWorkbench.manageSampling',
  clearInputs: 'mcpWorkbench.clearInputs',
  runPrompt: 'mcpWorkbench.runPrompt',
  answerDocument: 'mcpWorkbench.answerDocument',
  showQuestions: 'mcpWorkbench.showQuestions',
  acceptQuestion: 'mcpWorkbench.acceptQuestion',
  leaveQuestion: 'mcpWorkbench.leaveQuestion',
  addPromptsToPalette: 'mcpWorkbench.addPromptsToPalette',
  removePromptsFromPalette: 'mcpWorkbench.removePromptsFromPalette',
  addPromptToPalette: 'mcpWorkbench.addPromptToPalette',
  removePromptFromPalette: 'mcpWorkbench.removePromptFromPalette',
  copyPromptKeybinding: 'mcpWorkbench.copyPromptKeybinding',
  addRoot: 'mcpWorkbench.addRoot',
  removeRoot: 'mcpWorkbench.removeRoot',
  openResource: 'mcpWorkbench.openResource',
  attachResource: 'mcpWorkbench.attachResource',
  findResource: 'mcpWorkbench.findResource',
  openResourceWith: 'mcpWorkbench.openResourceWith',
  openResourceTemplate: 'mcpWorkbench.openResourceTemplate',
  showResourceChanges: 'mcpWorkbench.showResourceChanges',
  compareResource: 'mcpWorkbench.compareResource',
  refreshResource: 'mcpWorkbench.refreshResource',
  copyResourceUri: 'mcpWorkbench.copyResourceUri',
  copyResourceContents: 'mcpWorkbench.copyResourceContents',
  saveResource: 'mcpWorkbench.saveResource',
  saveResourceAs: 'mcpWorkbench.saveResourceAs',
  pinResource: 'mcpWorkbench.pinResource',
  unpinResource: 'mcpWorkbench.unpinResource',
  forgetResource: 'mcpWorkbench.forgetResource',
  showMoreResources: 'mcpWorkbench.showMoreResources',
  showMoreRows: 'mcpWorkbench.showMoreRows',
  sortResources: 'mcpWorkbench.sortResources',
  filterResources: 'mcpWorkbench.filterResources',
  clearResourceFilter: 'mcpWorkbench.clearResourceFilter',
  showResourcesFlat: 'mcpWorkbench.showResourcesFlat',
  showResourcesNested: 'mcpWorkbench.showResourcesNested',
  runTool: 'mcpWorkbench.runTool',
  showRunningTools: 'mcpWorkbench.showRunningTools',
  showToolResult: 'mcpWorkbench.showToolResult',
  runToolOnSelection: 'mcpWorkbench.runToolOnSelection',
  manageToolApprovals: 'mcpWorkbench.manageToolApprovals',
  showToolLog: 'mcpWorkbench.showToolLog',
  filterToolLog: 'mcpWorkbench.filterToolLog',
  exportToolLog: 'mcpWorkbench.exportToolLog',
  replayToolCall: 'mcpWorkbench.replayToolCall',
  selectTools: 'mcpWorkbench.selectTools',
  retryRequest: 'mcpWorkbench.retryRequest',
  reviewServers: 'mcpWorkbench.reviewServers',
} as const;

/** Settings, with their full keys. */
export const Setting = {
  promptPreview: 'mcpWorkbench.prompts.preview',
  palette: 'mcpWorkbench.palette',
  servers: 'mcpWorkbench.servers',
  inputs: 'mcpWorkbench.inputs',
  inheritEnvironment: 'mcpWorkbench.inheritEnvironment',
  autostart: 'mcpWorkbench.autostart',
  autostartServers: 'mcpWorkbench.autostartServers',
  samplingRequestsPerHour: 'mcpWorkbench.sampling.requestsPerHour',
  samplingTokensPerHour: 'mcpWorkbench.sampling.tokensPerHour',
  hiddenRoots: 'mcpWorkbench.roots.hidden',
  addedRoots: 'mcpWorkbench.roots.added',
  refreshOnFocus: 'mcpWorkbench.resources.refreshOnFocus',
  toolServerPolicy: 'mcpWorkbench.tools.serverPolicy',
  toolDenyList: 'mcpWorkbench.tools.denyList',
  toolTrustReadOnlyHint: 'mcpWorkbench.tools.trustReadOnlyHint',
  toolMaxCallsPerMinute: 'mcpWorkbench.tools.maxCallsPerMinute',
  toolMaxCallsPerAnswer: 'mcpWorkbench.tools.maxCallsPerAnswer',
  toolTaint: 'mcpWorkbench.tools.askAgainAfterOpenWorld',
  toolDefaultChoice: 'mcpWorkbench.tools.defaultChoice',
  toolLogArguments: 'mcpWorkbench.tools.logArguments',
  chatMaxRounds: 'mcpWorkbench.chat.maxRounds',
  chatMaxTools: 'mcpWorkbench.chat.maxTools',
  chatMaxResultLength: 'mcpWorkbench.chat.maxResultLength',
  provideToEditor: 'mcpWorkbench.provideToEditor',
  showQuestions: 'mcpWorkbench.questions.show',
} as const;

/** Context keys that decide which commands are offered. */
export const ContextKey = {
  toolLogShown: 'mcpWorkbench.toolLogShown',
  hasServers: 'mcpWorkbench.hasServers',
  palettePrompts: 'mcpWorkbench.palettePrompts',
  askedDocuments: 'mcpWorkbench.askedDocuments',
  question: 'mcpWorkbench.question',
  changedResources: 'mcpWorkbench.changedResources',
  resourcesFlat: 'mcpWorkbench.resourcesFlat',
  resourcesFiltered: 'mcpWorkbench.resourcesFiltered',
} as const;

/** Views of the sidebar. */
export const View = {
  container: 'mcpWorkbench',
  servers: 'mcpWorkbench.servers',
  toolLog: 'mcpWorkbench.toolLog',
} as const;

/** Chat participants. */
export const Participant = {
  mcp: 'mcpWorkbench.mcp',
} as const;

/** True for the schemes of all documents of ours, which show what servers, files and pages wrote. */
export function isOwnScheme(scheme: string): boolean {
  return scheme === resourceScheme || scheme.startsWith(`${resourceScheme}-`);
}

/** The scheme of the read-only file system that shows resources. */
export const resourceScheme = 'mcp-workbench';

/** The scheme of documents that say what is wrong with a server. */
export const reportScheme = 'mcp-workbench-report';

/** The scheme of documents that exist in this window only: texts to edit, and prompts to look at. */
export const inputScheme = 'mcp-workbench-input';
