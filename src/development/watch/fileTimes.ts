/** At most this many times are kept; then all of them are discarded, which costs one restart at most. */
const maxFiles = 10_000;

interface KnownTime {
  readonly time: number | undefined;
  readonly byDisk: boolean;
}

/**
 * Tells new changes to files from repeated reports of the same change: the disk also reports each save,
 * before or after it.
 */
export class FileTimes {
  private readonly timeOf: (file: string) => Promise<number | undefined>;
  private readonly known = new Map<string, KnownTime>();

  /** @param timeOf returns when a file was last changed; `undefined` if that is unknown. */
  constructor(timeOf: (file: string) => Promise<number | undefined>) {
    this.timeOf = timeOf;
  }

  /** True unless the change that the disk reports has already been reported. */
  async isNewOnDisk(file: string): Promise<boolean> {
    const time = await this.timeOf(file);
    const known = this.known.get(file);
    if (known && known.time === time) return false;
    this.keep(file, { time, byDisk: true });
    return true;
  }

  /**
   * True unless the disk has already reported the save; two saves always count as two, however coarse the
   * file times are.
   */
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
