/** The editor's own setting with which an organization allows MCP servers or none. */
export const accessSetting = 'chat.mcp.access';

/** The editor's settings with which an organization lists the servers that may run, and those that may not. */
export const serverLists = {
  allowed: 'chat.mcp.allowedServers',
  denied: 'chat.mcp.deniedServers',
} as const;

/** The editor's setting with which an organization keeps models from using the tools of extensions. */
export const extensionToolsSetting = 'chat.extensionTools.enabled';

/** The editor's setting with which an organization has its own MCP registry searched. */
export const registrySetting = 'chat.mcp.gallery.serviceUrl';
