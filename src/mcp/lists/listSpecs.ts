import type {
  Prompt,
  Resource,
  ResourceTemplate,
  ServerCapabilities,
  Tool,
} from '../protocol/types';
import {
  readPrompt,
  readResource,
  readResourceTemplate,
  readTool,
  type ReadEntry,
} from '../protocol/entries';

/** The most tools, prompts or resource templates that are kept of a server, and resources. */
export const maxOffers = 50_000;
export const maxResources = 500_000;

/** One of the protocol's lists: how it is asked for, where its entries are and how they are read. */
export interface ListSpec<T> {
  readonly method: string;
  /** The field of the result that holds the entries. */
  readonly field: string;
  readonly capability: keyof ServerCapabilities;
  /** The notification that says that the list changed. */
  readonly changed: string;
  readonly read: ReadEntry<T>;
  /** Whether the entries are of use one by one, so that they are shown while the list still loads. */
  readonly grows?: boolean;
  /** How many entries are kept. */
  readonly maxEntries: number;
}

/** The lists that a server has, by the name they go by here. */
export interface Lists {
  readonly tools: Tool;
  readonly prompts: Prompt;
  readonly resources: Resource;
  readonly resourceTemplates: ResourceTemplate;
}

/** How each list of {@link Lists} is asked for. */
export const listSpecs: { readonly [K in keyof Lists]: ListSpec<Lists[K]> } = {
  tools: {
    method: 'tools/list',
    field: 'tools',
    capability: 'tools',
    changed: 'notifications/tools/list_changed',
    read: readTool,
    maxEntries: maxOffers,
  },
  prompts: {
    method: 'prompts/list',
    field: 'prompts',
    capability: 'prompts',
    changed: 'notifications/prompts/list_changed',
    read: readPrompt,
    maxEntries: maxOffers,
  },
  resources: {
    method: 'resources/list',
    field: 'resources',
    capability: 'resources',
    changed: 'notifications/resources/list_changed',
    read: readResource,
    maxEntries: maxResources,
    grows: true,
  },
  resourceTemplates: {
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    capability: 'resources',
    changed: 'notifications/resources/list_changed',
    read: readResourceTemplate,
    maxEntries: maxOffers,
  },
};
