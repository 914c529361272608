import type { LanguageModelChatTool } from 'vscode';
import { builtInToolNames } from './chatTools';

/** The definitions of our own tools that a model of `@mcp` may be given; the manifest has those for other chats. */
export const builtInTools: Readonly<Record<'find' | 'read', LanguageModelChatTool>> = {
  find: {
    name: builtInToolNames.find,
    description:
      'Finds tools of the connected MCP servers by what they do. The tools that are found can be ' +
      'called by their names from then on. Search before you say that something cannot be done.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What the tool should do, in a few words' },
        limit: { type: 'integer', minimum: 1, maximum: 30, default: 10 },
      },
      required: ['query'],
    },
  },
  read: {
    name: builtInToolNames.read,
    description:
      'Reads a resource of a connected MCP server, or further pieces of a long result, by its URI.',
    inputSchema: {
      type: 'object',
      properties: {
        uri: { type: 'string', description: 'The URI as it was given' },
        server: {
          type: 'string',
          description: 'The name of the server that named the URI; needed where that is not clear',
        },
        offset: { type: 'integer', minimum: 0, description: 'The first character of the piece' },
        length: { type: 'integer', minimum: 1, maximum: 50_000 },
      },
      required: ['uri'],
    },
  },
};
