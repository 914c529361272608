/** The location of a file as the editor writes it. */
export interface FileUri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  /** The path as this machine writes it. */
  readonly fsPath: string;
}
