/** The editor's own setting by which an organization allows MCP servers, or none. */
export const accessSetting = 'chat.mcp.access';

/** Those by which it lists the servers that may run, and those that may not. */
export const serverLists = {
  allowed: 'chat.mcp.allowedServers',
  denied: 'chat.mcp.deniedServers',
} as const;

/** The one by which it keeps models from the tools of extensions. */
export const extensionToolsSetting = 'chat.extensionTools.enabled';
