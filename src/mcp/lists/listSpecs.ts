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
import { readSkill, type Skill } from '../protocol/skills';
import type { LiveList } from './liveList';

/** The most tools, prompts, resource templates or skills that are kept of a server, and resources. */
export const maxOffers = 50_000;
export const maxResources = 500_000;

/** One of the protocol's lists: how it is asked for, where its entries are and how they are read. */
export interface ListSpec<T> {
  readonly method: string;
  /** The field of the result that holds the entries. */
  readonly field: string;
  /** True where a server offers it. */
  readonly isOffered: (capabilities: ServerCapabilities) => boolean;
  /** The notification that says that the list changed. */
  readonly changed: string;
  readonly read: ReadEntry<T>;
  /** What requests call an entry by, where two of one name could not be told apart. */
  nameOf?(entry: T): string;
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
  readonly skills: Skill;
}

/** The name of one of the {@link Lists}. */
export type ListKind = keyof Lists;

/** Every list of a server, kept current. */
export type LiveLists = { readonly [K in ListKind]: LiveList<Lists[K]> };

/** How each list of {@link Lists} is asked for. A new kind of list begins with an entry here. */
export const listSpecs: { readonly [K in ListKind]: ListSpec<Lists[K]> } = {
  tools: {
    method: 'tools/list',
    field: 'tools',
    isOffered: ({ tools }) => tools !== undefined,
    changed: 'notifications/tools/list_changed',
    read: readTool,
    nameOf: ({ name }) => name,
    maxEntries: maxOffers,
  },
  prompts: {
    method: 'prompts/list',
    field: 'prompts',
    isOffered: ({ prompts }) => prompts !== undefined,
    changed: 'notifications/prompts/list_changed',
    read: readPrompt,
    nameOf: ({ name }) => name,
    maxEntries: maxOffers,
  },
  resources: {
    method: 'resources/list',
    field: 'resources',
    isOffered: ({ resources }) => resources !== undefined,
    changed: 'notifications/resources/list_changed',
    read: readResource,
    maxEntries: maxResources,
    grows: true,
  },
  resourceTemplates: {
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    isOffered: ({ resources }) => resources !== undefined,
    changed: 'notifications/resources/list_changed',
    read: readResourceTemplate,
    maxEntries: maxOffers,
  },
  skills: {
    method: 'skills/list',
    field: 'skills',
    isOffered: ({ extensions }) => extensions?.['io.modelcontextprotocol/skills'] !== undefined,
    // Their files are resources.
    changed: 'notifications/resources/list_changed',
    read: readSkill,
    nameOf: ({ uri }) => uri,
    maxEntries: maxOffers,
  },
};

/** The kinds of {@link listSpecs}, in the order in which a server is asked for them. */
export const listKinds = Object.keys(listSpecs) as readonly ListKind[];
