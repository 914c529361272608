/*
 * Every id that the manifest and the code share, in one place; a test compares both ways.
 */

/** Commands that a user or another extension can run. */
export const Command = {
  startServer: 'mcpWorkbench.startServer',
  startAllServers: 'mcpWorkbench.startAllServers',
  stopServer: 'mcpWorkbench.stopServer',
  restartServer: 'mcpWorkbench.restartServer',
  signIn: 'mcpWorkbench.signIn',
  signOut: 'mcpWorkbench.signOut',
  turnOnDevelopment: 'mcpWorkbench.turnOnDevelopment',
  turnOffDevelopment: 'mcpWorkbench.turnOffDevelopment',
  turnOnDebugging: 'mcpWorkbench.turnOnDebugging',
  restartAndCompare: 'mcpWorkbench.restartAndCompare',
  showServerChanges: 'mcpWorkbench.showServerChanges',
  compareServer: 'mcpWorkbench.compareServer',
  dismissServerChanges: 'mcpWorkbench.dismissServerChanges',
  checkServer: 'mcpWorkbench.checkServer',
  runSavedCall: 'mcpWorkbench.runSavedCall',
  updateExpectation: 'mcpWorkbench.updateExpectation',
  saveAsTest: 'mcpWorkbench.saveAsTest',
  runToolAgain: 'mcpWorkbench.runToolAgain',
  runToolAgainWith: 'mcpWorkbench.runToolAgainWith',
  showCallOfResult: 'mcpWorkbench.showCallOfResult',
  showTraffic: 'mcpWorkbench.showTraffic',
  filterTraffic: 'mcpWorkbench.filterTraffic',
  exportTraffic: 'mcpWorkbench.exportTraffic',
  clearTraffic: 'mcpWorkbench.clearTraffic',
  saveRecording: 'mcpWorkbench.saveRecording',
  serveRecording: 'mcpWorkbench.serveRecording',
  removeRecording: 'mcpWorkbench.removeRecording',
  showTrafficEntry: 'mcpWorkbench.showTrafficEntry',
  pinTraffic: 'mcpWorkbench.pinTraffic',
  unpinTraffic: 'mcpWorkbench.unpinTraffic',
  replayRequest: 'mcpWorkbench.replayRequest',
  editRequest: 'mcpWorkbench.editRequest',
  sendRequest: 'mcpWorkbench.sendRequest',
  nextPage: 'mcpWorkbench.nextPage',
  copyTrafficEntry: 'mcpWorkbench.copyTrafficEntry',
  copyAsCurl: 'mcpWorkbench.copyAsCurl',
  copyAsPowerShell: 'mcpWorkbench.copyAsPowerShell',
  diagnoseServer: 'mcpWorkbench.diagnoseServer',
  copyReport: 'mcpWorkbench.copyReport',
  showServerLog: 'mcpWorkbench.showServerLog',
  setLogLevel: 'mcpWorkbench.setLogLevel',
  openConfiguration: 'mcpWorkbench.openConfiguration',
  addServer: 'mcpWorkbench.addServer',
  copyInstallLink: 'mcpWorkbench.copyInstallLink',
  copyConfiguration: 'mcpWorkbench.copyConfiguration',
  disableServer: 'mcpWorkbench.disableServer',
  removeServer: 'mcpWorkbench.removeServer',
  enableServer: 'mcpWorkbench.enableServer',
  checkForUpdates: 'mcpWorkbench.checkForUpdates',
  updateServer: 'mcpWorkbench.updateServer',
  importServers: 'mcpWorkbench.importServers',
  exportServers: 'mcpWorkbench.exportServers',
  exportForTeam: 'mcpWorkbench.exportForTeam',
  moveToSettings: 'mcpWorkbench.moveToSettings',
  moveDevelopment: 'mcpWorkbench.moveDevelopment',
  tryDemo: 'mcpWorkbench.tryDemo',
  removeDemo: 'mcpWorkbench.removeDemo',
  openWalkthrough: 'mcpWorkbench.openWalkthrough',
  showPolicies: 'mcpWorkbench.showPolicies',
  changeTraceHeaders: 'mcpWorkbench.changeTraceHeaders',
  manageTrust: 'mcpWorkbench.manageTrust',
  manageSampling: 'mcpWorkbench.manageSampling',
  changeInputs: 'mcpWorkbench.changeInputs',
  clearInputs: 'mcpWorkbench.clearInputs',
  runPrompt: 'mcpWorkbench.runPrompt',
  runPromptWith: 'mcpWorkbench.runPromptWith',
  promptToChat: 'mcpWorkbench.promptToChat',
  promptToChatWithLinks: 'mcpWorkbench.promptToChatWithLinks',
  promptAsMessage: 'mcpWorkbench.promptAsMessage',
  promptToDraft: 'mcpWorkbench.promptToDraft',
  promptToCursor: 'mcpWorkbench.promptToCursor',
  promptToClipboard: 'mcpWorkbench.promptToClipboard',
  promptToFile: 'mcpWorkbench.promptToFile',
  editPromptArguments: 'mcpWorkbench.editPromptArguments',
  answerDocument: 'mcpWorkbench.answerDocument',
  otherChoices: 'mcpWorkbench.otherChoices',
  trustAndStart: 'mcpWorkbench.trustAndStart',
  backToQuestion: 'mcpWorkbench.backToQuestion',
  useText: 'mcpWorkbench.useText',
  useArguments: 'mcpWorkbench.useArguments',
  runEdited: 'mcpWorkbench.runEdited',
  allowEdited: 'mcpWorkbench.allowEdited',
  sendReviewed: 'mcpWorkbench.sendReviewed',
  returnReviewed: 'mcpWorkbench.returnReviewed',
  useReviewedSkill: 'mcpWorkbench.useReviewedSkill',
  saveReviewedSkill: 'mcpWorkbench.saveReviewedSkill',
  withdrawApproval: 'mcpWorkbench.withdrawApproval',
  showQuestions: 'mcpWorkbench.showQuestions',
  acceptQuestion: 'mcpWorkbench.acceptQuestion',
  leaveQuestion: 'mcpWorkbench.leaveQuestion',
  cancelFilter: 'mcpWorkbench.cancelFilter',
  addPromptsToPalette: 'mcpWorkbench.addPromptsToPalette',
  removePromptsFromPalette: 'mcpWorkbench.removePromptsFromPalette',
  addPromptToPalette: 'mcpWorkbench.addPromptToPalette',
  removePromptFromPalette: 'mcpWorkbench.removePromptFromPalette',
  publishPrompt: 'mcpWorkbench.publishPrompt',
  withdrawPrompt: 'mcpWorkbench.withdrawPrompt',
  copyPromptKeybinding: 'mcpWorkbench.copyPromptKeybinding',
  addRoot: 'mcpWorkbench.addRoot',
  removeRoot: 'mcpWorkbench.removeRoot',
  copyRootPath: 'mcpWorkbench.copyRootPath',
  revealRoot: 'mcpWorkbench.revealRoot',
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
  clickRow: 'mcpWorkbench.clickRow',
  sortResources: 'mcpWorkbench.sortResources',
  filterResources: 'mcpWorkbench.filterResources',
  clearResourceFilter: 'mcpWorkbench.clearResourceFilter',
  showResourcesFlat: 'mcpWorkbench.showResourcesFlat',
  showResourcesNested: 'mcpWorkbench.showResourcesNested',
  runTool: 'mcpWorkbench.runTool',
  showRunningTools: 'mcpWorkbench.showRunningTools',
  showTaskResult: 'mcpWorkbench.showTaskResult',
  cancelTask: 'mcpWorkbench.cancelTask',
  refreshTasks: 'mcpWorkbench.refreshTasks',
  clearTasks: 'mcpWorkbench.clearTasks',
  showTask: 'mcpWorkbench.showTask',
  showToolResult: 'mcpWorkbench.showToolResult',
  runToolOnSelection: 'mcpWorkbench.runToolOnSelection',
  showToolDefinition: 'mcpWorkbench.showToolDefinition',
  manageToolApprovals: 'mcpWorkbench.manageToolApprovals',
  showToolLog: 'mcpWorkbench.showToolLog',
  showLogEntry: 'mcpWorkbench.showLogEntry',
  filterToolLog: 'mcpWorkbench.filterToolLog',
  showStatistics: 'mcpWorkbench.showStatistics',
  exportToolLog: 'mcpWorkbench.exportToolLog',
  replayToolCall: 'mcpWorkbench.replayToolCall',
  connectAgent: 'mcpWorkbench.connectAgent',
  disconnectAgent: 'mcpWorkbench.disconnectAgent',
  forgetAgent: 'mcpWorkbench.forgetAgent',
  selectAgentTools: 'mcpWorkbench.selectAgentTools',
  selectTools: 'mcpWorkbench.selectTools',
  switchToolSet: 'mcpWorkbench.switchToolSet',
  retryRequest: 'mcpWorkbench.retryRequest',
  reviewServers: 'mcpWorkbench.reviewServers',
  showToolApp: 'mcpWorkbench.showToolApp',
  reloadApp: 'mcpWorkbench.reloadApp',
  stopApp: 'mcpWorkbench.stopApp',
  showAppTraffic: 'mcpWorkbench.showAppTraffic',
  showAppSource: 'mcpWorkbench.showAppSource',
  openAppTools: 'mcpWorkbench.openAppTools',
  forgetApps: 'mcpWorkbench.forgetApps',
  attachSkill: 'mcpWorkbench.attachSkill',
  runSkill: 'mcpWorkbench.runSkill',
  saveSkill: 'mcpWorkbench.saveSkill',
  updateSkill: 'mcpWorkbench.updateSkill',
  useSkill: 'mcpWorkbench.useSkill',
} as const;

/** Settings, with their full keys. */
export const Setting = {
  promptPreview: 'mcpWorkbench.prompts.preview',
  palette: 'mcpWorkbench.palette',
  servers: 'mcpWorkbench.servers',
  places: 'mcpWorkbench.places',
  inputs: 'mcpWorkbench.inputs',
  registry: 'mcpWorkbench.registry',
  identityProviders: 'mcpWorkbench.identityProviders',
  inheritEnvironment: 'mcpWorkbench.inheritEnvironment',
  autostart: 'mcpWorkbench.autostart',
  autostartServers: 'mcpWorkbench.autostartServers',
  development: 'mcpWorkbench.development',
  samplingRequestsPerHour: 'mcpWorkbench.sampling.requestsPerHour',
  samplingTokensPerHour: 'mcpWorkbench.sampling.tokensPerHour',
  hiddenRoots: 'mcpWorkbench.roots.hidden',
  addedRoots: 'mcpWorkbench.roots.added',
  refreshOnFocus: 'mcpWorkbench.resources.refreshOnFocus',
  toolServerPolicy: 'mcpWorkbench.tools.serverPolicy',
  toolDenyList: 'mcpWorkbench.tools.denyList',
  toolAskList: 'mcpWorkbench.tools.askList',
  toolTrustReadOnlyHint: 'mcpWorkbench.tools.trustReadOnlyHint',
  toolMaxCallsPerMinute: 'mcpWorkbench.tools.maxCallsPerMinute',
  toolMaxCallsPerAnswer: 'mcpWorkbench.tools.maxCallsPerAnswer',
  toolTaint: 'mcpWorkbench.tools.askAgainAfterOpenWorld',
  toolDefaultChoice: 'mcpWorkbench.tools.defaultChoice',
  toolLogArguments: 'mcpWorkbench.tools.logArguments',
  chatMaxRounds: 'mcpWorkbench.chat.maxRounds',
  chatMaxTools: 'mcpWorkbench.chat.maxTools',
  chatMaxResultLength: 'mcpWorkbench.chat.maxResultLength',
  agentMaxTools: 'mcpWorkbench.agents.maxTools',
  agentHttp: 'mcpWorkbench.agents.http',
  provideToEditor: 'mcpWorkbench.provideToEditor',
  showQuestions: 'mcpWorkbench.questions.show',
  openApps: 'mcpWorkbench.apps.open',
  appTabs: 'mcpWorkbench.apps.tabs',
  tracesEnabled: 'mcpWorkbench.traces.enabled',
  tracesEndpoint: 'mcpWorkbench.traces.endpoint',
  tracesContent: 'mcpWorkbench.traces.content',
} as const;

/** Context keys that decide which commands are offered. */
export const ContextKey = {
  active: 'mcpWorkbench.active',
  pageOnly: 'mcpWorkbench.pageOnly',
  toolLogShown: 'mcpWorkbench.toolLogShown',
  trafficShown: 'mcpWorkbench.trafficShown',
  hasServers: 'mcpWorkbench.hasServers',
  hasStarted: 'mcpWorkbench.hasStarted',
  severalSelected: 'mcpWorkbench.severalSelected',
  mixedSelected: 'mcpWorkbench.mixedSelected',
  hasFiles: 'mcpWorkbench.hasFiles',
  unconfigured: 'mcpWorkbench.unconfigured',
  palettePrompts: 'mcpWorkbench.palettePrompts',
  askedDocuments: 'mcpWorkbench.askedDocuments',
  titledDocuments: 'mcpWorkbench.titledDocuments',
  choiceDocuments: 'mcpWorkbench.choiceDocuments',
  question: 'mcpWorkbench.question',
  filtering: 'mcpWorkbench.filtering',
  changedResources: 'mcpWorkbench.changedResources',
  resourcesFlat: 'mcpWorkbench.resourcesFlat',
  resourcesFiltered: 'mcpWorkbench.resourcesFiltered',
} as const;

/** Returns the context key for the documents in which a command makes a choice. */
export function choiceKey(command: string): string {
  return `${command}.offered`;
}

/** Returns the context key for the documents in which a command makes the first choice. */
export function firstChoiceKey(command: string): string {
  return `${command}.first`;
}

/** Views of the sidebar. */
export const View = {
  container: 'mcpWorkbench',
  servers: 'mcpWorkbench.servers',
  toolLog: 'mcpWorkbench.toolLog',
  traffic: 'mcpWorkbench.traffic',
} as const;

/** The type of the webviews that show apps. */
export const AppWebview = 'mcpWorkbench.app';

/** Chat participants. */
export const Participant = {
  mcp: 'mcpWorkbench.mcp',
} as const;

/** The scheme of the read-only file system that shows resources. */
export const resourceScheme = 'mcp-workbench';

/** The scheme of documents that say what is wrong with a server. */
export const reportScheme = 'mcp-workbench-report';

/** The scheme of documents that exist in this window only: texts to edit, and prompts to look at. */
export const inputScheme = 'mcp-workbench-input';

/** The schemes of all our documents: the manifest has the editor start us for each that it restores. */
export const documentSchemes = [resourceScheme, reportScheme, inputScheme] as const;

/** A scheme that the editor may restore documents of. */
export type DocumentScheme = (typeof documentSchemes)[number];

/** True for the schemes of all our documents, which show what servers, files and pages wrote. */
export function isOwnScheme(scheme: string): boolean {
  return scheme === resourceScheme || scheme.startsWith(`${resourceScheme}-`);
}

/** The id by which the editor knows this extension. */
export const extensionId = 'mcp-workbench.mcp-workbench';

/** The walkthrough of this extension. */
export const walkthroughId = 'start';

/** The prefix of the context keys that say which of its steps are done. */
export const walkthroughKey = 'mcpWorkbench.walkthrough';

/** The scheme that marks rows of servers that this window cannot start. */
export const needsProcessScheme = 'mcp-workbench-needs-process';
