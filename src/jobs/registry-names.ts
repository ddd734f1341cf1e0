import type { Alerts } from '../domain/alerts.ts';
import { type Clock, dayMs, ecuadorDay, startOfEcuadorDay } from '../domain/clock.ts';
import type { LegalNames, NameAsker, NamedBy } from '../domain/identification.ts';
import type { Log } from '../domain/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LookUpCalls } from '../service/calls/companies.ts';

/** Milliseconds of the product's clock; `wait` in real time. */
export interface RegistryTimes {
  /** A later answer counts for the next plan. */
  wait: number;
  /** As long as the service's own free cache. */
  keep: number;
  rest: number;
}

export const defaultRegistryTimes: RegistryTimes = { wait: 3_000, keep: 86_400_000, rest: 300_000 };

const limit = 20_000;

/** Names shown through one link in one day: enough to mistype twice, too few to look up other people. */
const linkPerDay = 3;

const code = 'registry-limit';

const lookUps = 'look-ups';

export async function lookUpsOfStores(
  { counters }: Pick<Ledger, 'counters'>,
  clock: Clock,
): Promise<{ store: string; count: number }[]> {
  const counts = await counters.startingWith(`${lookUps} store `, clock.now());
  return counts.map(({ name, count }) => ({ store: name, count }));
}

/** Null after any failure (spec, "Behavior of the queries routes"). Links get at most half of the limit. */
export function registryNames(
  calls: LookUpCalls,
  options: {
    clock: Clock;
    log: Log;
    alerts: Pick<Alerts, 'raise'>;
    ledger: Pick<Ledger, 'counters'>;
    times?: RegistryTimes;
  },
): LegalNames {
  const { clock, log, alerts, ledger, times = defaultRegistryTimes } = options;
  const kept = new Map<string, { name: string | null; until: number }>();
  let restUntil = 0;

  async function ask({ type, id }: NamedBy): Promise<string | null> {
    const now = clock.now().getTime();
    const answer = type === 'ruc' ? await calls.consultarRuc(id) : await calls.consultarCedula(id);
    if (answer.kind === 'found' || answer.kind === 'not-found' || answer.kind === 'refused') {
      const name = answer.kind === 'found' ? nameIn(answer.facts) : null;
      keep(id, { name, until: now + times.keep });
      return name;
    }
    log.warn(
      { registry: type, answer: answer.kind },
      'The registry could not be asked; no name was filled in',
    );
    restUntil = now + times.rest;
    return null;
  }

  function take(name: string, limit: number): Promise<boolean> {
    const now = clock.now();
    const endsAt = new Date(startOfEcuadorDay(ecuadorDay(now)).getTime() + dayMs);
    return ledger.counters.take(`${lookUps} ${name}`, { limit, endsAt, now });
  }

  async function mayCall({ store, link }: NameAsker): Promise<boolean> {
    const { id } = store;
    const { registryPerDay: whole } = store.policy.buyer;
    const half = Math.ceil(whole / 2);
    if (link !== null && !(await take(`links ${id}`, half))) {
      await alerts.raise({
        code,
        subject: `${id} enlaces`,
        params: { why: 'links', store: id, limit: half },
      });
      return false;
    }
    if (await take(`store ${id}`, whole)) return true;
    await alerts.raise({
      code,
      subject: id,
      params: { why: 'store', store: id, limit: whole },
    });
    return false;
  }

  function keep(id: string, entry: { name: string | null; until: number }): void {
    kept.delete(id);
    kept.set(id, entry);
    const [oldest] = kept.keys();
    if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
  }

  return {
    async of(subject, asker) {
      const now = clock.now();
      if (asker.link !== null) {
        if (!(await take(`link ${asker.link}`, linkPerDay))) return null;
      }
      const known = kept.get(subject.id);
      if (known && known.until > now.getTime()) return known.name;
      if (restUntil > now.getTime() || !(await mayCall(asker))) return null;
      const answered = ask(subject).catch(() => {
        restUntil = now.getTime() + times.rest;
        return null;
      });
      return within(answered, times.wait);
    },
  };
}

function nameIn(facts: { razonSocial: string | null } | { nombre: string | null }): string | null {
  return ('razonSocial' in facts ? facts.razonSocial : facts.nombre)?.trim() || null;
}

async function within<T>(answer: Promise<T>, milliseconds: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
