import type { Tool } from '../mcp/protocol/types';
import { maxFound } from '../offer/offeredTools';

/**
 * The names of the tools that stand for all others where an agent is offered more than it takes. No tool of a server has
 * one of these: theirs have two underscores, or are as long as names may be.
 */
export const searchToolNames = {
  find: 'find_tools',
  call: 'call_tool',
  read: 'read_resource',
} as const;

/** What an agent gets in place of more tools than it takes: to find tools, to call one, and to read a resource. */
export const searchToolDefinitions: readonly Tool[] = [
  {
    name: searchToolNames.find,
    title: 'Find Tools',
    description:
      'Finds tools of the MCP servers of the VS Code window by what they do, with the schema of their arguments. ' +
      'Call those that are found with call_tool. Search before you say that something cannot be done.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What the tool should do, in a few words' },
        limit: { type: 'integer', minimum: 1, maximum: maxFound, default: 10 },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: searchToolNames.call,
    title: 'Call a Tool',
    description: 'Calls a tool that find_tools has found. The user may be asked before it runs.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Its name, as find_tools gave it' },
        arguments: { type: 'object', description: 'Its arguments, as its schema says' },
      },
      required: ['name'],
    },
  },
  {
    name: searchToolNames.read,
    title: 'Read a Resource',
    description: 'Reads a resource of these servers, such as one that a result has linked.',
    inputSchema: {
      type: 'object',
      properties: { uri: { type: 'string', description: 'The URI as it was given' } },
      required: ['uri'],
    },
    annotations: { readOnlyHint: true },
  },
];
