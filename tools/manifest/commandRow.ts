/** Where the editor shows a command: the condition, and the group with the place in it. */
export type MenuEntry = readonly [when: string, group?: string];

/** All that the manifest says of one command; its title is `command.<name>` of package.nls.json. */
export interface CommandRow {
  readonly icon?: string;
  readonly enablement?: string;
  /** When the palette offers it; always if left out. */
  readonly palette?: string | false;
  /** In the rows of trees, as buttons and in their menus. */
  readonly rows?: readonly MenuEntry[];
  /** In the titles of views. */
  readonly views?: readonly MenuEntry[];
  /** In the titles of editors. */
  readonly tabs?: readonly MenuEntry[];
  /** In the menus of the tabs of editors. */
  readonly tabMenus?: readonly MenuEntry[];
  /** In the menus of files in the explorer. */
  readonly files?: readonly MenuEntry[];
  /** In the menus of the text in editors. */
  readonly texts?: readonly MenuEntry[];
  readonly keys?: readonly {
    readonly key: string;
    readonly mac?: string;
    readonly when: string;
  }[];
}
