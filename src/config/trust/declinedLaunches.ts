import { StoredList, type Memento } from '../../base/memento';
import { isRecord } from '../../base/json';

const maxKept = 500;

/** How the user said no: `notNow` to one launch, `notHere` to the server however it is launched. */
export type Decline = 'notNow' | 'notHere';

/** The part of a launch that a refusal is bound to; `text` describes all of it without secrets. */
export interface DeclinableLaunch {
  readonly serverName: string;
  readonly place: string;
  readonly text: string;
}

/** A refusal that is kept. */
export interface DeclinedLaunch extends DeclinableLaunch {
  readonly decline: Decline;
}

/** The launches that the user does not want in this workspace, kept with it until the user says otherwise. */
export class DeclinedLaunches {
  private readonly kept: StoredList<DeclinedLaunch>;

  constructor(store: Memento) {
    this.kept = new StoredList(store, 'trust.declined', {
      max: maxKept,
      isEntry: isDeclined,
      restricts: true,
    });
  }

  has(launch: DeclinableLaunch): boolean {
    return this.all.some((one) => isMeant(one, launch));
  }

  async add(launch: DeclinableLaunch, decline: Decline): Promise<void> {
    const { serverName, place, text } = launch;
    await this.kept.put({ serverName, place, text, decline }, (one) => isMeant(one, launch));
  }

  /** Removes a refusal, as the user wants to be asked again or has let the launch start. */
  async remove(launch: DeclinableLaunch): Promise<void> {
    await this.kept.remove((one) => isMeant(one, launch));
  }

  get all(): readonly DeclinedLaunch[] {
    return this.kept.all;
  }
}

/** A launch that changed is a different one, unless its server is not wanted at all. */
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
