import { KeptList, type Memento } from '../../base/memento';
import { isRecord } from '../../base/json';

const maxKept = 500;

/** How the user said no: `notNow` to one launch, `notHere` to the server however it is launched. */
export type Decline = 'notNow' | 'notHere';

/** A launch, as far as a no is bound to it; `text` says all of it without secrets. */
export interface DeclinableLaunch {
  readonly serverName: string;
  readonly place: string;
  readonly text: string;
}

/** A no that is kept. */
export interface DeclinedLaunch extends DeclinableLaunch {
  readonly decline: Decline;
}

/** The launches that the user does not want in this workspace, kept with it until they say otherwise. */
export class DeclinedLaunches {
  private readonly kept: KeptList<DeclinedLaunch>;

  constructor(store: Memento) {
    this.kept = new KeptList(store, 'trust.declined', maxKept, isDeclined);
  }

  has(launch: DeclinableLaunch): boolean {
    return this.all.some((one) => isMeant(one, launch));
  }

  async add(launch: DeclinableLaunch, decline: Decline): Promise<void> {
    const { serverName, place, text } = launch;
    await this.kept.put({ serverName, place, text, decline }, (one) => isMeant(one, launch));
  }

  /** The user wants to be asked about it again, or has let it start. */
  async remove(launch: DeclinableLaunch): Promise<void> {
    await this.kept.remove((one) => isMeant(one, launch));
  }

  get all(): readonly DeclinedLaunch[] {
    return this.kept.all;
  }
}

/** A launch that changed is another one, but to a server that is not wanted at all. */
function isMeant({ decline, serverName, place, text }: DeclinedLaunch, of: DeclinableLaunch) {
  const isSame = serverName === of.serverName && place === of.place;
  return isSame && (decline === 'notHere' || text === of.text);
}

function isDeclined(value: unknown): value is DeclinedLaunch {
  return (
    isRecord(value) &&
    typeof value['serverName'] === 'string' &&
    typeof value['place'] === 'string' &&
    typeof value['text'] === 'string' &&
    (value['decline'] === 'notNow' || value['decline'] === 'notHere')
  );
}
