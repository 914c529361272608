/** The times of so many files are known; beyond, all are forgotten, which costs a restart at most. */
const maxFiles = 10_000;

interface KnownTime {
  readonly time: number | undefined;
  readonly byDisk: boolean;
}

/** Tells apart the changes of files and what is said of the same change again: a save is reported by the disk too, in either order. */
export class FileTimes {
  private readonly timeOf: (file: string) => Promise<number | undefined>;
  private readonly known = new Map<string, KnownTime>();

  /** @param timeOf when a file was changed last; undefined where that cannot be said. */
  constructor(timeOf: (file: string) => Promise<number | undefined>) {
    this.timeOf = timeOf;
  }

  /** True unless the change that the disk reports was reported before. */
  async isNewOnDisk(file: string): Promise<boolean> {
    const time = await this.timeOf(file);
    const known = this.known.get(file);
    if (known && known.time === time) return false;
    this.keep(file, { time, byDisk: true });
    return true;
  }

  /** True unless the disk reported what was saved. Two saves are never one, however coarse the times of the file system are. */
  async isNewSave(file: string): Promise<boolean> {
    const time = await this.timeOf(file);
    const known = this.known.get(file);
    this.keep(file, { time, byDisk: false });
    return !known?.byDisk || time === undefined || known.time !== time;
  }

  private keep(file: string, time: KnownTime): void {
    if (this.known.size >= maxFiles) this.known.clear();
    this.known.set(file, time);
  }
}
