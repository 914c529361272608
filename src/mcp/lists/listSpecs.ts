import type {
  Prompt,
  Resource,
  ResourceTemplate,
  ServerCapabilities,
  Tool,
} from '../protocol/types';
import {
  type ReadEntry,
  readPrompt,
  readResource,
  readResourceTemplate,
  readTool,
} from '../protocol/entries';
import { type Skill, readSkill } from '../protocol/skills';
import type { Event } from '../../base/event';
import type { LocalizableMessage } from '../../base/translate';

/** `cached` was read from disk; `stale` is a good list whose last refresh failed. */
export type ListStatus = 'empty' | 'cached' | 'loading' | 'loaded' | 'stale' | 'failed';

/** A list of a server as the features see it: it announces every change and keeps its last good state. */
export interface LiveList<T> {
  readonly items: readonly T[];
  readonly status: ListStatus;
  /** Why the last load failed, in one sentence. */
  readonly error: string | undefined;
  /** What was discarded or cut while reading, one sentence each. */
  readonly problems: readonly string[];
  readonly onDidChange: Event<void>;
  /** Reloads all pages; calls during a load share it, and one more load follows. */
  refresh(): Promise<void>;
}

/** At most this many tools, prompts, resource templates or skills are kept per server, and below, resources. */
export const maxOffers = 50_000;
export const maxResources = 500_000;

/** One of the protocol's lists: how it is requested, where its entries are, and how they are read. */
export interface ListSpec<T> {
  readonly method: string;
  /** The field of the result that holds the entries. */
  readonly field: string;
  /** True if a server with these capabilities offers the list. */
  readonly isOffered: (capabilities: ServerCapabilities) => boolean;
  /** The notification that the list has changed. */
  readonly changed: string;
  readonly read: ReadEntry<T>;
  /** Returns the name that requests use for an entry; for lists in which it must be unique. */
  nameOf?(entry: T): string;
  /** True if entries are useful individually, so that they are shown while the list is still loading. */
  readonly grows?: boolean;
  /** The most entries that are kept. */
  readonly maxEntries: number;
}

/** The entries of each list of a server, by the name of the list in this client. */
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

/** How each list of {@link Lists} is requested. A new kind of list begins with an entry here. */
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
    // The files of skills are resources.
    changed: 'notifications/resources/list_changed',
    read: readSkill,
    nameOf: ({ uri }) => uri,
    maxEntries: maxOffers,
  },
};

/** What users call each list. */
export const listTitles: Readonly<Record<ListKind, LocalizableMessage>> = {
  resources: (t) => t('Resources'),
  resourceTemplates: (t) => t('Resource Templates'),
  prompts: (t) => t('Prompts'),
  tools: (t) => t('Tools'),
  skills: (t) => t('Skills'),
};

/** The kinds of {@link listSpecs}, in the order in which they are requested. */
export const listKinds = Object.keys(listSpecs) as readonly ListKind[];
